// The parts of the library that are compiled with programs, on random inputs against what they must be: the definitions
// of the parts come before those of the shared libraries.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <search.h>

#include <algorithm>
#include <cstdlib>
#include <list>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace {

using Random = std::mt19937;

unsigned below(Random& random, unsigned n) { return random() % n; }

// The object that a function is in: this program, or a shared library.
const void* home(const void* function) {
  Dl_info info{};
  dladdr(function, &info);
  return info.dli_fbase;
}
template <typename F>
bool is_ours(F* function) {
  return home(reinterpret_cast<const void*>(function)) == home(reinterpret_cast<const void*>(below));
}

// The tests would compare the shared libraries with themselves if their functions were used.
TEST(Compiled, IsWhatIsTested) {
  using Node = std::_Rb_tree_node_base;
  using Compare = int (*)(const void*, const void*);
  EXPECT_TRUE(is_ours(static_cast<Node* (*)(Node*)>(std::_Rb_tree_increment)));
  EXPECT_TRUE(is_ours(std::_Rb_tree_insert_and_rebalance));
  EXPECT_TRUE(is_ours(std::_Rb_tree_rebalance_for_erase));
  EXPECT_TRUE(is_ours(static_cast<void (*)(void*, std::size_t, std::size_t, Compare)>(std::qsort)));
  EXPECT_FALSE(is_ours(static_cast<void* (*)(std::size_t)>(std::malloc)));
}

// All that holds of a red-black tree, by libstdc++'s own check and by a walk in both directions.
template <typename T>
class Checked : public std::_Rb_tree<T, T, std::_Identity<T>, std::less<T>> {
 public:
  bool holds(const std::vector<T>& sorted) const {
    return this->__rb_verify() && std::equal(this->begin(), this->end(), sorted.begin(), sorted.end()) &&
           std::equal(this->rbegin(), this->rend(), sorted.rbegin(), sorted.rend());
  }
};

TEST(Compiled, TreesStayBalancedAndSorted) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Checked<unsigned> tree;
    std::vector<unsigned> sorted;
    const unsigned keys = 1 + below(random, seed % 2 == 0 ? 12 : 200);
    for (int step = 0; step < 150; ++step) {
      const unsigned key = below(random, keys);
      const auto at = std::ranges::lower_bound(sorted, key);
      const bool there = at != sorted.end() && *at == key;
      if (below(random, 5) < (step % 60 < 30 ? 4u : 1u)) {
        EXPECT_EQ(tree._M_insert_unique(key).second, !there);
        if (!there) sorted.insert(at, key);
      } else {
        EXPECT_EQ(tree.erase(key), there ? 1u : 0u);
        if (there) sorted.erase(at);
      }
      ASSERT_TRUE(tree.holds(sorted)) << "seed " << seed << " step " << step;
    }
  }
}

TEST(Compiled, TreesWithEqualKeys) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Random random(seed);
    std::multimap<unsigned, int> map;
    std::vector<std::pair<unsigned, int>> all;
    for (int step = 0; step < 100; ++step) {
      const unsigned key = below(random, 6);
      if (below(random, 3) != 0) {
        map.emplace(key, step);
        all.emplace_back(key, step);
      } else if (!map.empty()) {
        const auto it = std::next(map.begin(), below(random, static_cast<unsigned>(map.size())));
        std::erase(all, std::pair<unsigned, int>(*it));
        map.erase(it);
      }
      auto sorted = all;
      std::ranges::stable_sort(sorted, {}, &std::pair<unsigned, int>::first);
      ASSERT_TRUE(std::equal(map.begin(), map.end(), sorted.begin(), sorted.end(),
                             [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }))
          << "seed " << seed;
    }
  }
}

bool same(const std::list<int>& list, const std::vector<int>& vector) {
  return std::ranges::equal(list, vector) && std::equal(list.rbegin(), list.rend(), vector.rbegin(), vector.rend());
}

TEST(Compiled, Lists) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::list<int> lists[2];
    std::vector<int> vectors[2];
    for (int step = 0; step < 60; ++step) {
      const unsigned i = below(random, 2);
      std::list<int>& l = lists[i];
      std::vector<int>& v = vectors[i];
      const unsigned at = below(random, static_cast<unsigned>(v.size()) + 1);
      switch (below(random, 7)) {
        case 0:
        case 1:
        case 2:
          l.insert(std::next(l.begin(), at), step);
          v.insert(v.begin() + at, step);
          break;
        case 3:
          if (at == v.size()) break;
          l.erase(std::next(l.begin(), at));
          v.erase(v.begin() + at);
          break;
        case 4:
          l.reverse();
          std::ranges::reverse(v);
          break;
        case 5:
          l.swap(lists[1 - i]);
          v.swap(vectors[1 - i]);
          break;
        case 6: {
          const unsigned to = below(random, static_cast<unsigned>(vectors[1 - i].size()) + 1);
          lists[1 - i].splice(std::next(lists[1 - i].begin(), to), l, std::next(l.begin(), at), l.end());
          vectors[1 - i].insert(vectors[1 - i].begin() + to, v.begin() + at, v.end());
          v.resize(at);
          break;
        }
      }
      ASSERT_TRUE(same(lists[0], vectors[0]) && same(lists[1], vectors[1])) << "seed " << seed << " step " << step;
    }
    lists[0].sort();
    std::ranges::sort(vectors[0]);
    ASSERT_TRUE(same(lists[0], vectors[0]));
  }
}

struct Item {
  unsigned key;
  unsigned number;
  char rest[5];
  bool operator==(const Item&) const = default;
};
int by_key(const void* a, const void* b) {
  const unsigned x = static_cast<const Item*>(a)->key;
  const unsigned y = static_cast<const Item*>(b)->key;
  return x < y ? -1 : x > y ? 1 : 0;
}
int by_key_backwards(const void* a, const void* b, void* factor) { return *static_cast<int*>(factor) * by_key(a, b); }

TEST(Compiled, SortIsStable) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Random random(seed);
    std::vector<Item> items(below(random, 40));
    items.reserve(1);  // no null pointers
    const unsigned keys = 1 + below(random, 40);
    for (unsigned i = 0; i < items.size(); ++i) items[i] = {below(random, keys), i, "abcd"};
    std::vector<Item> expected = items;
    std::vector<Item> backwards = items;
    backwards.reserve(1);
    std::ranges::stable_sort(expected, {}, &Item::key);
    std::qsort(items.data(), items.size(), sizeof(Item), by_key);
    ASSERT_EQ(items, expected) << "seed " << seed;
    int factor = -1;
    qsort_r(backwards.data(), backwards.size(), sizeof(Item), by_key_backwards, &factor);
    EXPECT_TRUE(std::ranges::is_sorted(backwards, std::greater(), &Item::key));
    for (unsigned key = 0; key < keys; ++key) {
      const Item wanted{key, 0, ""};
      const auto* const found =
          static_cast<const Item*>(std::bsearch(&wanted, items.data(), items.size(), sizeof(Item), by_key));
      const bool there = std::ranges::binary_search(expected, key, {}, &Item::key);
      ASSERT_EQ(found != nullptr && found->key == key, there);
      std::size_t count = items.size();
      const void* const first = lfind(&wanted, items.data(), &count, sizeof(Item), by_key);
      ASSERT_EQ(first, there ? &*std::ranges::lower_bound(items, key, {}, &Item::key) : nullptr);
    }
  }
}

}  // namespace
