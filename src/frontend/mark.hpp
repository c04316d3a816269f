// First step after clang: rewrites what later passes would misunderstand, and marks what they must not lose.
//
//  - An unused plain load may still race: a call of kKeep keeps it until it is instrumented.
//  - The read half of a bit-field store is marked kPeek, since it may read uninitialised bits.
//  - Reaching `unreachable` or a trap becomes a call of __heddle_trap, so that no pass may drop the way to it.
//  - `volatile` means nothing to a model checker and is taken off (except next to setjmp), compiler barriers and pause
//  hints too.
//  - A function's static variable is guarded by __cxa_guard_acquire alone, without clang's look at the guard before it.
//  - The copy of a struct that is passed by value is made in the open.
//  - Only line information is kept of the debug records: a variable's line moves to its alloca.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::frontend {

void mark(llvm::Module& module);

}  // namespace heddle::frontend
