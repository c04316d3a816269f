// The memory models, literally: each is its paper's definition over sets and relations, slow and plain. The
// explorers use incremental checkers; these definitions are what those are tested against.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/axioms/execution.hpp"

namespace heddle::axioms {

enum class Model : uint8_t { sc, rc11 };

constexpr std::string_view name(Model m) { return m == Model::sc ? "sc" : "rc11"; }

// The name of the first axiom that an execution violates; empty if it is consistent.
std::string_view violated_sc(const Relations&);
std::string_view violated_rc11(const Relations&);
std::string_view violated(Model, const Execution&);

inline bool consistent(Model m, const Execution& x) { return violated(m, x).empty(); }

// Happens-before, by the modes of the accesses, and the data races that it leaves (rcmc-popl18.md Def. 3.10): accesses
// of one location that hb does not order, at least one of them a write, at least one of them plain. A race is a matter
// of the language and not of the model: both are the same under SC. The race relation is symmetric; the halves of an
// rmw are ordered by sb and never race.
Relation hb(const Relations&);
Relation races(const Execution&);

}  // namespace heddle::axioms
