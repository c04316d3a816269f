#include "cli/supervise.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

namespace heddle::cli {
namespace {

TEST(Supervise, PassesTheStatusOn) {
  EXPECT_EQ(supervise([] { return 0; }, {}), 0);
  EXPECT_EQ(supervise([] { return 3; }, {}), 3);
}

TEST(Supervise, ACrashIsAnInternalError) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(supervise(
                []() -> int {
                  raise(SIGSEGV);
                  return 0;
                },
                {}),
            kFailed);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("internal error"), std::string::npos);
}

TEST(Supervise, AnEarlyExitIsNotAVerdict) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(supervise([]() -> int { _exit(0); }, {}), kFailed);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("internal error"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cli
