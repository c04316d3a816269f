#include "report/values.hpp"

#include <gtest/gtest.h>

#include "unit/report/samples.hpp"

namespace heddle {
namespace {

TEST(Values, SmallOnesAreSigned) {
  const Values values{Trace{}};
  EXPECT_EQ(values.show({42, 0}, 4), "42");
  EXPECT_EQ(values.show({0xffffffff, 0}, 4), "-1");
  EXPECT_EQ(values.show({0xff, 0}, 1), "-1");
  EXPECT_EQ(values.show({0xffffffff, 0}, 8), "4294967295");
  EXPECT_EQ(values.show({~0ull, 0}, 8), "-1");
}

TEST(Values, OfAKnownType) {
  using Kind = ValueType::Kind;
  const Values values{Trace{}};
  const auto shown = [&](uint64_t bits, uint8_t size, ValueType type) { return values.show({bits, 0}, size, type); };
  EXPECT_EQ(shown(4000000000, 4, {Kind::integer, true}), "4000000000");
  EXPECT_EQ(shown(5000000000, 8, {Kind::integer, true}), "5000000000");
  EXPECT_EQ(shown(~0ull, 8, {Kind::integer, true}), "0xffffffffffffffff");
  EXPECT_EQ(shown(0xfffffff9, 4, {Kind::integer}), "-7");
  EXPECT_EQ(shown(static_cast<uint64_t>(-5000000000), 8, {Kind::integer}), "-5000000000");
  EXPECT_EQ(shown(0x40490fdb, 4, {Kind::floating}), "3.1415927");
  EXPECT_EQ(shown(0xc002000000000000, 8, {Kind::floating}), "-2.25");
  EXPECT_EQ(shown(0x4008000000000000, 8, {Kind::floating}), "3.0");
  EXPECT_EQ(shown(1, 1, {Kind::boolean}), "true");
  EXPECT_EQ(shown(0, 1, {Kind::boolean}), "false");
  EXPECT_EQ(shown(2, 1, {Kind::boolean}), "2");
  EXPECT_EQ(shown('z', 1, {Kind::character}), "'z'");
  EXPECT_EQ(shown('\n', 1, {Kind::character}), "10");
  const ValueType color{Kind::enumeration, false, {{0, "red"}, {-1, "none"}}};
  EXPECT_EQ(shown(0, 4, color), "red");
  EXPECT_EQ(shown(0xffffffff, 4, color), "none");
  EXPECT_EQ(shown(3, 4, color), "3");
  const ValueType byte{Kind::enumeration, true, {{200, "most"}}};
  EXPECT_EQ(shown(200, 1, byte), "most");
  EXPECT_EQ(shown(201, 1, byte), "201");
}

TEST(Values, LargeOnesAreHexadecimal) {
  const Values values{Trace{}};
  EXPECT_EQ(values.show({0x200000000010, 0}, 8), "0x200000000010");
  EXPECT_EQ(values.show({1, 2}, 16), "0x2:0000000000000001");
  EXPECT_EQ(values.show({5, 0}, 16), "5");
}

TEST(Values, PointersToWhatTheTraceAccessesAreNamed) {
  Trace trace;
  trace.steps.push_back(samples::read(kMain, "flag", samples::kFlag, 0, Mode::rlx, kNoSite));
  EXPECT_EQ(Values(trace).show({samples::kFlag, 0}, 8), "&flag");
}

TEST(Values, OtherPointersAreNumbered) {
  Trace trace;
  trace.steps.push_back(samples::read(kMain, "head", 0x10, 0x200080000050, Mode::rlx, kNoSite));
  trace.steps.push_back(samples::write(kMain, "head", 0x10, 0x200080000090, Mode::rlx, kNoSite));
  for (TraceStep& step : trace.steps) step.action.size = 8;
  const Values values(trace);
  EXPECT_EQ(values.show({0x200080000050, 0}, 8), "ptr1");
  EXPECT_EQ(values.show({0x200080000090, 0}, 8), "ptr2");
}

// A large number is no pointer.
TEST(Values, NumbersAreNotTakenForPointers) {
  Trace trace;
  trace.steps.push_back(samples::write(kMain, "count", 0x10, 0x200080000050, Mode::rlx, kNoSite));
  trace.steps[0].action.size = 8;
  trace.steps[0].type = {ValueType::Kind::integer, true};
  EXPECT_EQ(Values(trace).show({0x200080000050, 0}, 8, trace.steps[0].type), "35186519572560");
}

}  // namespace
}  // namespace heddle
