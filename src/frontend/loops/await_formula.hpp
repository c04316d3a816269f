// What decides whether a loop goes round, as a formula over the value that a read of it finds, and what an await says
// of such a formula.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

#include <memory>
#include <optional>

#include "core/action.hpp"

namespace heddle::frontend {

// The bits of `mask` compared with `other`. The predicate is one of EQ, ULT, UGT, SLT, SGT. Or, if there is a `from`,
// how far the whole value is from that, or that from it; not signed.
struct Comparison {
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::ICMP_EQ;
  llvm::APInt mask;
  llvm::Value* other = nullptr;  // of the mask's width
  llvm::Value* from = nullptr;   // likewise
  bool backwards = false;        // `from` less the value

  // What `other` is, if that is known.
  std::optional<llvm::APInt> number() const;
  // Whether a value satisfies it; only if `other` is known.
  bool holds(const llvm::APInt& value) const;
  bool operator==(const Comparison& c) const {
    return predicate == c.predicate && other == c.other && from == c.from && backwards == c.backwards &&
           mask.getBitWidth() == c.mask.getBitWidth() && mask == c.mask;
  }
};

class Formula;
using FormulaRef = std::shared_ptr<const Formula>;

class Formula {
 public:
  enum class Kind { constant, comparison, fact, no, both, either };

  static FormulaRef constant(bool value);
  // With any predicate for integers.
  static FormulaRef compare(Comparison c);
  static FormulaRef compare(llvm::CmpInst::Predicate predicate, llvm::APInt mask, llvm::Value* other) {
    return compare({predicate, std::move(mask), other});
  }
  // Something that the thread knows before the read.
  static FormulaRef fact(llvm::Value* condition);
  static FormulaRef no(FormulaRef f);
  static FormulaRef both(FormulaRef f, FormulaRef g);
  static FormulaRef either(FormulaRef f, FormulaRef g);

  bool is(bool value) const { return kind_ == Kind::constant && value_ == value; }

  // Of one that has no facts, where `holds` says which comparisons do.
  bool value(llvm::function_ref<bool(const Comparison&)> holds) const;
  // Where a fact, or what a comparison says, is known.
  static FormulaRef with(const FormulaRef& f, const llvm::Value* fact, bool value);
  static FormulaRef with(const FormulaRef& f, const Comparison& c, bool value);

  // Each once.
  void collect(llvm::SmallVectorImpl<Comparison>& comparisons, llvm::SmallVectorImpl<llvm::Value*>& facts) const;

 private:
  static FormulaRef with(const FormulaRef& f, llvm::function_ref<bool(const Formula&)> is_known, bool value);

  Kind kind_ = Kind::constant;
  bool value_ = false;
  Comparison comparison_;
  llvm::Value* fact_ = nullptr;
  FormulaRef first_, second_;
};

// An await as the runtime gets it: `number` is a number or, if there is a value, that one.
struct AwaitCode {
  Await await = Await::none;
  llvm::Value* value = nullptr;
  uint64_t number = 0;
  uint64_t mask = 0;
  llvm::SmallVector<llvm::Value*, 3> numbers = {};  // of Await::relations; they must fit
  std::optional<Comparison> distance = {};          // of Await::distance; its bound must fit
};

// Waits until the formula holds, or less long; it has no facts. Nothing if there is no such await. The value read has
// so many bits.
std::optional<AwaitCode> await_code(FormulaRef goes_on, unsigned width);

}  // namespace heddle::frontend
