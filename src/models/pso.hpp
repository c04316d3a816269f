// PSO, SPARC's partial store order: TSO (tso.hpp) with one buffer for each location, so that stores to different
// locations reach memory in any order unless the program asks for one.
//
//   (COHERENCE), (GHB), (ATOMICITY), drained, rfe: as in TSO
//
//   ppo = [R];po;[R ∪ W] ∪ [W];po;[W⊒rel] ∪ [W];po;[F⊒rel];po;[W]
//
// The mapping is that of TSO, but a release store waits for the stores before it, and a release fence is a stbar: it
// stands between the stores before and those after it. Thus a program that publishes by release and acquire is as well
// off as in C11.
#pragma once

#include "models/store_buffers.hpp"

namespace heddle {

using Pso = StoreBuffers<true>;
static_assert(CoherentModel<Pso>);

}  // namespace heddle
