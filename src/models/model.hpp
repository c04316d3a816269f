// What an explorer asks of a memory model. A model is a class with
//
//   // A new po-last event of a location, whose predecessor (Graph::predecessor) is `before`: the smallest co position
//   that
//   // it may read from or be placed directly after, by coherence. All larger ones are coherent too.
//   uint32_t floor(const Graph&, EventId before, LocId);
//   // Whether the graph satisfies the axioms that `floor` does not cover, if it did before the access `changed` came
//   or was
//   // changed. Not asked after a maximal step, which never makes a consistent graph inconsistent (extensibility,
//   // Axiom 3 of papers/spore-pldi24.md E.2).
//   bool admits(const Graph&, EventId changed);
//
// Atomicity and acyclicity of porf are the explorer's matter: they are the same for all models.
#pragma once

#include <cstdint>

#include "graph/graph.hpp"

namespace heddle {

enum class ModelKind : uint8_t { sc, rc11 };

}  // namespace heddle
