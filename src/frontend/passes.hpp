// LLVM's pass managers as heddle uses them: before the instrumentation, where no access of memory may be moved,
// merged or dropped, and after it.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace heddle::frontend {

// Replaces functions of the C++ library's headers that heddle does in a better way (shortcuts.cpp).
void take_shortcuts(llvm::Module& module);
// What is atomic by an instruction of the processor, if it is aligned.
inline bool is_native_size(uint64_t size) { return llvm::isPowerOf2_64(size) && size <= 16; }
// Lets atomic accesses of other sizes, and those that may not be aligned, call a part of the library (odd_atomics.cpp).
void lock_odd_atomics(llvm::Module& module);

// Inlines, brings private variables into registers, folds constants. Every access of memory that another thread
// may see is still there afterwards, in its place. Only main stays visible from outside.
void simplify(llvm::Module& module, llvm::TargetMachine& target);

// default<O2> over instrumented code.
void optimise(llvm::Module& module, llvm::TargetMachine& target);

}  // namespace heddle::frontend
