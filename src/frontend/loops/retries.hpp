// Retry loops: a compare-exchange that expects what its thread has read before, and that is tried again when it fails.
//
// Terms. c is the compare-exchange, of location l. The look r is the load of l whose value c expects. A round is one
// pass through the loop; it fails if c fails. s is a plain store in the loop.
//
// 1. *A failed first round is left out.*
//
//   t = top;                                    a Treiber stack's push, fetch-and-max, ...
//   do { n->next = t; } while (!cas(&top, &t, n));
//
// In the first round c waits for the value that it expects (Action::assumed: an execution in which it waits for ever
// stands for nothing). Take an execution in which the first round of a thread fails.
//   - Since r, the thread has changed nothing but plain memory that each round writes anew (2.). s is never to l.
//   - Remove r and the first round, and let a look in the place of the failed c read from rf(c).
//   - Now the thread is where it was at the start of its second round, with the same variables. So what remains is an
//     execution of the program.
//   - It is consistent, because it has fewer events and no new order: r asks for no more order than c does if it fails
//     (that is required), and it stands in the place of c, since only removed events lie between the two.
//   - No livelock is lost: if the first look reads the last value, c succeeds.
//
// What c expects may be in memory:
//
//   n->next = top;
//   while (!cas(&top, &n->next, n)) {}
//
// Here the value of r is stored before the loop, each round begins with a plain load of it, and a c that fails stores
// there what it has read. As above, the second round is the first one of an execution with fewer events. What was
// stored before the loop is replaced before another thread can have seen it, as in 2.
//
// 2. *A plain store that each round does anew changes nothing.*
//
//   for (;;) { t = top; n->next = t; if (cas(&top, t, n)) break; }
//
// Let s be the store in a round that changes nothing else, and s' the same store in the next round. No other thread can
// have seen s. Let a be an access of another thread to the same memory.
//   - If s happens before a, the order comes from an event that the thread does after s. That event is not in this
//     round, which changes nothing else. So it comes after s', and s' happens before a, too.
//   - If a is not ordered with s, the two race. Either a races with s' as well, or a comes before what this round has
//     read. In the second case both are there when the round ends, and the race is found.
//   - The thread itself reads the memory only after it has written it: each round does s before it reads any memory
//     that could be the same, and before it can leave the loop.
//
// This holds only where plain accesses are no actions.
//
// 3. *c may confirm the look.*
//
// In all of these loops nothing is done between r and c but stores that are done anew, and the load of what r has
// stored. An execution in which r and c read the same value from different writes need not be looked at:
//   - Let r read from rf(c). r stands just before c and asks for no more order than c does if it succeeds (that is
//     required). So the execution is as consistent as before, and all threads do the same.
//   - No race is lost. Let a be an access that races with a store s between r and c. Let r read from the last write to
//     l that a knows, or an older one. Then s and a are as unordered as before, and c may confirm that.
//
// So the machine sets Action::confirms, and an explorer may let r and c read from one write. Then it tries no look with
// which c would fail (explore/spore/spore.cpp).
//
// 4. *An atomic store that each round does anew counts as a plain one* (Assumptions::own).
//
//   for (;;) { t = top; store(&n->next, t); if (cas(&top, t, n)) break; }
//
// Let s be such a store, relaxed or release, to place p. Suppose that each access of another thread to p is ordered
// with s: it happens before s, and is no action, or it happens after s. Then nothing can be chosen of s: who comes
// after it reads what it has stored, or something later, and is synchronised already. So s need be no action, and 2.
// holds of it. The machine watches: an access to p in no order with s is found as a race is, and so is an earlier
// action of another thread. Then the assumption is dropped. (Under pso, too: a release store does not overtake s.)
//
// 5. *A look before the loop is a round of it.*
//
//   int a = load(x);
//   while (a != 0) a = load(x);
//
// Let R be the look, and i the load of the loop, which waits (awaits.cpp). R waits for the values with which it comes
// to the cut before i. Take an execution in which R reads such a value. The rounds that change nothing are left out
// already, so i reads what ends the loop. Remove R and what is between, and let R stand in the place of i.
//   - The thread goes on as before. For this, nothing but computing must be done from R to the head, from i to the
//   head,
//     and from the cut to i; and whatever the head gets from R, it gets the same of i.
//   - What R has read is used for nothing else, and no value of the state at the cut depends on it.
//   - R asks for no more order than i does, so what remains is consistent.
// The same holds of additions that are taken back (undone.hpp): then R and i add the same, and so much is removed of
// R's round as of any other.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include "frontend/loops/cuts.hpp"

namespace heddle::frontend {

// Whether the variable is what the compare-exchange expects, and before the first round what a load of the same
// location has just read, which is used for nothing else.
bool begins_with_look(const llvm::Loop& loop, const llvm::PHINode& variable, const llvm::AtomicCmpXchgInst& cas);

// The same where the variable is in memory: the store before the first round; null if it is not so.
llvm::StoreInst* first_look(const llvm::Loop& loop, const llvm::AtomicCmpXchgInst& cas);

// The look before the loop that is a round of it, as the read is, a load or an addition that is taken back; null if
// there is none.
llvm::Instruction* look_before(const llvm::Loop& loop, const llvm::Instruction& read);

// Whether the compare-exchange confirms its look: one in the loop, or, where `retried` says what it expects in the
// first round (the variable, or the first store to it), that before the loop.
bool confirms(const llvm::Loop& loop, const llvm::AtomicCmpXchgInst& cas, const llvm::Instruction* retried);

}  // namespace heddle::frontend
