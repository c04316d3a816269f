// TSO, the model of x86 and SPARC (Owens, Sarkar, Sewell, TPHOLs 2009), in the axiomatic form of Alglave, Maranget and
// Tautschnig, "Herding cats" (TOPLAS 2014): each thread has a FIFO buffer of stores, from which it reads itself first.
//
//   (COHERENCE) po|loc ∪ rf ∪ co ∪ rb is acyclic                 floor
//   (GHB)       ppo ∪ drained ∪ rfe ∪ co ∪ rb is acyclic         floor
//   (ATOMICITY) rmw ∩ (rb ; co) = ∅                              the explorer
//
//   ppo     = [R ∪ W];po;[R ∪ W] \ W × R
//   drained = po;[D] ∪ [D];po      D: what empties the buffer
//   rfe     = rf between threads
//
// The mapping is that of compilers for x86. A load of any order, plain ones included, is a load of the machine, and a
// store that is not sc a store. D are the sc stores (xchg, or mov and mfence), the SC fences (mfence), rmws, a cas
// whether it succeeds or not (lock cmpxchg), the creation, the exit and the join of a thread, and arrivals
// (graph/meetings.hpp). Other fences do nothing. po ∪ rf is acyclic, since reads are ordered before all that follows.
#pragma once

#include "models/store_buffers.hpp"

namespace heddle {

using Tso = StoreBuffers<false>;
static_assert(CoherentModel<Tso>);

}  // namespace heddle
