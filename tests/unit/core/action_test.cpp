#include "core/action.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "core/conditions.hpp"

namespace heddle {
namespace {

Value v(uint64_t lo, uint64_t hi = 0) { return {lo, hi}; }

TEST(Apply, WrapsAtTheSizeOfTheLocation) {
  EXPECT_EQ(apply(RmwOp::add, v(0xff), v(1), 1), v(0));
  EXPECT_EQ(apply(RmwOp::add, v(0xff), v(1), 2), v(0x100));
  EXPECT_EQ(apply(RmwOp::sub, v(0), v(1), 4), v(0xffffffff));
  EXPECT_EQ(apply(RmwOp::add, v(~0ull), v(1), 16), v(0, 1)) << "the carry goes into the high half";
  EXPECT_EQ(apply(RmwOp::sub, v(0, 1), v(1), 16), v(~0ull, 0));
}

TEST(Apply, BitOperations) {
  EXPECT_EQ(apply(RmwOp::band, v(0b1100), v(0b1010), 1), v(0b1000));
  EXPECT_EQ(apply(RmwOp::bor, v(0b1100), v(0b1010), 1), v(0b1110));
  EXPECT_EQ(apply(RmwOp::bxor, v(0b1100), v(0b1010), 1), v(0b0110));
  EXPECT_EQ(apply(RmwOp::nand, v(0b1100), v(0b1010), 1), v(0xf7));
  EXPECT_EQ(apply(RmwOp::xchg, v(1), v(2), 8), v(2));
}

TEST(Apply, MinAndMaxKnowTheSign) {
  EXPECT_EQ(apply(RmwOp::smax, v(0xff), v(1), 1), v(1)) << "0xff is -1";
  EXPECT_EQ(apply(RmwOp::umax, v(0xff), v(1), 1), v(0xff));
  EXPECT_EQ(apply(RmwOp::smin, v(0xffffffff), v(1), 4), v(0xffffffff));
  EXPECT_EQ(apply(RmwOp::umin, v(0xffffffff), v(1), 4), v(1));
  EXPECT_EQ(apply(RmwOp::smin, v(0, 1ull << 63), v(0), 16), v(0, 1ull << 63));
}

TEST(Apply, WrappingAndSaturatingCounters) {
  EXPECT_EQ(apply(RmwOp::uinc_wrap, v(4), v(5), 4), v(5));
  EXPECT_EQ(apply(RmwOp::uinc_wrap, v(5), v(5), 4), v(0));
  EXPECT_EQ(apply(RmwOp::udec_wrap, v(0), v(5), 4), v(5));
  EXPECT_EQ(apply(RmwOp::udec_wrap, v(9), v(5), 4), v(5));
  EXPECT_EQ(apply(RmwOp::udec_wrap, v(3), v(5), 4), v(2));
  EXPECT_EQ(apply(RmwOp::usub_cond, v(3), v(5), 4), v(3));
  EXPECT_EQ(apply(RmwOp::usub_sat, v(3), v(5), 4), v(0));
}

TEST(Apply, Floats) {
  const auto f = [](float x) { return v(std::bit_cast<uint32_t>(x)); };
  const auto d = [](double x) { return v(std::bit_cast<uint64_t>(x)); };
  EXPECT_EQ(apply(RmwOp::fadd, f(1.5f), f(2), 4), f(3.5f));
  EXPECT_EQ(apply(RmwOp::fsub, d(1.5), d(2), 8), d(-0.5));
  EXPECT_EQ(apply(RmwOp::fmax, d(1.5), d(2), 8), d(2));
  EXPECT_EQ(apply(RmwOp::fmin, d(1.5), d(2), 8), d(1.5));
}

TEST(Satisfied, OnlyAwaitsWait) {
  Action a;
  a.kind = ActionKind::load;
  a.expected = v(1);
  EXPECT_TRUE(satisfied(a, v(0)));
  a.await = Await::equal;
  EXPECT_FALSE(satisfied(a, v(0)));
  EXPECT_TRUE(satisfied(a, v(1)));
  a.await = Await::not_equal;
  EXPECT_TRUE(satisfied(a, v(0)));
  EXPECT_FALSE(satisfied(a, v(1)));
}

TEST(Satisfied, APartOfAValueIsComparedAsANumber) {
  const auto holds = [](Await await, uint64_t mask, uint64_t expected, uint64_t read) {
    return satisfied(await, {expected, mask}, v(read));
  };
  EXPECT_TRUE(holds(Await::part_equal, 0xf0, 0x30, 0x1234));
  EXPECT_FALSE(holds(Await::part_equal, 0xf0, 0x30, 0x1224));
  EXPECT_TRUE(holds(Await::part_not_equal, 1, 0, 3));
  EXPECT_FALSE(holds(Await::part_not_equal, 1, 0, 2));
  EXPECT_TRUE(holds(Await::less, 0xff, 2, 0x101));
  EXPECT_FALSE(holds(Await::less, 0xff, 2, 2));
  EXPECT_TRUE(holds(Await::less_equal, 0xff, 2, 2));
  EXPECT_TRUE(holds(Await::greater, 0xff, 2, 0xff));
  EXPECT_TRUE(holds(Await::greater_equal, ~0ull, 2, 2));
  EXPECT_TRUE(holds(Await::signed_less, 0xff, 2, 0xff));
  EXPECT_FALSE(holds(Await::signed_less, 0xffff, 2, 0xff));
  EXPECT_TRUE(holds(Await::signed_less_equal, 0xff, 0xff, 0xfe));
  EXPECT_FALSE(holds(Await::signed_greater, 0xff, 2, 0xff));
  EXPECT_TRUE(holds(Await::signed_greater_equal, ~0ull, ~0ull, 0));
  EXPECT_FALSE(holds(Await::signed_less, 0, 0, 1));
}

TEST(Modes, AnRmwSplitsIntoReadAndWrite) {
  EXPECT_EQ(read_part(Mode::acqrel), Mode::acq);
  EXPECT_EQ(write_part(Mode::acqrel), Mode::rel);
  EXPECT_EQ(read_part(Mode::rel), Mode::rlx);
  EXPECT_EQ(write_part(Mode::acq), Mode::rlx);
  EXPECT_EQ(read_part(Mode::sc), Mode::sc);
  EXPECT_EQ(write_part(Mode::sc), Mode::sc);
}

TEST(Satisfied, OneOfASet) {
  const auto even = [](int64_t n) { return n % 2 == 0; };
  for (const uint8_t size : {1, 2, 4, 8}) {
    const Value set = number_set(size, even);
    const uint64_t bits = ~0ull >> (64 - 8 * size);
    const auto has = [&](int64_t n) { return satisfied(Await::one_of, set, v(static_cast<uint64_t>(n) & bits)); };
    for (int64_t n = kSetFirst; n <= kSetLast; ++n) EXPECT_EQ(has(n), even(n)) << n;
    for (const int64_t n : {64, 100, 127}) EXPECT_FALSE(has(n)) << "as 63";
    for (const int64_t n : {-63, -100, -128}) EXPECT_TRUE(has(n)) << "as -62";
  }
}

TEST(Satisfied, APairOfComparisons) {
  const int64_t numbers[] = {-1000000, -3, -2, -1, 0, 1, 2, 3, 4, 5, 1000, 1000000};
  for (const uint8_t size : {4, 8}) {
    const uint64_t bits = ~0ull >> (64 - 8 * size);
    for (uint8_t table = 0; table < 16; ++table) {
      Comparisons c{.size = size, .first = Await::signed_less, .second = Await::part_equal};
      c.table = table;
      c.mask = 6;
      c.small = 2;
      const auto masked = pair_code(c);
      c.mask = ~0ull;
      c.small = -3;
      c.second = Await::signed_greater;
      const auto whole = pair_code(c);
      ASSERT_TRUE(masked && whole);
      for (const int64_t n : numbers) {
        const auto row = [&](bool second) { return (table >> ((n < 4 ? 1 : 0) + (second ? 2 : 0)) & 1) != 0; };
        const Value read = v(static_cast<uint64_t>(n) & bits);
        EXPECT_EQ(satisfied(Await::pair, v(4, *masked), read), row((n & 6) == 2)) << n << ", " << int(table);
        EXPECT_EQ(satisfied(Await::pair, v(4, *whole), read), row(n > -3)) << n << ", " << int(table);
      }
    }
  }
  EXPECT_FALSE(pair_code({.size = 4, .mask = 1 << 24})) << "there is no room for it";
  EXPECT_FALSE(pair_code({.size = 4, .mask = ~0ull, .small = 1 << 24}));
  EXPECT_FALSE(pair_code({.size = 4, .mask = ~0ull, .small = -(1 << 24) - 1}));
}

TEST(Satisfied, ADistance) {
  for (const uint8_t size : {1, 2, 4, 8}) {
    const uint64_t bits = ~0ull >> (64 - 8 * size);
    for (const uint64_t from : {bits, bits - 1, uint64_t{0}, uint64_t{1}, uint64_t{100}}) {
      for (uint64_t n = 0; n < 6; ++n) {
        const auto satisfied_if = [&](bool is_less) {
          return satisfied(Await::distance, v(from, distance_code(size, is_less) | 3), v((from + n) & bits));
        };
        EXPECT_EQ(satisfied_if(true), n < 3) << from << ", " << n;
        EXPECT_EQ(satisfied_if(false), n >= 3) << from << ", " << n;
      }
    }
  }
}

TEST(Satisfied, RelationsToThreeNumbers) {
  const int64_t numbers[] = {INT32_MIN, -1000, -3, -1, 0, 1, 2, 5, 100, INT32_MAX};
  const auto relation = [](auto a, auto b) { return a < b ? 0 : a == b ? 1 : 2; };
  for (const uint8_t size : {1, 2, 4, 8}) {
    const unsigned unused = 64 - 8 * size;
    const auto narrow = [&](int64_t n) { return static_cast<uint64_t>(n) << unused >> unused; };
    const auto as_signed = [&](int64_t n) {
      return static_cast<int64_t>(static_cast<uint64_t>(n) << unused) >> unused;
    };
    for (const auto [a, b, c] : {std::array{-3, 2, 100}, {5, 0, -1}, {1, 1, 2}}) {
      const auto half = [&](int64_t n) { return narrow(n) & UINT32_MAX; };
      for (const int64_t n : numbers) {
        for (int place = 0; place < 27; ++place) {
          const auto satisfied_if = [&](bool is_signed) {
            const uint64_t code = relations_code(size, is_signed, 1u << place);
            return satisfied(Await::relations, v(half(a) | half(b) << 32, half(c) | code), v(narrow(n)));
          };
          const auto place_of = [&](auto as) {
            return relation(as(n), as(a)) + 3 * relation(as(n), as(b)) + 9 * relation(as(n), as(c));
          };
          EXPECT_EQ(satisfied_if(true), place == place_of(as_signed)) << n << ", " << int(size);
          EXPECT_EQ(satisfied_if(false), place == place_of(narrow)) << n << ", " << int(size);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle
