// Puts the calls of image/entry_points.hpp into a simplified module. instrument() is the whole; the rest are its parts,
// one file each.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>

#include "frontend/program.hpp"
#include "frontend/runtime.hpp"
#include "frontend/sites.hpp"

namespace heddle::frontend {

// Throws UserError for what heddle does not support, with the place.
void instrument(Program::Impl& program, unsigned unroll);

// Which memory of a function only its own thread can reach: local variables whose address never escapes.
// Decided once, before the instrumentation itself passes addresses on.
class Privacy {
 public:
  explicit Privacy(llvm::Function& f);

  // False for variables that the instrumentation itself has added.
  bool knows(const llvm::AllocaInst& local) const { return escaping_.contains(&local); }
  bool escapes(const llvm::AllocaInst& local) const { return escaping_.lookup(&local); }
  // The pointer can only point into private memory.
  bool is_private(const llvm::Value* pointer) const;
  // ... or into constants.
  bool is_private_or_constant(const llvm::Value* pointer) const;

 private:
  bool all_of(const llvm::Value* pointer, bool constants) const;

  llvm::DenseMap<const llvm::Value*, bool> escaping_;  // allocas and by-value arguments
};

// addresses.cpp: before all that follows, and after thread-local variables have got addresses of their threads.
void watch_addresses(llvm::Module& module, Runtime& runtime, Sites& sites);
// lower.cpp: rewrites into simpler IR, before privacy is decided.
void lower_calls(llvm::Function& f, Runtime& runtime, Sites& sites);  // __atomic_* functions, va_start, va_copy
void copy_escaping_arguments(llvm::Function& f);                      // by-value arguments
// accesses.cpp; returns the accesses that stay native.
llvm::SmallVector<llvm::Instruction*> rewrite_accesses(llvm::Function& f, Runtime& runtime, Sites& sites,
                                                       const Privacy& privacy);
// bounds.cpp
void check_bounds(llvm::ArrayRef<llvm::Instruction*> native, llvm::Function& f, Runtime& runtime, Sites& sites);
// locals.cpp
void rewrite_locals(llvm::Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy);
// control.cpp
void rewrite_calls(llvm::Function& f, Runtime& runtime, Sites& sites);
void rewrite_loops(llvm::Function& f, Runtime& runtime, Sites& sites, unsigned unroll);
// callers.cpp: what a library function does is told at the user's call of it.
void tell_callers(llvm::Module& module, Runtime& runtime, Sites& sites);
// globals.cpp
void lower_thread_locals(Program::Impl& program, Runtime& runtime, Sites& sites);
void describe_globals(Program::Impl& program);
void add_red_zones(llvm::Module& module);
void collect_externals(Program::Impl& program, Sites& sites);

}  // namespace heddle::frontend
