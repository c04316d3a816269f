// What a program can see of a thread follows from the thread's path, not from the order in which threads were first
// met.
#include <algorithm>

#include "native/heap.hpp"
#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

struct Seen {
  ThreadPath path{};
  Address block = 0;
  Address local = 0;
  unsigned long self = 0;
  unsigned key = 0;
  int random = 0;
  auto operator<=>(const Seen&) const = default;
};
Seen seen_by_role[7];

void look(std::size_t role) {
  Seen& s = seen_by_role[role];
  s.path = rt.current->path;
  s.block = reinterpret_cast<Address>(library<void*(std::size_t)>("malloc")(24));
  s.local = reinterpret_cast<Address>(__heddle_local_begin(8, 8, 1));
  s.self = library<unsigned long()>("pthread_self")();
  library<int(unsigned*, void (*)(void*))>("pthread_key_create")(&s.key, nullptr);
  s.random = library<int()>("rand")();
  EXPECT_EQ(heap::owner(s.block), rt.current->id);
  EXPECT_EQ(heap::find(s.block + 5)->start, s.block);
}

void* leaf(void* role) {
  look(reinterpret_cast<std::size_t>(role));
  add(globals().a, 1);
  return nullptr;
}
void* branch(void* role) {
  const auto r = reinterpret_cast<std::size_t>(role);
  look(r);
  spawn(leaf, reinterpret_cast<void*>(2 * r + 1));
  spawn(leaf, reinterpret_cast<void*>(2 * r + 2));
  return nullptr;
}
int tree() {
  look(0);
  spawn(branch, reinterpret_cast<void*>(1));
  spawn(branch, reinterpret_cast<void*>(2));
  return 0;
}

// Runs the threads in the order in which `next` picks them.
template <typename Next>
std::vector<Seen> explore(Next next) {
  std::ranges::fill(seen_by_role, Seen{});
  World w(tree);
  for (int round = 0; round < 2; ++round) {
    w.restart();
    for (;;) {
      std::vector<ThreadId> able;
      for (const ThreadId t : w.machine.threads())
        if (w.enabled(t)) able.push_back(t);
      if (able.empty()) break;
      w.step(next(able));
    }
  }
  for (const ThreadId t : w.machine.threads()) EXPECT_EQ(w.machine.thread_at(w.machine.path(t)), t);
  return {std::begin(seen_by_role), std::end(seen_by_role)};
}

TEST(Identity, DoesNotDependOnTheOrderOfCreation) {
  const auto first = explore([](const std::vector<ThreadId>& able) { return able.front(); });
  const auto last = explore([](const std::vector<ThreadId>& able) { return able.back(); });
  EXPECT_EQ(first, last);
  EXPECT_EQ(first[0].path, ThreadPath(0));
  EXPECT_EQ(first[2].path, ThreadPath(0x02));
  EXPECT_EQ(first[6].path, ThreadPath(0x0202));
  EXPECT_EQ(first[5].path, ThreadPath(0x0102));
  for (const Seen& a : first) {
    for (const Seen& b : first) {
      if (&a == &b) continue;
      EXPECT_NE(a.block, b.block);
      EXPECT_NE(a.self, b.self);
      EXPECT_NE(a.key, b.key);
      EXPECT_NE(a.random, b.random);
    }
  }
}

TEST(Identity, TheOrderOfIdsDoesDiffer) {
  // The test above would prove nothing if ids were the same in both orders.
  ThreadId id[2];
  for (const bool reverse : {false, true}) {
    World w(tree);
    w.run(kMain);
    w.run(reverse ? T2 : T1);
    w.run(reverse ? T1 : T2);
    id[reverse] = w.machine.thread_at(ThreadPath(0x0102));
  }
  EXPECT_NE(id[0], id[1]);
}

TEST(Identity, AThreadCanBeNamedBeforeItIsKnown) {
  World w(tree);
  const ThreadId late = w.machine.thread_at(ThreadPath(0x0202));
  EXPECT_EQ(w.machine.path(late), ThreadPath(0x0202));
  EXPECT_EQ(w.machine.parent(late), w.machine.thread_at(ThreadPath(2)));
  w.run_all();
  EXPECT_EQ(w.machine.threads().size(), 7u);
  EXPECT_NE(std::ranges::find(w.machine.threads(), late), w.machine.threads().end());
  EXPECT_THROW(w.machine.thread_at(ThreadPath(0x0100)), UserError);  // nobody has the number 0
}

TEST(Identity, ArenasOfNestedThreadsLieInTheirParents) {
  const auto r = [](uint64_t path) { return heap::range(ThreadPath(path)); };
  EXPECT_EQ(r(0).start, region::kArenas);
  EXPECT_EQ(r(3).start, region::kArenas + 3 * region::kArenaSize);
  const Address half = r(3).start + region::kArenaSize / 2;
  EXPECT_EQ(r(0x0103).start, half);
  EXPECT_EQ(r(0x0103).end, half + region::kArenaSize / 4);
  const auto child = [&](uint32_t n) { return heap::range(child_path(ThreadPath(3), n).value()); };
  for (uint32_t n = 1; n < 255; ++n) EXPECT_EQ(child(n).end, child(n + 1).start) << n;
  EXPECT_LE(child(255).end, r(3).end);
  EXPECT_EQ(r(0x010103).start, half + region::kArenaSize / 8);
}

TEST(Identity, PathsHaveLargeNumbers) {
  auto before = ThreadPath(0);
  for (const uint32_t n : {1u, 2u, 254u, 255u, 256u, 509u, 510u, 511u, 2047u, 65279u}) {
    const ThreadPath path = child_path(ThreadPath(0), n).value();
    EXPECT_GT(path, before);
    before = path;
    PathNumbers numbers(path);
    EXPECT_EQ(numbers.next(), n);
    EXPECT_FALSE(numbers.more());
    const ThreadPath deeper = child_path(path, n).value();
    numbers = PathNumbers(deeper);
    EXPECT_EQ(numbers.next(), n);
    EXPECT_EQ(numbers.next(), n);
    EXPECT_FALSE(numbers.more());
  }
  EXPECT_FALSE(child_path(ThreadPath(0), 65280).has_value());
  EXPECT_FALSE(child_path(ThreadPath(0x01010101010101), 255).has_value());
  EXPECT_TRUE(child_path(ThreadPath(0x01010101010101), 254).has_value());
  EXPECT_FALSE(child_path(ThreadPath(0x0101010101010101), 1).has_value());
  EXPECT_EQ(PathNumbers(ThreadPath(0x0100)).next(), 0u);
  EXPECT_EQ(PathNumbers(ThreadPath(0x01ff)).next(), 0u);
}

TEST(Identity, LateThreadsHaveArenasOfTheirOwn) {
  const auto range = [](uint32_t n) { return heap::range(child_path(ThreadPath(0), n).value()); };
  EXPECT_EQ(range(255).end, region::kOwnArena);
  EXPECT_EQ(range(256).start, region::kLateArenas);
  for (uint32_t n = 256; n < 2047; ++n) ASSERT_EQ(range(n).end, range(n + 1).start) << n;
  EXPECT_EQ(range(2047).end, region::kStacks);
}

void* deeper(void*) {
  library<void*(std::size_t)>("malloc")(8);
  spawn(deeper);
  return nullptr;
}

TEST(Identity, TooDeepIsRefused) {
  World w([] {
    deeper(nullptr);
    return 0;
  });
  try {
    w.run_all();
    FAIL() << "accepted";
  } catch (const UserError& e) {
    EXPECT_NE(std::string(e.what()).find("nested too deep"), std::string::npos) << e.what();
  }
}

void* greedy(void*) {
  for (int i = 0; i < 100; ++i) library<void*(std::size_t)>("malloc")(10 << 20);
  return nullptr;
}
void* greedy_parent(void*) {
  spawn(greedy);
  return nullptr;
}

TEST(Identity, ARoomThatIsUsedUpIsRefused) {
  World w([] {
    spawn(greedy_parent);
    return 0;
  });
  try {
    w.run_all();
    FAIL() << "accepted";
  } catch (const UserError& e) {
    EXPECT_NE(std::string(e.what()).find("needs more than 128 MiB"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace heddle::test
