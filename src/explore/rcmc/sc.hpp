// How rcmc deals with SC-ACYCLICITY (RCMC §2.5.3): preconsistent graphs are explored although psc may have a cycle,
// since a revisit may remove it.
//
//  - A cycle among events that stay for ever is hopeless: the graph is given up.
//  - An error of events, a race for example, is real iff their sbrf-prefixes have no psc cycle: then these are a
//    consistent execution with the error; else no later graph that keeps the events is consistent.
//  - Without `psc`, no cycle is looked for until there is an error.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "explore/rcmc/level.hpp"
#include "models/model.hpp"

namespace heddle {

template <PreconsistentModel Model>
class ScAxiom {
 public:
  ScAxiom(Model& model, bool psc, Graph& scratch) : model_(model), psc_(psc), scratch_(scratch) {}

  bool consistent(const RcmcLevel& level) {
    return psc_ ? level.cyclic == RcmcLevel::kAcyclic : model_.psc.acyclic(level.graph);
  }

  // Looks for a first cycle after an access has come or changed, and notes it in the level. True if there is one.
  bool becomes_cyclic(RcmcLevel& level, EventId changed) {
    const Graph& g = level.graph;
    if (!psc_) return g.sc_accesses() + g.sc_fences() > 1;
    if (level.cyclic != RcmcLevel::kAcyclic) return false;
    if (model_.is_maximal(g, changed) || model_.psc.acyclic(g, changed)) return false;
    level.cyclic = index(changed);
    return true;
  }

  // Whether there is a cycle that no revisit can remove: one of events that have no revisitable read in their prefix.
  // There was none before, so the changed access is on it.
  bool hopeless(RcmcLevel& level, EventId changed) {
    const Graph& g = level.graph;
    if (!psc_ || level.cyclic == RcmcLevel::kAcyclic) return false;
    const auto stays = [&](EventId e) { return level.stays(e); };
    level.find_first_revisitable();
    if (!stays(changed)) return false;
    return g.sc_fences() == 0 ? !model_.psc.acyclic(g, changed, stays) : !acyclic_part(g, stays);
  }

  // The same after a revisit.
  bool hopeless(RcmcLevel& level) {
    level.find_first_revisitable();
    return !acyclic_part(level.graph, [&](EventId e) { return level.stays(e); });
  }

  // Whether psc is acyclic after a revisit. Nothing else follows the write and the revisited reads in sbrf, so they
  // bring only edges of their own to the psc of what was kept, which was part of the psc before.
  bool stays_acyclic(const RcmcLevel& level, bool was_acyclic) {
    if (!psc_) return true;
    const Graph& g = level.graph;
    if (!was_acyclic) return model_.psc.acyclic(g);
    const auto on_no_cycle = [&](EventId e) { return model_.is_maximal(g, e) || model_.psc.acyclic(g, e); };
    return on_no_cycle(level.write) && std::ranges::all_of(level.revisited, on_no_cycle);
  }

  // Whether an error of these events is real; then the scratch graph is the execution that has it.
  bool feasible(const Graph& g, EventId a, EventId b) {
    const auto leads_to = [&](EventId e, EventId x) { return x != kNoEvent && (e == x || g.cb(e, x)); };
    return acyclic_part(g, [&](EventId e) { return leads_to(e, a) || leads_to(e, b); });
  }

 private:
  template <class Keep>
  bool acyclic_part(const Graph& g, const Keep& keep) {
    kept_.resize(g.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = keep(EventId(i));
    scratch_.keep(g, kept_);
    return model_.psc.acyclic(scratch_);
  }

  Model& model_;
  const bool psc_;
  Graph& scratch_;
  std::vector<uint8_t> kept_;
};

}  // namespace heddle
