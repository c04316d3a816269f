#include "differential/collect.hpp"

#include <stdexcept>

#include "explore/judge/literal.hpp"
#include "machine/script/script_machine.hpp"

namespace heddle::differential {
namespace {

class Collector : public Observer {
 public:
  Collector(const Script& script, bool with_co, Explored& explored, const OnFull& on_full, const OnAgain& on_again)
      : script_(script), with_co_(with_co), explored_(explored), on_full_(on_full), on_again_(on_again) {}

  void execution(const Graph& g, Machine& machine, bool complete) override {
    const axioms::Execution x = to_execution(g, script_);
    ++(complete ? explored_.complete : explored_.blocked)[axioms::canonical(x, with_co_)];
    if (!on_full_) return;
    std::vector<ScriptThread> threads(script_.threads.size());
    for (const ThreadId t : machine.threads()) threads[index(t)] = static_cast<ScriptMachine&>(machine).state(t);
    on_full_({x, threads, complete ? Ending::complete : Ending::blocked, false});
  }
  void start_again() override {
    explored_.complete.clear();
    explored_.blocked.clear();
    if (on_again_) on_again_();
  }

 private:
  const Script& script_;
  bool with_co_;
  Explored& explored_;
  const OnFull& on_full_;
  const OnAgain& on_again_;
};

}  // namespace

axioms::Execution to_execution(const Graph& g, const Script& script) {
  std::map<Address, Value> bases;
  for (std::size_t l = 0; l < script.locations.size(); ++l) {
    bases[script_address(static_cast<unsigned>(l))] = {script.locations[l].initial, 0};
  }
  return literal(g, bases);
}

Explored collect(const Script& script, Request request, const OnFull& on_full, bool symmetry, const OnAgain& on_again) {
  Explored explored;
  ScriptMachine machine(script, symmetry);
  Collector collector(script, has_co(request.model), explored, on_full, on_again);
  request.observer = &collector;
  request.spore.insist_on_symmetry = true;  // a script declares its twins
  if (!request.is_part()) {
    explored.result = explore(machine, request);
    return explored;
  }
  machine.assume({.spins = false});
  explored.result = run_algorithm(machine, request);
  if (!explored.result.broken.empty()) throw std::logic_error("a part of an exploration has to start again");
  return explored;
}

}  // namespace heddle::differential
