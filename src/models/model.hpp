// What an explorer asks of a memory model. A model with co is a class with
//
//   // The smallest co position that e, the po-last access of its thread, may read from or be placed directly after, by
//   // the axioms that this covers. All larger ones are as good.
//   uint32_t floor(const Graph&, EventId e);
//   // Whether the graph satisfies the other axioms, if it did before the access `changed` came or was changed.
//   // Not asked after a maximal step, which never makes a consistent graph inconsistent (extensibility,
//   // SPORE E.2, Axiom 3).
//   bool admits(const Graph&, EventId changed);
//   // Which happens-before its graphs have.
//   static constexpr Graph::Sync kSync;
//   // Whether po ∪ rf ∪ co is acyclic in all consistent graphs.
//   static constexpr bool kCoAcyclic;
//
// Atomicity and acyclicity of porf are the explorer's matter: they are the same for all models.
#pragma once

#include "graph/graph.hpp"
