// Executions that are saved and run again.
#include "explore/saved.hpp"

#include <gtest/gtest.h>

#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"

namespace heddle {
namespace {

constexpr const char* kFailing = "|| x = 1 rlx; r0 = y rlx; assert r0 != 0 || y = 1 rlx; r0 = add x 1 rlx; y = r0 rlx";

struct Found {
  Result result;
  std::string bytes;
};

Found found_by(Algorithm algorithm, ModelKind model) {
  ScriptMachine machine(parse_script(kFailing));
  Result result = explore(machine, {.algorithm = algorithm, .model = model});
  std::string bytes = save_execution(result, machine);
  return {std::move(result), std::move(bytes)};
}

TEST(SavedExecutions, AreTheSameAgain) {
  for (const Algorithm a : kAlgorithms) {
    const ModelKind model = a == Algorithm::spore || a == Algorithm::rcmc ? ModelKind::rc11 : ModelKind::sc;
    const Found found = found_by(a, model);
    ScriptMachine machine(parse_script(kFailing));
    const Result again = replay_execution(found.bytes, machine);
    ASSERT_EQ(again.findings.size(), 1u);
    const Finding& before = found.result.findings[0];
    const Finding& now = again.findings[0];
    EXPECT_EQ(again.executions, found.result.executions);
    EXPECT_EQ(now.error.message, before.error.message);
    EXPECT_EQ(now.error.thread, before.error.thread);
    ASSERT_EQ(now.trace.steps.size(), before.trace.steps.size());
    for (std::size_t i = 0; i < now.trace.steps.size(); ++i) {
      EXPECT_EQ(now.trace.steps[i].thread, before.trace.steps[i].thread) << i;
      EXPECT_EQ(now.trace.steps[i].read, before.trace.steps[i].read) << i;
      EXPECT_EQ(now.trace.steps[i].written, before.trace.steps[i].written) << i;
      EXPECT_EQ(now.trace.steps[i].hb, before.trace.steps[i].hb) << i;
    }
  }
}

TEST(SavedExecutions, AreRefusedByAnotherProgram) {
  const Found found = found_by(Algorithm::spore, ModelKind::rc11);
  for (const char* other : {"|| y = 1 rlx; r0 = y rlx; assert r0 != 0 || y = 1 rlx; r0 = add x 1 rlx; y = r0 rlx",
                            "|| x = 1 rlx || y = 1 rlx", "|| x = 1 rlx; r0 = y rlx || y = 1 rlx; r0 = add x 1 rlx"}) {
    ScriptMachine machine(parse_script(other));
    EXPECT_THROW(replay_execution(found.bytes, machine), UserError) << other;
  }
}

TEST(SavedExecutions, AreReadWithCare) {
  const Found found = found_by(Algorithm::spore, ModelKind::rc11);
  const auto try_bytes = [](const std::string& bytes) {
    ScriptMachine machine(parse_script(kFailing));
    try {
      replay_execution(bytes, machine);
    } catch (const std::runtime_error&) {  // UserError, too
    }
  };
  for (std::size_t n = 0; n < found.bytes.size(); ++n) try_bytes(found.bytes.substr(0, n));
  for (std::size_t n = 0; n < 8 * found.bytes.size(); ++n) {
    std::string damaged = found.bytes;
    damaged[n / 8] ^= static_cast<char>(1u << n % 8);
    try_bytes(damaged);
  }
}

}  // namespace
}  // namespace heddle
