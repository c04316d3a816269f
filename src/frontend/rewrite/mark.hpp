// First step after clang: rewrites what later passes would misunderstand, and marks what they must not lose.
//
//  - An unused plain load may still race: a call of kKeep keeps it until it is instrumented.
//  - A call whose result is unused may still read memory: no function keeps an attribute that would let it be dropped.
//  - Loads that are no use of what they load are marked kPeek, since they may find bytes without a value: the read
//    half of a bit-field store, a structure that is passed in registers. What clang itself keeps in variables is marked
//    kUnset (peeks.cpp).
//  - A false assumption becomes a call of __heddle_assumption.
//  - What clang does not say of temporaries, how long they live, is marked (checks/temporaries.cpp).
//  - An exception that leaves a function ends the life of its variables (checks/unwind.cpp).
//  - Accesses of a vector under a mask become accesses of its elements (masked.cpp).
//  - Reaching `unreachable` or a trap becomes a call of __heddle_trap, so that no pass may drop the way to it.
//  - `volatile` means nothing to a model checker and is taken off (except next to setjmp). So are compiler barriers
//    and pause hints.
//  - A function's static variable is guarded by __cxa_guard_acquire alone, without clang's look at the guard before it.
//  - The copy of a struct that is passed by value is made in the open.
//  - A call that allocates is marked with the type of what it allocates (allocations.cpp).
//  - Only line information is kept of the debug records: a variable's line moves to its alloca, and so do its name
//    and type. For a debugger the records stay, too.
#pragma once

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace heddle::frontend {

struct MarkOptions {
  bool volatile_is_relaxed = false;  // volatile accesses are relaxed atomic ones, else plain ones
  bool keep_variables = false;       // for a debugger
};
void mark(llvm::Module& module, const MarkOptions& options);

// masked.cpp: rewrites the call if it is such an access.
bool lower_masked(llvm::IntrinsicInst& call);

}  // namespace heddle::frontend
