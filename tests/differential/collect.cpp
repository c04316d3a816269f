#include "differential/collect.hpp"

#include "explore/rcmc.hpp"
#include "explore/spore.hpp"
#include "machine/script/script_machine.hpp"

namespace heddle::differential {
namespace {

axioms::Type type_of(EventKind k) {
  switch (k) {
    case EventKind::read: return axioms::Type::read;
    case EventKind::write: return axioms::Type::write;
    case EventKind::fence: return axioms::Type::fence;
    case EventKind::create: return axioms::Type::create;
    case EventKind::join: return axioms::Type::join;
    case EventKind::exit: return axioms::Type::exit;
    default: return axioms::Type::other;
  }
}

// Events keep their order; they come after the inits, one for each location of the script.
axioms::Event to_event(const Graph& g, EventId id, int inits) {
  const Event& from = g[id];
  axioms::Event e;
  e.type = type_of(from.kind);
  e.mode = from.mode;
  e.exclusive = from.exclusive;
  e.locked = from.is_read() && from.type != ReadType::load;
  e.thread = static_cast<int>(index(from.thread));
  e.index = static_cast<int>(from.po) - 1;
  if (from.child != kNoThread) e.child = static_cast<int>(index(from.child));
  if (from.is_access()) e.location = g.address(from.loc);
  if (from.is_access() || e.type == axioms::Type::other) e.value = from.value;
  if (from.is_read()) {
    e.rf = from.rf == kInit ? static_cast<int>(script_location(e.location)) : static_cast<int>(index(from.rf)) + inits;
  }
  return e;
}

class Collector : public Observer {
 public:
  Collector(const Script& script, bool with_co, Explored& explored, const OnFull& on_full)
      : script_(script), with_co_(with_co), explored_(explored), on_full_(on_full) {}

  void execution(const Graph& g, Machine& machine, bool complete) override {
    const axioms::Execution x = to_execution(g, script_);
    ++(complete ? explored_.complete : explored_.blocked)[axioms::canonical(x, with_co_)];
    if (!on_full_) return;
    std::vector<ScriptThread> threads(script_.threads.size());
    for (const ThreadId t : machine.threads()) threads[index(t)] = static_cast<ScriptMachine&>(machine).state(t);
    on_full_({x, threads, complete ? Ending::complete : Ending::blocked, false});
  }

 private:
  const Script& script_;
  bool with_co_;
  Explored& explored_;
  const OnFull& on_full_;
};

}  // namespace

axioms::Execution to_execution(const Graph& g, const Script& script) {
  axioms::Execution x;
  const int inits = static_cast<int>(script.locations.size());
  x.co.resize(script.locations.size());
  for (int l = 0; l < inits; ++l) {
    axioms::Event e;
    e.type = axioms::Type::init;
    e.location = script_address(static_cast<unsigned>(l));
    e.value = {script.locations[static_cast<std::size_t>(l)].initial, 0};
    x.events.push_back(e);
    x.co[static_cast<std::size_t>(l)].push_back(l);
  }
  for (std::size_t i = 0; i < g.size(); ++i) {
    x.events.push_back(to_event(g, EventId(i), inits));
    const axioms::Event& e = x.events.back();
    if (e.type == axioms::Type::write && e.exclusive) {
      const auto read = static_cast<int>(index(g.predecessor(EventId(i))));
      x.rmw.emplace_back(read + inits, static_cast<int>(i) + inits);
    }
  }
  for (const LocId l : g.touched()) {
    std::vector<int>& co = x.co[script_location(g.address(l))];
    for (EventId w = g.co_first(l); w != kNoEvent; w = g[w].co_next) co.push_back(static_cast<int>(index(w)) + inits);
  }
  return x;
}

Explored collect(const Script& script, axioms::Model model, const ExploreOptions& options, const OnFull& on_full,
                 bool symmetry, Algorithm algorithm) {
  Explored explored;
  ScriptMachine machine(script, symmetry);
  Collector collector(script, has_co(model), explored, on_full);
  const auto explore = algorithm == Algorithm::spore ? explore_spore : explore_rcmc;
  explored.result = explore(machine, model, options, &collector);
  return explored;
}

}  // namespace heddle::differential
