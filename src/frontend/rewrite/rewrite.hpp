// Rewrites into simpler code, or into code that the machine knows better. Each is a file of this room; the larger ones
// have headers of their own.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "frontend/ir/runtime.hpp"
#include "frontend/ir/sites.hpp"

namespace heddle::frontend {

// Replaces functions of the C++ library's headers that heddle does in a better way (shortcuts.cpp).
void take_shortcuts(llvm::Module& module);
// What is atomic by an instruction of the processor, if it is aligned.
inline bool is_native_size(uint64_t size) { return llvm::isPowerOf2_64(size) && size <= 16; }
// Lets atomic accesses of other sizes, and those that may not be aligned, call a part of the library (odd_atomics.cpp).
void lock_odd_atomics(llvm::Module& module);

// lower.cpp: rewrites into simpler IR, before privacy is decided.
void name_syscalls(llvm::Module& module);
// pthread_barrier_wait, if the program never uses what it returns: __heddle_barrier_pass.
void name_barrier_waits(llvm::Module& module);
void lower_calls(llvm::Function& f, Runtime& runtime, Sites& sites);  // __atomic_* functions, va_start, va_copy

}  // namespace heddle::frontend
