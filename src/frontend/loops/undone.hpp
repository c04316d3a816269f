// Rounds that take back what they have added.
//
//   while (fetch_add(&l, c) & W) fetch_sub(&l, c);             a reader that sees a writer, and tries again
//
//   while (fetch_sub(&l, 1) <= 0) {                            Linux's readers-writer lock
//     fetch_add(&l, 1);
//     while (load(&l) <= 0) {}
//   }
//
// Let a be the read-modify-write that adds, and u the one that takes back. a waits for the values with which the thread
// does not come to u (conditions.hpp). So nobody makes such a round, and no other thread sees what it adds. Whether one
// could have told is watched while the program is explored: explore/judge/undone.hpp, which has the argument. Here is
// decided which rounds these are:
//   - a and u add to the same place, the one what the other subtracts, whatever the round does, and once each;
//   - the result of u is not used;
//   - between a and the cut the round does nothing else but compute, pause and order, and wait in looks (below);
//   - before a, the round only reads; not if it has looks: a thread that waits in one does not read so again.
// All accesses of such a round are atomic, and to the place of a. So a race with it, or its use of memory that is no
// longer there, is one of a itself, too: a takes place, if only to wait.
//
// A look is a load of the same place, after u, in a loop of its own. Let W(v) be true if a thread that reads v in a
// goes on, and X(v) if a thread that reads v in a look does so, to the cut. In both cases nothing else may happen, so a
// thread that waits in the look may as well wait in a; but if it could wait there for ever where a does not, that would
// be a livelock that is lost. So W(v) must imply X(v), for each v; LLVM has to prove it.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace heddle::frontend {

// Whether the instruction adds to a number in memory, or subtracts from it.
bool adds(const llvm::Instruction& i);

// Whether u takes back what a has added.
bool takes_back(const llvm::Instruction& u, const llvm::AtomicRMWInst& a);

// Whether some function has a pair of them in a loop. Else there is nothing to be done here.
bool may_take_back(llvm::Module& module);

}  // namespace heddle::frontend
