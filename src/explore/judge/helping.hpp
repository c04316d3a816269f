// Internal symmetries: operations that others may help with (SPORE §2.3, §3.2, App. C, D).
//
// Let f_m be an operation that is marked as helped: a sequence of reads, and then one cas. Another thread may do the
// same cas to help it along: the helping operation f_h. Whichever of the two cas succeeds, the effect is the same. So
// f_h is left out, and only a marker stands for it. That is right if each f_h in each execution is matched (Def. 3.3,
// D.3, D.4): there is an f_m with the same arguments, and
//
//   (linearization) the event just before f_m is a write l_w that a read l_r before f_h reads from;
//                   RC11: l_w is a release, l_r an acquire, and if l_w is SC so is l_r
//   (source)        f_m's thread has written or read before f_m a write s of the cas's location with the value that the
//                   cas expects
//   (co)            all writes after s in co are of rmws and write other values than s
//   (fence)         RC11: if the cas is not a release, no release fence is before f_m, which would make it one
//   (SC)            RC11: if the cas is SC and l_w is not, no SC access of l_w's location stands just before l_w: it
//                   would be psc-before f_m's cas, but not before f_h's
//   (modes)         RC11: if there are reads, the cas is at least acq_rel, and acq when it fails; else it is at least
//                   as strong when it fails as when it succeeds
//
// (fence) and (SC) are not in the paper. All conditions that are marked RC11 hold for the model SC too, because races
// are judged by the orders in the source.
#pragma once

#include <optional>

#include "explore/judge/races.hpp"

namespace heddle {

// A helping operation of a full execution that is not matched, with the condition that fails. by_mode: with the
// conditions of RC11.
std::optional<GraphError> find_wrong_help(const Graph& g, bool by_mode);

}  // namespace heddle
