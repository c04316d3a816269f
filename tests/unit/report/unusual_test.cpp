#include "report/unusual.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Notes = std::vector<std::string>;

Result with(Unusual unusual, uint64_t executions = 2) {
  Result r;
  r.executions = executions;
  r.unusual = std::move(unusual);
  return r;
}

TEST(Unusual, NothingToSay) {
  EXPECT_EQ(notes({}, {}), Notes{});
  EXPECT_EQ(notes(with({.threads = 2}), {}), Notes{});
}

TEST(Unusual, OneExecution) {
  EXPECT_EQ(notes(with({}, 1), {}),
            Notes{"the program starts no threads, so that there is only one execution; did you mean to start some?"});
  EXPECT_EQ(
      notes(with({.threads = 2}, 1), {}),
      Notes{"there is only one execution, although the program starts 2 threads: no order of what they do makes a "
            "difference"});
  Result cut = with({.threads = 2}, 1);
  cut.verdict = Verdict::incomplete;
  EXPECT_EQ(notes(cut, {}), Notes{});
}

TEST(Unusual, ThreadsAndMemory) {
  EXPECT_EQ(notes(with({.threads = 1, .unjoined = {"T1 (run)"}}), {}),
            Notes{"T1 (run) is neither joined nor detached"});
  EXPECT_EQ(notes(with({.threads = 2, .unjoined = {"T1", "T2"}}), {}), Notes{"T1, T2 are neither joined nor detached"});
  EXPECT_EQ(notes(with({.threads = 4, .unjoined = {"T1", "T2", "T3", "T4"}}), {}),
            Notes{"4 threads, such as T1, are neither joined nor detached"});
  EXPECT_EQ(notes(with({.threads = 1, .leaked_blocks = 1, .leaked_bytes = 8}), {}),
            Notes{"memory that is allocated is not freed at the end (8 bytes)"});
}

TEST(Unusual, AnErrorMattersMore) {
  Result r = with({.threads = 1, .unjoined = {"T1"}});
  r.verdict = Verdict::error;
  EXPECT_EQ(notes(r, {}), Notes{});
}

}  // namespace
}  // namespace heddle
