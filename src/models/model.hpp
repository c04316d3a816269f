// What an explorer asks of a memory model. Atomicity and acyclicity of porf are the explorer's matter: they are the
// same for all models.
#pragma once

#include <concepts>
#include <vector>

#include "core/model_kind.hpp"
#include "graph/graph.hpp"

namespace heddle {

// A model by its name, and the happens-before of its graphs.
template <class M>
concept MemoryModel = requires {
  { M::kKind } -> std::convertible_to<ModelKind>;
  { M::kSync } -> std::convertible_to<Sync>;
};

// A model with co, for spore.
//
//   floor    The smallest co position that e, the po-last access of its thread, may read from or be placed directly
//            after, by the axioms that this covers. All larger ones are as good.
//   admits   Whether the graph satisfies the other axioms, if it did before the access `changed` came or was changed.
//            Not asked after a maximal step, which never makes a consistent graph inconsistent (extensibility, SPORE
//            E.2, Axiom 3).
//   kCoAcyclic   Whether po ∪ rf ∪ co is acyclic in all consistent graphs.
template <class M>
concept CoherentModel = MemoryModel<M> && requires(M m, const Graph& g, EventId e) {
  { m.floor(g, e) } -> std::same_as<uint32_t>;
  { m.admits(g, e) } -> std::same_as<bool>;
  { M::kCoAcyclic } -> std::convertible_to<bool>;
};

// A model in two parts, for rcmc: preconsistency, which is all but SC-ACYCLICITY (RCMC Def. 3.7, §5), and psc.
//
//   sources         The writes that a new read may read from by COHERENCE; returns one in its sbrf-prefix.
//   coherent        Whether r may read from w, which has just been added.
//   start, co       Whether a is before b in co in all graphs that keep both; `start` comes first.
//   is_maximal      Whether nothing can follow a new access in psc, so that it is on no cycle.
//   waits_for_ever  Whether a waiting read would find nothing else if it came later.
//   kCo             Whether co means anything.
template <class M>
concept PreconsistentModel = MemoryModel<M> && requires(M m, const Graph& g, EventId e, std::vector<EventId>& writes) {
  { m.sources(g, e, writes) } -> std::same_as<EventId>;
  { m.coherent(g, e, e) } -> std::same_as<bool>;
  m.start(g);
  { m.co(g, e, e) } -> std::same_as<bool>;
  { m.is_maximal(g, e) } -> std::same_as<bool>;
  { M::waits_for_ever(g, e) } -> std::same_as<bool>;
  { M::kCo } -> std::convertible_to<bool>;
  { m.psc.acyclic(g) } -> std::same_as<bool>;
  { m.psc.acyclic(g, e) } -> std::same_as<bool>;
};

}  // namespace heddle
