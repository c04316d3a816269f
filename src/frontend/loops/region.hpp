// The ways from a read to where its round ends.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include "frontend/loops/cuts.hpp"

namespace heddle::frontend {

// What a way from a read leads to.
struct Way {
  const llvm::Loop* loop = nullptr;  // null: an assumption
  const Cut* cut = nullptr;
  // Of the first try of a retry loop: a phi node of the head, or the first store, that gets the value read. The cut is
  // the head then.
  const llvm::Instruction* retried = nullptr;
  bool from_outside = false;  // from a look before the loop (retries.hpp): with any state that does not depend on it
  llvm::ArrayRef<llvm::StoreInst*> anew = {};  // that each round does
  llvm::ArrayRef<llvm::StoreInst*> dead = {};  // to variables of which nothing outlives a round
};

// The blocks that can be reached from a read without passing the cut.
class Region {
 public:
  // `ends`: whether the thread does something in the block, so that the way surely ends there.
  Region(const llvm::Instruction& read, const Way& way, llvm::function_ref<bool(const llvm::BasicBlock&)> ends)
      : read_(read), way_(way) {
    find(*read.getParent(), ends);
  }

  bool too_large() const { return too_large_; }
  llvm::ArrayRef<llvm::BasicBlock*> blocks() const { return blocks_; }  // each after those that lead to it
  bool comes_to_cut(const llvm::BasicBlock& to) const { return way_.cut && &to == way_.cut->block; }
  // Whether the edge can be followed. Not: out of the loop, round a cycle that does not pass the cut, back to the read.
  bool has(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
    const unsigned before = number_.lookup(&from);
    return before != 0 && is_inside(to) && before < number_.lookup(&to);
  }

 private:
  bool is_inside(const llvm::BasicBlock& to) const {
    return &to != read_.getParent() && !comes_to_cut(to) && (!way_.loop || way_.loop->contains(&to)) &&
           number_.contains(&to);
  }

  void find(const llvm::BasicBlock& start, llvm::function_ref<bool(const llvm::BasicBlock&)> ends);

  const llvm::Instruction& read_;
  const Way& way_;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> number_;
  bool too_large_ = false;
};

}  // namespace heddle::frontend
