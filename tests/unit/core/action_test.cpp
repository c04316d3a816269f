#include "core/action.hpp"

#include <gtest/gtest.h>

#include <bit>

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
  Conditions conditions;
  const auto holds = [&](Comparison how, uint64_t mask, uint64_t number, uint64_t read) {
    return conditions.of(how, mask, number)->holds(read);
  };
  EXPECT_TRUE(holds(Comparison::equal, 0xf0, 0x30, 0x1234));
  EXPECT_FALSE(holds(Comparison::equal, 0xf0, 0x30, 0x1224));
  EXPECT_TRUE(holds(Comparison::not_equal, 1, 0, 3));
  EXPECT_FALSE(holds(Comparison::not_equal, 1, 0, 2));
  EXPECT_TRUE(holds(Comparison::less, 0xff, 2, 0x101));
  EXPECT_FALSE(holds(Comparison::less, 0xff, 2, 2));
  EXPECT_TRUE(holds(Comparison::less_equal, 0xff, 2, 2));
  EXPECT_TRUE(holds(Comparison::greater, 0xff, 2, 0xff));
  EXPECT_TRUE(holds(Comparison::greater_equal, ~0ull, 2, 2));
  EXPECT_TRUE(holds(Comparison::signed_less, 0xff, 2, 0xff));
  EXPECT_FALSE(holds(Comparison::signed_less, 0xffff, 2, 0xff));
  EXPECT_TRUE(holds(Comparison::signed_less_equal, 0xff, 0xff, 0xfe));
  EXPECT_FALSE(holds(Comparison::signed_greater, 0xff, 2, 0xff));
  EXPECT_TRUE(holds(Comparison::signed_greater_equal, ~0ull, ~0ull, 0));
  EXPECT_FALSE(holds(Comparison::signed_less, 0, 0, 1));
}

TEST(Modes, AnRmwSplitsIntoReadAndWrite) {
  EXPECT_EQ(read_part(Mode::acqrel), Mode::acq);
  EXPECT_EQ(write_part(Mode::acqrel), Mode::rel);
  EXPECT_EQ(read_part(Mode::rel), Mode::rlx);
  EXPECT_EQ(write_part(Mode::acq), Mode::rlx);
  EXPECT_EQ(read_part(Mode::sc), Mode::sc);
  EXPECT_EQ(write_part(Mode::sc), Mode::sc);
}

TEST(Conditions, OneObjectForEachFunctionAndKnownValues) {
  Conditions conditions;
  const Condition* less = conditions.of(Comparison::less, 0xff, 2);
  EXPECT_EQ(conditions.of(Comparison::less, 0xff, 2), less);
  EXPECT_NE(conditions.of(Comparison::less, 0xff, 3), less);
  EXPECT_NE(conditions.of(Comparison::less_equal, 0xff, 2), less);
}

TEST(Conditions, ThoseOfAProgramHaveItsNumbers) {
  Conditions conditions;
  const Condition::Compiled functions[] = {
      {[](uint64_t read, const uint64_t*) { return read == 0; }, 0},
      {[](uint64_t read, const uint64_t* known) { return known[0] < read && read < known[1]; }, 2}};
  conditions.set_program(functions);
  ASSERT_EQ(conditions.functions(), kComparisons + 2);
  ASSERT_EQ(conditions.known(kComparisons + 1), 2u);
  EXPECT_TRUE(conditions.of(kComparisons, {})->holds(0));
  const uint64_t known[] = {3, 7};
  Action a;
  a.kind = ActionKind::load;
  a.await = Await::holds;
  a.condition = conditions.of(kComparisons + 1, known);
  EXPECT_TRUE(satisfied(a, v(4)));
  EXPECT_FALSE(satisfied(a, v(7)));
}

}  // namespace
}  // namespace heddle
