// What the passes of this room know of the loops of a function: one table.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <vector>

namespace heddle::frontend {

// Of a loop, by its head.
struct LoopFact {
  llvm::SmallVector<llvm::BasicBlock*, 2> cuts;        // where its rounds begin (cuts.hpp)
  llvm::SmallVector<llvm::BasicBlock*, 1> await_cuts;  // where they begin for an await
  // Of a cut: the variables of the function in memory that the state has besides.
  llvm::SmallDenseMap<const llvm::BasicBlock*, llvm::SmallVector<llvm::AllocaInst*, 2>, 2> memory;
  bool waits = false;              // for a value that it reads
  bool pure = false;               // a round may change nothing
  bool spin = false;               // but count; rounds that do nothing else are skipped (spins.hpp)
  std::string no_spin;             // it looks like that, but this stands against it
  std::vector<std::string> moves;  // variables that each round changes
  std::vector<std::string> idle;   // variables that decide no more than pauses, and are left out
};
using LoopFacts = llvm::DenseMap<const llvm::BasicBlock*, LoopFact>;

}  // namespace heddle::frontend
