#include "core/ranges.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace heddle {
namespace {

TEST(Ranges, WhatMeetsBecomesOne) {
  Ranges ranges;
  EXPECT_TRUE(ranges.add({10, 5}));
  EXPECT_TRUE(ranges.add({20, 5}));
  EXPECT_EQ(ranges.all().size(), 2u);
  EXPECT_TRUE(ranges.add({15, 5}));
  ASSERT_EQ(ranges.all().size(), 1u);
  EXPECT_EQ(ranges.all().front(), (AddressRange{10, 15}));
}

TEST(Ranges, WhatIsThereIsNoChange) {
  Ranges ranges;
  ranges.add({10, 5});
  const uint64_t before = ranges.changes();
  EXPECT_FALSE(ranges.add({11, 2}));
  EXPECT_EQ(ranges.changes(), before);
  EXPECT_TRUE(ranges.add({11, 5}));
  EXPECT_NE(ranges.changes(), before);
}

TEST(Ranges, AreTheSetOfTheirAddresses) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Ranges ranges;
    std::set<Address> all;
    for (int i = 0; i < 12; ++i) {
      const AddressRange r{random() % 60, 1 + random() % 8};
      const std::size_t before = all.size();
      for (Address a = r.start; a < r.end(); ++a) all.insert(a);
      ASSERT_EQ(ranges.add(r), all.size() != before);
    }
    for (Address a = 0; a < 70; ++a) ASSERT_EQ(ranges.meets({a, 1}), all.contains(a));
    for (std::size_t i = 1; i < ranges.all().size(); ++i) ASSERT_LT(ranges.all()[i - 1].end(), ranges.all()[i].start);
  }
}

}  // namespace
}  // namespace heddle
