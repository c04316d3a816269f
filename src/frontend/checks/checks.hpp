// Checks of accesses that are made while the program is simplified, before anything may split, move or drop an access.
//
// What is asked of a variable: that an access lies inside it, comes during its life, and does not read what was never
// written. Three parts answer:
//
//   check_bounds     a test before each access of a variable that the code names, local, global or thread-local, unless
//                    it is plainly inside
//   settle_locals    life and initialisation of local variables of which all uses are known. They stay on the fibre's
//                    stack or become registers, and are called kOwn from then on
//   rewrite_locals   all other local variables move to the thread's arena, where shadow memory has the answers
//                    (instrument/locals.cpp)
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace heddle::frontend {

// Begins the names of local variables that are settled, and of those that we have added. SROA hands names on to parts.
// No name of a source begins like this.
inline constexpr llvm::StringLiteral kOwn = "<heddle>";
inline bool is_own(const llvm::AllocaInst& local) { return local.getName().starts_with(kOwn); }
// What is kept about a variable: whether it is alive, and which of its bytes have a value.
inline constexpr llvm::StringLiteral kBook = "<heddle>book ";
inline bool is_book(const llvm::AllocaInst& local) { return local.getName().starts_with(kBook); }

// The variable that a pointer points into, through constant and variable offsets; null if it is not known.
llvm::Value* variable_of(llvm::Value* pointer);
// The offset of the pointer from the start of variable_of(pointer), 64 bits wide; a constant where possible.
llvm::Value* offset_in(llvm::IRBuilderBase& b, llvm::Value* pointer, const llvm::DataLayout& layout);

// bounds.cpp
bool check_bounds(llvm::Function& f);

// settle.cpp. Scalars: only variables that become registers as they are.
enum class Settle { scalars, all };
bool settle_locals(llvm::Function& f, const llvm::DominatorTree& dominators, Settle which);

// temporaries.cpp: the life of arguments that are passed by value, and of temporaries that are not used.
void mark_temporaries(llvm::Function& f);

// unwind.cpp: an exception that leaves a function ends the life of its variables.
void end_locals_on_unwinding(llvm::Function& f);

}  // namespace heddle::frontend
