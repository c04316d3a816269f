// What depends on a value of a function: the values that are computed from it, and what is done or not because of it.
//
// A branch that depends on the value is harmless if both ways come together again and nothing is done on them but
// computing and pausing. All that is computed there, or chosen where they come together, depends on the value then.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

#include "frontend/program/request.hpp"

namespace heddle::frontend {

// Of a function that is not changed meanwhile, but for instructions that compute.
class Influence {
 public:
  Influence(llvm::Function& f, const OfFunction& only_pauses);

  enum class Judgement { follow, harmless, matters };
  // What the caller knows of a use.
  using Judge = llvm::function_ref<Judgement(const llvm::Use&)>;

  struct Found {
    llvm::SmallSetVector<llvm::Value*, 16> values;
    llvm::SmallSetVector<llvm::BasicBlock*, 4> forks;  // they end with a branch that depends on the values
    const llvm::Instruction* matters = nullptr;        // its effect may be noticed; the rest is not complete then
  };
  Found of(llvm::ArrayRef<llvm::PHINode*> values, Judge judge);

  // Where the ways from a fork come together.
  llvm::BasicBlock* join(llvm::BasicBlock& fork);

  llvm::DominatorTree& dominators() { return dominators_; }
  llvm::LoopInfo& loops() { return loops_; }
  llvm::ScalarEvolution& evolution() { return evolution_; }

 private:
  bool does_nothing(const llvm::Instruction& i) const;
  bool spread_from_fork(llvm::BasicBlock& fork, Found& found);

  const OfFunction& only_pauses_;
  llvm::TargetLibraryInfoImpl library_info_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
  llvm::LoopInfo loops_;
  llvm::ScalarEvolution evolution_;
  bool irreducible_;  // has a cycle that is no loop
};

}  // namespace heddle::frontend
