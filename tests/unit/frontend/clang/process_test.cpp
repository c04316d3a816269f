// Programs that heddle runs, and what it takes from them.
#include "frontend/clang/process.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace heddle::frontend {
namespace {

TEST(Process, BothStreamsAndTheStatus) {
  const ProcessResult result = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
}

// More than a pipe holds, on both at once: neither may wait for the other to be read.
TEST(Process, MuchText) {
  const ProcessResult result =
      run_process({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 500000 /dev/zero; head -c 300000 /dev/zero >&2"});
  EXPECT_EQ(result.out.size(), 500'000u);
  EXPECT_EQ(result.err.size(), 600'000u);
}

TEST(Process, TheFolderAndTheInput) { EXPECT_EQ(run_process({"sh", "-c", "pwd; cat"}, "/").out, "/\n"); }

TEST(Process, ASignal) { EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"}).status, 128 + 9); }

TEST(Process, NoSuchProgram) {
  const ProcessResult result = run_process({"heddle-has-no-such-program"});
  EXPECT_FALSE(result.started);
  EXPECT_EQ(result.error, ENOENT);
}

}  // namespace
}  // namespace heddle::frontend
