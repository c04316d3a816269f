#include "machine/script/script_machine.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "core/hash.hpp"
#include "core/thread_name.hpp"
#include "machine/script/twins.hpp"

namespace heddle {

ScriptMachine::ScriptMachine(Script script, bool symmetry) : script_(std::move(script)), symmetry_(symmetry) {
  if (const std::string p = problem(script_); !p.empty()) throw UserError("bad script: " + p);
  states_.resize(script_.threads.size());
  created_.reserve(script_.threads.size());
  parents_.assign(script_.threads.size(), kNoThread);
  for (std::size_t t = 0; t < script_.threads.size(); ++t) {
    for (const Instruction& i : script_.threads[t]) {
      if (i.op == ScriptOp::create) parents_[i.thread] = ThreadId(t);
    }
  }
  restart();
}

void ScriptMachine::restart() {
  created_.clear();
  create(kMain);
}

void ScriptMachine::create(ThreadId t) {
  states_[index(t)].thread = script_start(script_, t);
  next(t);
  HEDDLE_ASSERT(std::ranges::find(created_, t) == created_.end());
  created_.push_back(t);
}

const Action& ScriptMachine::next(ThreadId t) {
  State& s = states_[index(t)];
  s.pending = script_action(script_, t, s.thread);
  if (symmetry_ && s.pending.kind == ActionKind::create) s.pending.twin = script_twin(script_, t, s.thread.pc);
  return s.pending;
}

const Action& ScriptMachine::perform(ThreadId t, Value result, Clock) {
  State& s = states_[index(t)];
  HEDDLE_ASSERT(!is_final(s.pending.kind));
  if (s.pending.kind == ActionKind::create) create(s.pending.child);
  script_step(script_, t, s.thread, result);
  return next(t);
}

void ScriptMachine::replay(ThreadId t, std::span<const Step> steps) {
  for (const Step& step : steps) {
    const Action& a = states_[index(t)].pending;
    if (step.kind != a.kind || step.addr != a.addr) {
      throw UserError("the program is not deterministic: " + name(t) + " replayed a different action");
    }
    perform(t, step.result, step.clock);
  }
}

bool ScriptMachine::knows_rest(ThreadId t, const FinalValue&) {
  return std::ranges::all_of(created_, [&](ThreadId u) {
    const ActionKind kind = pending(u).kind;
    return u == t || kind == ActionKind::exit || kind == ActionKind::done;
  });
}

// A script has no other arrivals than those that commute.
void ScriptMachine::assume(const Assumptions& asked) {
  const bool meets = std::ranges::any_of(script_.locations, [](const ScriptLocation& l) { return l.places != 0; });
  if (meets && !asked.arrivals) throw UserError("the script has more arrivals than places");
  Machine::assume(asked);
  if (!looks()) assumed_.looks = Looks::open;
}

uint64_t ScriptMachine::rules() const {
  Hash hash;
  hash.add(symmetry_).add(script_.locations.size());
  for (const auto& code : script_.threads) {
    hash.add(code.size());
    for (const Instruction& i : code) hash.add(static_cast<uint64_t>(i.op)).add(static_cast<uint64_t>(i.mode));
  }
  return hash.value();
}

ThreadId ScriptMachine::thread_at(ThreadPath p) {
  if (static_cast<uint64_t>(p) >= script_.threads.size()) throw UserError("the script has no such thread");
  return ThreadId(static_cast<uint64_t>(p));
}

Error ScriptMachine::error(ThreadId t) const {
  Error e;
  e.kind = ErrorKind::assertion;
  e.message = "assertion failed";
  e.thread = t;
  e.site = states_[index(t)].pending.site;
  return e;
}

std::string ScriptMachine::describe(Address a) const {
  const unsigned l = script_location(a);
  return l < script_.locations.size() ? script_.locations[l].name : "no location";
}

std::string ScriptMachine::name(ThreadId t) const { return name_of(t); }

}  // namespace heddle
