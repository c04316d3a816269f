// Retry loops: a compare-exchange that has failed tells what the next round begins with.
//
//   t = top;                                    a Treiber stack's push, fetch-and-max, ...
//   do { n->next = t; } while (!cas(&top, &t, n));
//
// *A failed first try is left out.* Take an execution in which the first round fails. The thread has looked at the
// location before the loop, and has changed nothing since but plain memory that each round writes anew (below). Leave
// out the first look and the first round, and let the first look read what the failed compare-exchange has read. Now
// the thread is where it was at the start of its second round, with the same variables. What remains is an execution of
// the program, and consistent, because it has fewer events and no new order: the first look asks for no more order than
// the compare-exchange does if it fails (that is required), and stands in its place, since nothing but the removed lies
// between the two. The store is never to the location itself. So in the first round the compare-exchange waits for the
// value that it expects (Action::assumed: the execution in which it waits for ever stands for nothing). No livelock is
// lost: a first look at the last value lets it succeed.
//
//   n->next = top;
//   while (!cas(&top, &n->next, n)) {}
//
// What is expected may be in memory: where the first look has put it, each round begins with a plain load of it, and a
// compare-exchange that fails puts there what it has read. As above the second round is then the first of an execution
// with fewer events. What the first look has put there is replaced before anybody can have seen it, as below.
//
//   for (;;) { t = top; n->next = t; if (cas(&top, t, n)) break; }
//
// *A plain store that each round does anew changes nothing.* Nobody but the thread itself can have seen it: whoever is
// ordered after it by happens-before is ordered by something that the thread does after it, which is not in this round
// (it changes nothing else), so after the next store, too; and whoever is not ordered races with it. He races with the
// next store as well, or comes before what this round has read; then both are there when the round ends, and the race
// is found. The thread itself reads the place only after it has written it: each round writes it before it reads any
// memory that could be there, and before it can leave the loop. Only where plain accesses are no actions.
//
// *A compare-exchange may confirm the look.* In all of these it expects what a look at the same location has read, and
// between the two nothing is done but stores that are done anew, and the load of what the look has stored. An execution
// in which the two read the same value from different writes need not be looked at: let the look read what the
// compare-exchange reads. It stands just before it and asks for no more order than the compare-exchange does if it
// succeeds (that is required), so the execution is as consistent as before, and all threads do the same. No race is
// lost either: if an access races with such a store, let the look read the last write of the location that the access
// knows, or an older one; then the store and the access are as unordered as before, and the compare-exchange may
// confirm that. So the machine says so (Action::confirms), and an explorer may let the two read from one write: no look
// is tried with which the compare-exchange would fail (explore/spore/spore.cpp).
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace heddle::frontend {

// The name of a variable of ours that is true in the first round of a loop.
inline constexpr llvm::StringLiteral kFirstRound = "<heddle>first_round";
inline bool is_first_round(const llvm::PHINode& phi) { return phi.getName().starts_with(kFirstRound); }

// What the value is before it was cast to or from a pointer.
const llvm::Value* same_bits(const llvm::Value* v);

// Whether each round of the loop does the plain store before it can leave, and before it reads memory, but for the
// loads in `before`: the store must not be to what they read.
bool is_done_anew(const llvm::Loop& loop, const llvm::StoreInst& store, llvm::SmallVectorImpl<llvm::LoadInst*>& before);

// Whether the variable is what the compare-exchange expects, and before the first round what a load of the same
// location has just read that nobody else uses.
bool begins_with_look(const llvm::Loop& loop, const llvm::PHINode& variable, const llvm::AtomicCmpXchgInst& cas);

// The same where the variable is in memory: the store before the first round; null if it is not so.
llvm::StoreInst* first_look(const llvm::Loop& loop, const llvm::AtomicCmpXchgInst& cas);

// Whether the compare-exchange confirms its look: one in the loop, or, where `retried` says what it expects in the
// first round (the variable, or the first store to it), that before the loop.
bool confirms(const llvm::Loop& loop, const llvm::AtomicCmpXchgInst& cas, const llvm::Instruction* retried);

// Whether the two accesses are of the same place.
bool is_same_place(const llvm::Instruction& one, const llvm::Instruction& other);

}  // namespace heddle::frontend
