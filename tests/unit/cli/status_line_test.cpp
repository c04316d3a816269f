#include "cli/status_line.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

TEST(StatusLine, SaysWhatIsKnown) {
  EXPECT_EQ(status_text({.executions = 1, .seconds = 2}), "1 execution, 0/s, 2 s");
  EXPECT_EQ(status_text({.executions = 30'000, .blocked = 10'000, .depth = 3, .seconds = 4.2}),
            "30000 executions, 10000 blocked, 9524/s, 4 s, depth 3");
  EXPECT_EQ(status_text({.title = "Queue.Put", .executions = 5, .errors = 1, .seconds = 75}),
            "Queue.Put: 5 executions, 1 error, 0/s, 1:15 min");
  EXPECT_EQ(status_text({.executions = 100'000, .seconds = 7500, .expected = 4e6, .low = 2e6, .high = 8e6}),
            "100000 executions, 13/s, 2:05 h; about 4.0M in all (2.0M to 8.0M)");
}

TEST(StatusLine, AnEstimateThatIsTooLowIsNotShown) {
  EXPECT_EQ(status_text({.executions = 100, .seconds = 10, .expected = 50, .low = 40, .high = 60}),
            "100 executions, 10/s, 10 s");
}

TEST(StatusLine, OnlyOnATerminalUnlessAskedFor) {
  EXPECT_EQ(status_style(true), StatusStyle::lines);
  EXPECT_EQ(status_style(false), StatusStyle::none);
}

}  // namespace
}  // namespace heddle::cli
