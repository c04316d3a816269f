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

}  // namespace
}  // namespace heddle
