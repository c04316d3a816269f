// The log of native/undo.hpp by itself. That machines use it well, scripts/same-replays shows.
#include "native/undo.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

class Undo : public testing::Test {
 protected:
  void SetUp() override {
    undo::begin();
    undo::clear();
    undo::state.allowed = true;
  }
  void TearDown() override { undo::clear(); }
};

TEST_F(Undo, PutsBackTheLatestFirst) {
  int n = 1;
  undo::mark(3);
  undo::keep(n);
  n = 2;
  undo::mark(5);
  undo::keep(n);
  n = 3;
  undo::keep(n);
  n = 4;
  EXPECT_EQ(undo::back(9), 5);
  EXPECT_EQ(n, 2);
  EXPECT_EQ(undo::back(9), 3);
  EXPECT_EQ(n, 1);
  EXPECT_EQ(undo::back(9), -1);
}

TEST_F(Undo, GoesBackToTheLatestMarkThatIsEarlyEnough) {
  int n = 0;
  for (uint32_t step = 0; step < 10; step += 2) {
    undo::mark(step);
    undo::keep(n);
    ++n;
  }
  EXPECT_EQ(undo::back(5), 4);
  EXPECT_EQ(n, 2);
}

TEST_F(Undo, NothingIsKeptWithoutAMark) {
  int n = 1;
  undo::keep(n);
  n = 2;
  EXPECT_EQ(undo::back(9), -1);
  EXPECT_EQ(n, 2);
}

TEST_F(Undo, WhatCannotBeKeptMakesMarksUseless) {
  int n = 1;
  undo::mark(0);
  undo::keep(n);
  n = 2;
  undo::forget();
  EXPECT_FALSE(undo::state.on);
  undo::mark(1);
  undo::keep(n);
  n = 3;
  EXPECT_EQ(undo::back(0), -1);
  EXPECT_EQ(n, 3);
}

TEST_F(Undo, ListsGrowShrinkAndMove) {
  HostVector<int> whole{1, 2, 3};
  HostVector<int> longer{1};
  HostVector<int> one{7, 8};
  undo::mark(0);
  undo::keep_list(whole);
  whole = {9};
  undo::keep_size(longer);
  for (int i = 0; i < 1000; ++i) longer.push_back(i);
  undo::keep_element(one, 1);
  one[1] = 5;
  one.reserve(1000);
  EXPECT_EQ(undo::back(0), 0);
  EXPECT_EQ(whole, (HostVector<int>{1, 2, 3}));
  EXPECT_EQ(longer, HostVector<int>{1});
  EXPECT_EQ(one, (HostVector<int>{7, 8}));
}

TEST_F(Undo, CellsAndBytes) {
  undo::Word cells[4] = {6, 6, 6, 1};
  char bytes[5] = {'a', 'b', 'c', 'd', 'e'};
  undo::mark(0);
  undo::keep_cells(cells, 3, 6);
  cells[0] = cells[1] = cells[2] = 0;
  undo::keep_bytes(bytes, 3);
  bytes[0] = bytes[2] = bytes[4] = 'x';
  EXPECT_EQ(undo::back(0), 0);
  EXPECT_TRUE(cells[0] == 6 && cells[1] == 6 && cells[2] == 6 && cells[3] == 1);
  EXPECT_EQ(std::string_view(bytes, 5), "abcdx");
}

TEST_F(Undo, TheLogIsBounded) {
  HostVector<char> large(1 << 20);
  undo::mark(0);
  for (int i = 0; i < 100; ++i) undo::keep_bytes(large.data(), large.size());
  EXPECT_FALSE(undo::state.on);
  EXPECT_EQ(undo::back(0), -1);
}

}  // namespace
}  // namespace heddle
