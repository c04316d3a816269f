// Puts the calls of image/entry_points.hpp into a simplified module. instrument() is the whole; the rest are its parts,
// one file each.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "frontend/checks/privacy.hpp"
#include "frontend/ir/runtime.hpp"
#include "frontend/ir/sites.hpp"
#include "frontend/ir/types.hpp"
#include "frontend/program/impl.hpp"
#include "frontend/program/request.hpp"
#include "frontend/rewrite/allocations.hpp"

namespace heddle::frontend {

// Throws UserError for what heddle does not support, with the place.
void instrument(Program::Impl& program, const CompileRequest& request);

// What reports need to name memory.
struct Names {
  Types types;
  const AllocatedTypes allocated;
  std::vector<Image::Local>& locals;
  std::vector<Image::Allocation>& allocations;
};

// addresses.cpp: before all that follows, and after thread-local variables have got addresses of their threads.
void watch_addresses(llvm::Module& module, Runtime& runtime, Sites& sites);
// accesses.cpp. Results that the program does not use are marked before anything of ours uses them.
void mark_unused_results(llvm::Module& module);
void rewrite_accesses(llvm::Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy);
// locals.cpp
void rewrite_locals(llvm::Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy, Names& names);
// calls.cpp
void rewrite_calls(llvm::Function& f, Runtime& runtime, Sites& sites, const OfFunction& tells_changes, Names& names);
// callers.cpp: what a library function does is told at the user's call of it.
void tell_callers(llvm::Module& module, Runtime& runtime, Sites& sites);
// last_joins.cpp
void mark_last_joins(llvm::Module& module, const OfFunction& frees);
// globals.cpp
void lower_thread_locals(Program::Impl& program, Runtime& runtime, Sites& sites);
void describe_globals(Program::Impl& program);
void add_red_zones(llvm::Module& module);
void collect_externals(Program::Impl& program, Sites& sites);

}  // namespace heddle::frontend
