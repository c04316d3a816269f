// Puts the calls of image/entry_points.hpp into a simplified module. instrument() is the whole; the rest are its parts,
// one file each.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include "frontend/ir/runtime.hpp"
#include "frontend/ir/sites.hpp"
#include "frontend/ir/types.hpp"
#include "frontend/program/impl.hpp"

namespace heddle::frontend {

// Throws UserError for what heddle does not support, with the place.
void instrument(Program::Impl& program, const CompileRequest& request);

// Which memory of a function only its own thread can reach, and has been checked already: local variables that are
// settled (check.hpp). Decided once, before the instrumentation itself adds variables.
class Privacy {
 public:
  explicit Privacy(llvm::Function& f);

  // The others, which go to the arena.
  llvm::ArrayRef<llvm::AllocaInst*> escaping() const { return escaping_; }
  // The pointer can only point into private memory.
  bool is_private(const llvm::Value* pointer) const;
  // ... or into constants.
  bool is_private_or_constant(const llvm::Value* pointer) const;
  // A variable of the program's, not one that the instrumentation has added.
  bool knows(const llvm::AllocaInst& local) const { return known_.contains(&local); }

 private:
  llvm::SmallVector<llvm::AllocaInst*> escaping_;
  llvm::SmallPtrSet<const llvm::AllocaInst*, 8> known_;
};

// What is known of the loops of a function, by their heads.
struct LoopFact {
  bool waits = false;              // for a value that it reads
  bool pure = false;               // a round may change nothing
  bool spin = false;               // but count; rounds that do nothing else are skipped (spins.hpp)
  std::string no_spin;             // it looks like that, but this stands against it
  std::vector<std::string> moves;  // variables that other rounds always change
  std::vector<std::string> idle;   // variables that decide nothing but how long it pauses, and are left out
};
using LoopFacts = llvm::DenseMap<const llvm::BasicBlock*, LoopFact>;

// time_limits.cpp, accesses.cpp: before anything of ours uses what the program does not.
void find_time_limits(llvm::Module& module, const CompileRequest& request);
void mark_unused_results(llvm::Module& module);
// pauses.cpp: before privacy is decided.
void leave_out_pauses(llvm::Function& f, const OfFunction& only_pauses, LoopFacts& facts);
// addresses.cpp: before all that follows, and after thread-local variables have got addresses of their threads.
void watch_addresses(llvm::Module& module, Runtime& runtime, Sites& sites);
// lower.cpp: rewrites into simpler IR, before privacy is decided.
void name_syscalls(llvm::Module& module);
void lower_calls(llvm::Function& f, Runtime& runtime, Sites& sites);  // __atomic_* functions, va_start, va_copy
// awaits.cpp: before the accesses are rewritten
void rewrite_awaits(llvm::Function& f, Runtime& runtime, const Privacy& privacy, const CompileRequest& request,
                    const OfFunction& only_pauses, LoopFacts& facts);
// accesses.cpp
void rewrite_accesses(llvm::Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy);
// allocations.cpp: the types of what calls allocate, by their places, which inlining leaves as they are.
class AllocatedTypes {
 public:
  explicit AllocatedTypes(llvm::Module& module);
  // Null if it is not known, or the call does not allocate.
  const llvm::DIType* of(const llvm::CallBase& call) const;

 private:
  using Place = std::pair<const llvm::Metadata*, std::pair<unsigned, unsigned>>;  // scope, line, column
  llvm::DenseMap<Place, const llvm::DIType*> types_;
};
// What reports need to name memory.
struct Names {
  Types types;
  const AllocatedTypes allocated;
  std::vector<Image::Local>& locals;
  std::vector<Image::Allocation>& allocations;
};
// locals.cpp
void rewrite_locals(llvm::Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy, Names& names);
// rounds.cpp: before the accesses are rewritten, stores to variables in memory that do not outlive a round of the
// innermost loop; after it, the rest.
void rewrite_short_lives(llvm::Function& f, Runtime& runtime, const Privacy& privacy);
void rewrite_rounds(llvm::Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy,
                    const OfFunction& only_pauses, const OfFunction& gives_back, LoopFacts& facts);
// The name of a variable as the source has it: what LLVM makes of it keeps that.
std::string source_name(const llvm::PHINode& phi);
// calls.cpp
void rewrite_calls(llvm::Function& f, Runtime& runtime, Sites& sites, const OfFunction& tells_changes, Names& names);
// loops.cpp: after the others, of which it tells (notes).
void rewrite_loops(llvm::Function& f, Runtime& runtime, Sites& sites, const LoopFacts& facts,
                   llvm::MutableArrayRef<Unroll> unroll, std::vector<LoopNote>& notes);
bool has_call(const llvm::Loop& loop);
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
