#include "graph/locations.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Locations, NamesAreDenseAndStable) {
  Locations locations;
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned n = 0; n < 5000; ++n) {
      const Address a = 0x200000000000 + 8ull * n * n;
      ASSERT_EQ(index(locations(a)), n);
      ASSERT_EQ(locations.address(LocId(n)), a);
    }
  }
  EXPECT_EQ(locations.size(), 5000u);
}

}  // namespace
}  // namespace heddle
