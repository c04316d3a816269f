// RVF-SMC (rvf-smc §5, Algorithm 2), under sequential consistency: one interleaving of each class of those in which all
// reads read the same values, and the reads cause one another in the same way.
//
// A node of the exploration is a set X of events, for each read in it the good writes (all of one value), and a
// witness: an interleaving of X in which each read reads from a good write. The witness is extended by all that is no
// read. Then each thread stands before a read, or is at its end. One read after the other is tried: the writes that it
// can see are grouped by their values, and for each value VerifySC (rvf/verify_sc.hpp) looks for a witness, from which
// the exploration goes on. Afterwards the causal map says that in the rest of the node the read must not read from what
// was there. The rest is left out if no event below writes the location of the read, and no thread below is about to
// write it by a read-modify-write: then the read could read from nothing new (backtrack signals, Lemma 1).
//
// Where this departs from the paper:
//  - An rmw, or a cas that succeeds, is one event. A thread that stands before one is a possible new source for the
//    reads of others: its write comes with its read.
//  - A mutex is a location that is locked by a cas and unlocked by a store, as for the other algorithms. So all unlocks
//    write one value, where the paper tells each unlock apart.
//  - A choice of the program is a branch of the node, before any read: no other thread can tell.
//  - Values are all bytes of the access.
//  - Plain accesses are events always. Which plain accesses happen before which may differ in a class, so that values
//    that are no events would not be the same in all of it.
//  - Which accesses happen before which, in the sense of C, depends on the sources of atomic reads. So where data races
//    are errors, the good writes of an atomic read are a single one.
//  - Whether memory is used after it is freed differs in a class, and so do races of threads that wait. Both are looked
//    for in all interleavings of each class (rvf/encounters.hpp).
//
// Awaits are reads that read a value which satisfies them; a thread whose await fails stands where it was, and no other
// thread can tell. So nothing is unrolled. This is complete:
//  - Take any interleaving s of the program that contains the events of the node, reads from good writes and
//    respects the causal map. If it has more events than the node, then one of the reads that the threads stand before
//    comes first in s, and reads from what is there; so a child of the node covers s. (§5, Theorem 2; that each maximal
//    interleaving contains each such read, which awaits break, is not needed for that.)
//  - If it has no more, it ends here: then only awaits are left, and what they find in the end does not satisfy
//    them. So a node in which only awaits are left is an end iff there is a witness in which the last write of each
//    location that is waited for does not satisfy the await. VerifySC decides that: such a witness has reads of the
//    locations after all other events. So a deadlock is found iff there is one.
//  - The rest of a node may be left out after an await r only if r cannot be left waiting either. By Lemma 1, which
//    holds for a satisfied await as for any read, some descendant tells of each write that could be new to r. Without
//    one, r waits in the end only if the last write of its location is one of those that are there. So the signals are
//    used iff all of these that may be the last, which are those without a program-order successor, satisfy r.
//
// A loop that goes round without an await, and stops because a round has changed nothing (BlockReason::spin), is a
// livelock if the first read of each location in that round would find the same value in the end: a witness for that is
// looked for in the same way.
#pragma once

#include "explore/request/request.hpp"

namespace heddle {

Result explore_rvf(Machine&, const Request&);

}  // namespace heddle
