// What a slice adds to the result, as a part that is added, subtracted and made a result again.
#include "explore/share/work_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "explore/share/queue_bytes.hpp"

namespace heddle {
namespace {

Result sample() {
  Result r;
  r.executions = 5;
  r.blocked = 2;
  r.events = 70;
  r.broken = {{.what = Assumption::twins, .why = "joined apart"},
              {.what = Assumption::rounds, .site = SiteId{9}, .ends = false}};
  r.limits = {{Limit::unroll, SiteId{4}}, {Limit::loop, SiteId{9}, 16}};
  r.followed = {{SiteId{3}, SiteId{4}}, {SiteId{9}, SiteId{12}}};
  r.notes = {"a note"};
  r.unusual = Unusual{.threads = 2, .unjoined = {"worker"}, .leaked_blocks = 1, .leaked_bytes = 8};
  return r;
}

TEST(WorkQueue, APartKeepsAllThatIsNoFinding) {
  QueueWriter out;
  out.part(part_of(sample()));
  const Result back = result_of(QueueReader(out.bytes()).part());
  EXPECT_EQ(back.executions, 5u);
  EXPECT_EQ(back.blocked, 2u);
  EXPECT_EQ(back.events, 70u);
  EXPECT_EQ(back.broken, sample().broken);
  ASSERT_EQ(back.limits.size(), 2u);
  EXPECT_EQ(back.limits[1].tried, 16u);
  EXPECT_EQ(back.followed, sample().followed);
  EXPECT_EQ(back.notes, sample().notes);
  ASSERT_TRUE(back.unusual);
  EXPECT_EQ(back.unusual->unjoined, sample().unusual->unjoined);
  EXPECT_EQ(back.verdict, Verdict::incomplete);
}

TEST(WorkQueue, WhatIsAddedCanBeTakenAway) {
  Result more = sample();
  more.executions = 100;
  more.broken.push_back({.what = Assumption::rounds, .site = SiteId{11}, .ends = false});
  const Part before = part_of(sample());
  const Part now = part_of(more);
  Part sum = before;
  add(sum, difference(now, before));
  const Result result = result_of(sum);
  EXPECT_EQ(result.executions, 100u);
  EXPECT_EQ(result.broken.size(), 3u);
  EXPECT_EQ(result.notes.size(), 1u) << "each once";
}

TEST(WorkQueue, ALoopIsFollowedForOneReason) {
  Result other;
  other.followed = {{SiteId{9}, SiteId{13}}, {SiteId{1}, SiteId{2}}};
  Part sum = part_of(sample());
  add(sum, part_of(other));
  const std::vector<FollowedLoop> all = {{SiteId{1}, SiteId{2}}, {SiteId{3}, SiteId{4}}, {SiteId{9}, SiteId{12}}};
  EXPECT_EQ(result_of(sum).followed, all);
}

TEST(WorkQueue, BundlesAreTheSameAfterwards) {
  const Bundle bundle = {"one", "", std::string("\0two", 4)};
  EXPECT_EQ(bundle_of(bytes_of(bundle)), bundle);
  EXPECT_THROW(bundle_of("\xff\xff"), std::runtime_error);
}

}  // namespace
}  // namespace heddle
