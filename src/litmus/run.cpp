#include "litmus/run.hpp"

#include <set>
#include <stdexcept>

#include "core/steady_clock.hpp"
#include "explore/judge/races.hpp"
#include "machine/script/script_machine.hpp"

namespace heddle::litmus {
namespace {

bool has_race(const Graph& g) {
  for (std::size_t e = 0; e < g.size(); ++e) {
    if (find_race(g, EventId(e), nullptr)) return true;
  }
  return false;
}

class Counter : public Observer {
 public:
  Counter(const Litmus& litmus, Outcome& outcome)
      : litmus_(litmus), outcome_(outcome), threads_(litmus.script.threads.size()) {}

  void execution(const Graph& g, Machine& machine, bool complete) override {
    if (!complete) throw std::logic_error("a litmus test cannot block");
    for (const ThreadId t : machine.threads()) threads_[index(t)] = static_cast<ScriptMachine&>(machine).state(t);
    std::vector<int64_t> state = values(litmus_, threads_);
    ++(holds(litmus_, state) ? outcome_.satisfying : outcome_.others);
    states_.insert(std::move(state));
    if (!outcome_.race) outcome_.race = has_race(g);
  }

  std::vector<std::vector<int64_t>> states() const { return {states_.begin(), states_.end()}; }

 private:
  const Litmus& litmus_;
  Outcome& outcome_;
  std::vector<ScriptThread> threads_;
  std::set<std::vector<int64_t>> states_;
};

// The only error that a translated test can run into.
[[noreturn]] void fail_of_division(const Litmus& litmus, const Error& error) {
  for (std::size_t t = 0; error.kind == ErrorKind::assertion && t < litmus.places.size(); ++t) {
    for (std::size_t pc = 0; pc < litmus.places[t].size(); ++pc) {
      if (script_site(litmus.script, ThreadId(t), static_cast<uint32_t>(pc)) != error.site) continue;
      fail(litmus.file, litmus.places[t][pc], "division by zero in an execution; test the divisor with if");
    }
  }
  throw std::logic_error("an error that a litmus test cannot have: " + error.message);
}

}  // namespace

Outcome run(const Litmus& litmus, ModelKind model, Algorithm algorithm) {
  const auto start = SteadyClock::now();
  Outcome outcome;
  Counter counter(litmus, outcome);
  ScriptMachine machine(litmus.script);
  Request request;
  request.algorithm = algorithm;
  request.model = model;
  request.races_ignore = true;
  request.rcmc.count_duplicates = algorithm == Algorithm::rcmc;
  request.observer = &counter;
  const Result result = explore(machine, request);
  if (!result.findings.empty()) fail_of_division(litmus, result.findings[0].error);
  const uint64_t seen = outcome.satisfying + outcome.others;
  if (result.verdict != Verdict::verified || result.executions != seen || seen == 0) {
    throw std::logic_error("the exploration of a litmus test is not complete");
  }
  outcome.states = counter.states();
  outcome.seconds = seconds_since(start);
  return outcome;
}

bool ok(const Litmus& litmus, const Outcome& outcome) {
  switch (litmus.quantifier) {
    case Quantifier::exists: return outcome.satisfying > 0;
    case Quantifier::not_exists: return outcome.satisfying == 0;
    case Quantifier::forall: return outcome.others == 0;
  }
  __builtin_unreachable();
}

}  // namespace heddle::litmus
