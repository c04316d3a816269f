// What the passes of this room tell each other of a loop.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/BasicBlock.h>

#include <string>
#include <vector>

namespace heddle::frontend {

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

}  // namespace heddle::frontend
