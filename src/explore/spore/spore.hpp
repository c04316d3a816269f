// The truly stateless optimal exploration that SPORE builds on (SPORE §2.1, §3.3, App. E; TruSt).
//
// A graph is extended by one event at a time. A read may read from any write that is there, a write may take any place
// in co; and a new write w may revisit an older read r that is not in w's porf-prefix: the graph is cut down to what
// was added before r plus w's prefix, and r reads from w. So that each execution is reached once, the revisit happens
// only in the one graph in which r and everything deleted were added maximally (Def. 2.1). Memory is linear in the size
// of one execution times the depth of nested revisits; no set of visited graphs is kept.
#pragma once

#include "explore/request/request.hpp"

namespace heddle {

Result explore_spore(Machine&, const Request&);

}  // namespace heddle
