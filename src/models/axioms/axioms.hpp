// The memory models, literally: each is its paper's definition over sets and relations, slow and plain. The
// explorers use incremental checkers; these definitions are what those are tested against.
#pragma once

#include <string_view>

#include "core/model_kind.hpp"
#include "models/axioms/execution.hpp"

namespace heddle::axioms {

using Model = ModelKind;

// The name of the first axiom that an execution violates; empty if it is consistent.
std::string_view violated_sc(const Relations&);
std::string_view violated_tso(const Relations&);
std::string_view violated_pso(const Relations&);
std::string_view violated_ra(const Relations&);
std::string_view violated_rc11(const Relations&);
std::string_view violated_wrc11(const Relations&);
std::string_view violated(Model, const Execution&);

inline bool consistent(Model m, const Execution& x) { return violated(m, x).empty(); }

// Parts of RC11 that other models share. hb is by the modes in the source.
Relation hb(const Relations&);
Relation psc(const Relations&, const Relation& hb, const Relation& eco);
bool atomic(const Relations&);  // ATOMICITY: nothing is co-between the write that an rmw reads from and its own

// WRC11's co_weak.
Relation weak_co(const Relations&, const Relation& hb);

// Part of TSO and PSO: what is ordered because a thread's store buffers are empty.
Relation drained(const Relations&);

// RA's happens-before: every atomic write releases, every atomic read acquires.
Relation hb_ra(const Relations&);

// The phase of an arrive of which hb has the prefix (graph/meetings.hpp), and the hb of a model for it.
uint64_t phase_of(const Execution&, std::size_t arrive, const Relation& hb);
Relation hb_of(Model, const Relations&);

// Data races (RCMC Def. 3.10): accesses of one location that hb does not order, at least one of them a write,
// at least one of them plain. A race is a matter of the language and not of the model, so hb is the one of the source,
// except under RA, which stands for a source with stronger modes. The relation is symmetric; the halves of an rmw are
// ordered by sb and never race.
Relation races(Model, const Execution&);

}  // namespace heddle::axioms
