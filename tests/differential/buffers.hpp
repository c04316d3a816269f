// The store-buffer machine of TSO and PSO (Owens, Sarkar, Sewell 2009; SPARC V8), step by step: an oracle for the
// axioms of src/models/axioms that knows nothing of relations.
//
// Each thread has a buffer of stores. A load reads the latest store of its location there, else memory. At any time a
// store may leave the buffer for memory: under TSO the oldest, under PSO the oldest of its location, unless it is a
// release store or a release fence stands before it: then only when nothing older is left. An sc store is a store after
// which the thread waits for an empty buffer (mov, mfence); an rmw or a cas, an SC fence, the creation, the join and
// the exit of a thread wait for it too.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "machine/script/script.hpp"
#include "models/axioms/axioms.hpp"

namespace heddle::differential {

struct Outcomes {
  std::set<std::string> complete;  // registers and memory at the end
  bool error = false;              // an assertion fails
  bool deadlock = false;

  friend bool operator==(const Outcomes&, const Outcomes&) = default;
};

// Of all interleavings; nothing if the machine has more than `limit` states.
std::optional<Outcomes> run_buffers(const Script&, axioms::Model, uint64_t limit);

// Where the machine and the axioms differ, in words; empty if nowhere. Nothing if one of them takes too long.
std::optional<std::string> buffers_disagreement(const Script&, axioms::Model, uint64_t limit,
                                                uint64_t* outcomes = nullptr);

}  // namespace heddle::differential
