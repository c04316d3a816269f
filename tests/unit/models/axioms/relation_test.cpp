// Each operator against its definition, element by element, on random relations smaller and larger than a machine word.
#include "models/axioms/relation.hpp"

#include <gtest/gtest.h>

#include <random>

namespace heddle::axioms {
namespace {

class RelationTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t n() const { return GetParam(); }

  Relation random_relation(unsigned one_in) {
    Relation r(n());
    for (std::size_t a = 0; a < n(); ++a) {
      for (std::size_t b = 0; b < n(); ++b) {
        if (random_() % one_in == 0) r.add(a, b);
      }
    }
    return r;
  }
  Set random_set() {
    Set s(n());
    for (std::size_t a = 0; a < n(); ++a) {
      if (random_() % 2 == 0) s.add(a);
    }
    return s;
  }
  template <typename Definition>
  void expect_is(const Relation& r, Definition definition) {
    for (std::size_t a = 0; a < n(); ++a) {
      for (std::size_t b = 0; b < n(); ++b) ASSERT_EQ(r(a, b), definition(a, b)) << a << ", " << b;
    }
  }
  // Whether b can be reached from a by one or more steps.
  bool reaches(const Relation& r, std::size_t a, std::size_t b) {
    std::vector<bool> seen(n());
    std::vector<std::size_t> todo = {a};
    while (!todo.empty()) {
      const std::size_t x = todo.back();
      todo.pop_back();
      for (std::size_t y = 0; y < n(); ++y) {
        if (!r(x, y) || seen[y]) continue;
        seen[y] = true;
        todo.push_back(y);
      }
    }
    return seen[b];
  }

  std::mt19937 random_{42};
};

TEST_P(RelationTest, SetOperators) {
  const Relation r = random_relation(3);
  const Relation s = random_relation(3);
  expect_is(r | s, [&](auto a, auto b) { return r(a, b) || s(a, b); });
  expect_is(r & s, [&](auto a, auto b) { return r(a, b) && s(a, b); });
  expect_is(r - s, [&](auto a, auto b) { return r(a, b) && !s(a, b); });
  expect_is(inverse(r), [&](auto a, auto b) { return r(b, a); });
  expect_is(opt(r), [&](auto a, auto b) { return a == b || r(a, b); });
  const Set x = random_set();
  const Set y = random_set();
  expect_is(identity(x | y), [&](auto a, auto b) { return a == b && (x[a] || y[a]); });
  expect_is(seq(x, y), [&](auto a, auto b) { return a == b && x[a] && y[a]; });
}

TEST_P(RelationTest, Composition) {
  const Relation r = random_relation(n() + 1);
  const Relation s = random_relation(n() + 1);
  const Set x = random_set();
  const Set y = random_set();
  expect_is(seq(r, s), [&](auto a, auto b) {
    for (std::size_t c = 0; c < n(); ++c) {
      if (r(a, c) && s(c, b)) return true;
    }
    return false;
  });
  expect_is(seq(x, r, y), [&](auto a, auto b) { return x[a] && r(a, b) && y[b]; });
  expect_is(seq(r, x, s), [&](auto a, auto b) {
    for (std::size_t c = 0; c < n(); ++c) {
      if (r(a, c) && x[c] && s(c, b)) return true;
    }
    return false;
  });
}

TEST_P(RelationTest, Closures) {
  const Relation r = random_relation(n() + 1);
  expect_is(plus(r), [&](auto a, auto b) { return reaches(r, a, b); });
  expect_is(star(r), [&](auto a, auto b) { return a == b || reaches(r, a, b); });
}

TEST_P(RelationTest, Predicates) {
  Relation r(n());
  EXPECT_TRUE(empty(r));
  for (std::size_t a = 0; a + 1 < n(); ++a) r.add(a, a + 1);
  EXPECT_EQ(empty(r), n() == 1);
  EXPECT_TRUE(acyclic(r));
  r.add(n() - 1, 0);
  EXPECT_FALSE(acyclic(r));
  EXPECT_EQ(irreflexive(r), n() > 1);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RelationTest, testing::Values(1, 2, 7, 63, 64, 65, 130));

}  // namespace
}  // namespace heddle::axioms
