#include "native/epoch.hpp"

#include <gtest/gtest.h>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

TEST(Epoch, HasThreadAndClockHoweverLong) {
  World w([] { return 0; });
  std::vector<uint32_t> seen;
  for (const uint32_t clock : {1u, 0xfffeu, 0xffffu, 0x10000u, 0x10001u, 0x1ffffu, 0x20000u, kMaxClock}) {
    for (const auto t : {ThreadId(0), ThreadId(1), ThreadId(2047)}) {
      const uint32_t e = epoch::make(t, clock);
      EXPECT_EQ(e >> epoch::kBits, 0u);
      EXPECT_EQ(epoch::thread_of(e), index(t));
      EXPECT_EQ(epoch::clock_of(e), clock);
      EXPECT_EQ(epoch::make(t, clock), e);
      seen.push_back(e);
    }
  }
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::unique(seen).begin(), seen.end());
}

}  // namespace
}  // namespace heddle::test
