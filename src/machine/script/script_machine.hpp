// The Machine over a script. Steps allocate nothing; a restart costs as much as main's first step.
#pragma once

#include <vector>

#include "core/assert.hpp"
#include "machine/machine.hpp"
#include "machine/script/script.hpp"

namespace heddle {

class ScriptMachine : public Machine {
 public:
  // Throws UserError for a script with a `problem`. With `symmetry` it tells which threads are twins.
  explicit ScriptMachine(Script script, bool symmetry = false);

  void restart() override;
  std::span<const ThreadId> threads() const override { return created_; }
  const Action& pending(ThreadId t) override { return states_[index(t)].pending; }
  const Action& perform(ThreadId t, Value result, Clock) override;
  void replay(ThreadId t, std::span<const Step> steps) override;
  bool knows_rest(ThreadId t, const FinalValue&) override;
  Value base(Address a, uint8_t) const override {
    HEDDLE_ASSERT(script_location(a) < script_.locations.size());
    return {script_.locations[script_location(a)].initial, 0};
  }
  Error error(ThreadId t) const override;
  std::string describe(Address a) const override;
  std::string name(ThreadId t) const override;
  ThreadId parent(ThreadId t) const override { return parents_[index(t)]; }
  ThreadPath path(ThreadId t) const override { return ThreadPath(index(t)); }  // a script numbers its threads itself
  ThreadId thread_at(ThreadPath p) override;
  std::string output() const override { return {}; }
  uint64_t rules() const override;
  void assume(const Assumptions& asked) override;
  Conditions& conditions() override { return conditions_; }
  bool looks() const override { return script_.rechecks; }

  const Script& script() const { return script_; }
  // The state of a created thread; its registers are part of a litmus test's outcome.
  const ScriptThread& state(ThreadId t) const { return states_[index(t)].thread; }

 private:
  struct State {
    ScriptThread thread;
    Action pending;
  };

  void create(ThreadId t);
  const Action& next(ThreadId t);

  Script script_;
  Conditions conditions_;
  bool symmetry_;
  std::vector<State> states_;
  std::vector<ThreadId> created_;
  std::vector<ThreadId> parents_;
};

}  // namespace heddle
