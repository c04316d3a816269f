// The examples of rvf-smc, and what the paper leaves open. That all values are covered in general is shown by
// heddle_fuzz --algorithm rvf.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "differential/values.hpp"
#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"
#include "unit/explore/scripts.hpp"

namespace heddle {
namespace {

Result by_values(const std::string& text, Request request = {}) {
  ScriptMachine machine(parse_script(text));
  request.algorithm = Algorithm::rvf;
  request.model = ModelKind::sc;
  request.races_ignore = true;
  return heddle::explore(machine, request);
}

struct ValueCount {
  std::string script;
  uint64_t executions;
};

TEST(Rvf, CountsClasses) {
  const ValueCount counts[] = {
      {"|| x = 1 sc; y = 1 sc || x = 1 sc; y = 1 sc; r0 = x sc || x = 1 sc; y = 1 sc; r0 = y sc", 1},  // Fig. 1
      {"|| x = 1 sc; r0 = x sc; y = 1 sc || x = 1 sc; y = 1 sc; r0 = y sc; x = 1 sc", 2},              // Fig. 6
      {threads(5, "x = 4 sc; r0 = x sc"), 1},
      {threads(5, "x = 1 sc; y = 2 sc") + "|| r0 = x sc; r1 = y sc", 4},
      // An await waits for a value: who writes it makes no difference.
      {threads(4, "x = 1 sc") + "|| r0 = x sc until == 1", 1},
      {"|| x = 1 sc; x = 0 sc || r0 = x sc until == 0", 1},
      // Choices.
      {"|| r0 = choose 3; x = r0 sc || r0 = choose 2", 6},
  };
  for (const auto& [script, executions] : counts) {
    const Result result = by_values(script);
    EXPECT_EQ(result.executions, executions) << script;
    EXPECT_TRUE(result.findings.empty()) << script;
    EXPECT_EQ(differential::rvf_disagreement(parse_script(script), 10'000), "") << script;
  }
}

bool finds(const std::string& text, std::initializer_list<ErrorKind> kinds) {
  const Result result = by_values(text);
  return std::ranges::any_of(result.findings,
                             [&](const Finding& f) { return std::ranges::find(kinds, f.error.kind) != kinds.end(); });
}

// In each order of the writes the await is satisfied for a while, but only in one for ever.
TEST(Rvf, FindsWhoWaitsForEver) {
  const auto stuck = {ErrorKind::deadlock, ErrorKind::livelock};
  EXPECT_TRUE(finds("|| x = 1 sc; x = 2 sc || r0 = x sc until == 1", stuck));
  EXPECT_FALSE(finds("|| x = 2 sc; x = 1 sc || r0 = x sc until == 1", stuck));
  EXPECT_TRUE(finds("|| x = 1 sc || x = 2 sc || r0 = x sc until == 1 || r0 = y sc; r1 = y sc", stuck));
  EXPECT_TRUE(finds("|| lock m; lock n; unlock n; unlock m || lock n; lock m; unlock m; unlock n", stuck));
  EXPECT_FALSE(finds("|| lock m; lock n; unlock n; unlock m || lock m; lock n; unlock n; unlock m", stuck));
}

TEST(Rvf, StopsAtTheLimit) {
  Request request;
  request.max_executions = 4;
  const std::string script = threads(3, "x = 1 sc; y = 2 sc") + "|| r0 = x sc; r1 = y sc";
  EXPECT_TRUE(by_values(script, request).limits.empty());
  request.max_executions = 3;
  EXPECT_FALSE(by_values(script, request).limits.empty());
}

TEST(Rvf, IsForScOnly) {
  ScriptMachine machine(parse_script("|| x = 1 sc"));
  Request request;
  request.algorithm = Algorithm::rvf;
  request.model = ModelKind::rc11;
  EXPECT_THROW(heddle::explore(machine, request), UserError);
}

}  // namespace
}  // namespace heddle
