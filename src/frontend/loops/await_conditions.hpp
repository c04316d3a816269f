// What a branch asks of the value of a read, as a formula: for awaits.cpp.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "frontend/loops/await_formula.hpp"

namespace heddle::frontend {

// What the phi nodes are on a way, and what is stored there (retries.hpp).
using Way = llvm::SmallDenseMap<const llvm::Instruction*, llvm::Value*, 4>;

// A formula of a condition, for one read.
class Conditions {
 public:
  Conditions(llvm::Instruction& read, const llvm::DominatorTree& dominators)
      : read_(read), dominators_(dominators), layout_(read.getDataLayout()) {}

  // Nothing if it cannot be said.
  FormulaRef of(llvm::Value* v, const Way& way) const;

  // Of a number that stands for a truth, as C has it.
  FormulaRef is_not_zero(llvm::Value* v, const Way& way) const;

  FormulaRef equal(llvm::Value* v, llvm::ConstantInt* to, const Way& way) const {
    return comparison(llvm::CmpInst::ICMP_EQ, v, to, way);
  }

  // Of a compare-exchange.
  FormulaRef succeeds() const;

  static FormulaRef choice(const FormulaRef& condition, const FormulaRef& then, const FormulaRef& otherwise);

  // Whether the thread has the value before the read, or could have.
  bool is_known(const llvm::Value* v, int depth = 0) const;

  // Whether the thread has come through the block to the read, in any case.
  bool is_before(const llvm::BasicBlock& block) const { return dominators_.dominates(&block, read_.getParent()); }

  bool is_value_read(const llvm::Value* v) const;

  static llvm::Value* resolve(llvm::Value* v, const Way& way);

 private:
  static FormulaRef no(const FormulaRef& f) { return f ? Formula::no(f) : nullptr; }
  static FormulaRef both(const FormulaRef& f, const FormulaRef& g) { return f && g ? Formula::both(f, g) : nullptr; }

  FormulaRef comparison(llvm::CmpInst::Predicate predicate, llvm::Value* a, llvm::Value* b, const Way& way) const;

  // Of a difference of the value read and something known.
  FormulaRef distance(llvm::CmpInst::Predicate predicate, llvm::Value* a, llvm::Value* b, const Way& way) const;

  // A condition that was made a number is compared with 0 or 1.
  FormulaRef of_a_truth(llvm::CmpInst::Predicate predicate, llvm::Value* a, llvm::Value* b, const Way& way) const;

  // Compares what was widened as it was before, where that is the same.
  static void narrow(llvm::CmpInst::Predicate& predicate, llvm::Value*& a, llvm::Value*& b, const Way& way);

  // The bits of the value read that a value consists of, as wide as the value.
  std::optional<llvm::APInt> bits_of(llvm::Value* v, const Way& way) const;

  llvm::Instruction& read_;
  const llvm::DominatorTree& dominators_;
  const llvm::DataLayout& layout_;
};

}  // namespace heddle::frontend
