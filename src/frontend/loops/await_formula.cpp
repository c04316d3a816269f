#include "frontend/loops/await_formula.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "core/assert.hpp"
#include "core/conditions.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

std::optional<APInt> Comparison::number() const {
  if (isa<ConstantPointerNull>(other)) return APInt::getZero(mask.getBitWidth());
  const auto* constant = dyn_cast<ConstantInt>(other);
  return constant ? std::optional(constant->getValue()) : std::nullopt;
}

bool Comparison::holds(const APInt& value) const {
  HEDDLE_ASSERT(number() && !from);
  return ICmpInst::compare(value.zextOrTrunc(mask.getBitWidth()) & mask, *number(), predicate);
}

FormulaRef Formula::constant(bool value) {
  auto f = std::make_shared<Formula>();
  f->value_ = value;
  return f;
}

FormulaRef Formula::compare(Comparison c) {
  const bool negative = c.predicate == CmpInst::ICMP_NE || c.predicate == CmpInst::ICMP_UGE ||
                        c.predicate == CmpInst::ICMP_ULE || c.predicate == CmpInst::ICMP_SGE ||
                        c.predicate == CmpInst::ICMP_SLE;
  if (negative) c.predicate = CmpInst::getInversePredicate(c.predicate);
  HEDDLE_ASSERT(is_contained(
      {CmpInst::ICMP_EQ, CmpInst::ICMP_ULT, CmpInst::ICMP_UGT, CmpInst::ICMP_SLT, CmpInst::ICMP_SGT}, c.predicate));
  HEDDLE_ASSERT(!c.other->getType()->isIntegerTy() || c.other->getType()->getIntegerBitWidth() == c.mask.getBitWidth());
  HEDDLE_ASSERT(!c.from || (c.mask.isAllOnes() && !CmpInst::isSigned(c.predicate)));
  auto f = std::make_shared<Formula>();
  f->kind_ = Kind::comparison;
  f->comparison_ = std::move(c);
  return negative ? no(std::move(f)) : f;
}

FormulaRef Formula::fact(Value* condition) {
  auto f = std::make_shared<Formula>();
  f->kind_ = Kind::fact;
  f->fact_ = condition;
  return f;
}

FormulaRef Formula::no(FormulaRef f) {
  if (f->kind_ == Kind::constant) return constant(!f->value_);
  if (f->kind_ == Kind::no) return f->first_;
  auto n = std::make_shared<Formula>();
  n->kind_ = Kind::no;
  n->first_ = std::move(f);
  return n;
}

FormulaRef Formula::both(FormulaRef f, FormulaRef g) {
  if (f->is(false) || g->is(true)) return f;
  if (g->is(false) || f->is(true)) return g;
  auto n = std::make_shared<Formula>();
  n->kind_ = Kind::both;
  n->first_ = std::move(f);
  n->second_ = std::move(g);
  return n;
}

FormulaRef Formula::either(FormulaRef f, FormulaRef g) {
  if (f->is(true) || g->is(false)) return f;
  if (g->is(true) || f->is(false)) return g;
  auto n = std::make_shared<Formula>();
  n->kind_ = Kind::either;
  n->first_ = std::move(f);
  n->second_ = std::move(g);
  return n;
}

bool Formula::value(function_ref<bool(const Comparison&)> holds) const {
  switch (kind_) {
    case Kind::constant: return value_;
    case Kind::comparison: return holds(comparison_);
    case Kind::no: return !first_->value(holds);
    case Kind::both: return first_->value(holds) && second_->value(holds);
    case Kind::either: return first_->value(holds) || second_->value(holds);
    case Kind::fact: break;
  }
  llvm_unreachable("a fact is not known");
}

FormulaRef Formula::with(const FormulaRef& f, function_ref<bool(const Formula&)> is_known, bool value) {
  if (is_known(*f)) return constant(value);
  switch (f->kind_) {
    case Kind::constant:
    case Kind::comparison:
    case Kind::fact: return f;
    case Kind::no: return no(with(f->first_, is_known, value));
    case Kind::both: return both(with(f->first_, is_known, value), with(f->second_, is_known, value));
    case Kind::either: return either(with(f->first_, is_known, value), with(f->second_, is_known, value));
  }
  llvm_unreachable("no such formula");
}

FormulaRef Formula::with(const FormulaRef& f, const Value* fact, bool value) {
  const auto is_known = [&](const Formula& x) { return x.kind_ == Kind::fact && x.fact_ == fact; };
  return with(f, is_known, value);
}

FormulaRef Formula::with(const FormulaRef& f, const Comparison& c, bool value) {
  const auto is_known = [&](const Formula& x) { return x.kind_ == Kind::comparison && x.comparison_ == c; };
  return with(f, is_known, value);
}

void Formula::collect(SmallVectorImpl<Comparison>& comparisons, SmallVectorImpl<Value*>& facts) const {
  if (kind_ == Kind::comparison && !is_contained(comparisons, comparison_)) comparisons.push_back(comparison_);
  if (kind_ == Kind::fact && !is_contained(facts, fact_)) facts.push_back(fact_);
  if (first_) first_->collect(comparisons, facts);
  if (second_) second_->collect(comparisons, facts);
}

namespace {

AwaitCode never() { return {Await::part_not_equal, nullptr, 0, 0}; }

std::optional<Await> await_for(const Comparison& c, bool wanted = true) {
  const bool whole = c.mask.isAllOnes();
  switch (c.predicate) {
    case CmpInst::ICMP_EQ: return wanted ? Await::part_equal : Await::part_not_equal;
    case CmpInst::ICMP_ULT: return wanted ? Await::less : Await::greater_equal;
    case CmpInst::ICMP_UGT: return wanted ? Await::greater : Await::less_equal;
    case CmpInst::ICMP_SLT:
      return whole ? std::optional(wanted ? Await::signed_less : Await::signed_greater_equal) : std::nullopt;
    case CmpInst::ICMP_SGT:
      return whole ? std::optional(wanted ? Await::signed_greater : Await::signed_less_equal) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<AwaitCode> one_comparison(const Formula& goes_on, const Comparison& c) {
  const bool if_true = goes_on.value([](const Comparison&) { return true; });
  const bool if_false = goes_on.value([](const Comparison&) { return false; });
  if (if_true == if_false) return if_true ? AwaitCode{} : never();
  if (c.from) {
    const auto size = static_cast<uint8_t>(c.mask.getBitWidth() / 8);
    const uint64_t code = distance_code(size, if_true == (c.predicate != CmpInst::ICMP_UGT));
    return AwaitCode{Await::distance, nullptr, 0, code, {}, c};
  }
  const auto await = await_for(c, if_true);
  return await ? std::optional(AwaitCode{*await, c.other, 0, c.mask.getZExtValue()}) : std::nullopt;
}

bool is_whole(const Comparison& c, unsigned width) {
  return !c.from && c.mask.getBitWidth() == width && c.mask.isAllOnes();
}

// All numbers beyond either end of the set must be alike.
std::optional<AwaitCode> one_of(const Formula& goes_on, ArrayRef<Comparison> comparisons, unsigned width) {
  for (const Comparison& c : comparisons) {
    const auto number = c.number();
    if (!is_whole(c, width) || !number) return std::nullopt;
    if (number->sle(kSetFirst) || number->sge(kSetLast)) return std::nullopt;
  }
  const heddle::Value set = number_set(static_cast<uint8_t>(width / 8), [&](int64_t v) {
    const APInt value(width, static_cast<uint64_t>(v), /*isSigned=*/true);
    return goes_on.value([&](const Comparison& c) { return c.holds(value); });
  });
  return AwaitCode{Await::one_of, nullptr, set.lo, set.hi};
}

std::optional<AwaitCode> pair(const Formula& goes_on, const Comparison& a, const Comparison& b, unsigned width) {
  const auto number = b.number();
  const auto first = await_for(a);
  const auto second = await_for(b);
  if (!is_whole(a, width) || b.from || !number || !first || !second) return std::nullopt;
  const bool whole = is_whole(b, width);
  if (!whole && number->getActiveBits() > 63) return std::nullopt;
  Comparisons c{.size = static_cast<uint8_t>(width / 8), .first = *first, .second = *second};
  c.mask = whole ? ~uint64_t{0} : b.mask.getZExtValue();
  c.small = whole ? number->getSExtValue() : static_cast<int64_t>(number->getZExtValue());
  for (unsigned row = 0; row < 4; ++row) {
    const bool holds = goes_on.value([&](const Comparison& x) { return ((x == a ? row : row >> 1) & 1) != 0; });
    c.table |= static_cast<uint8_t>(holds ? 1 << row : 0);
  }
  const auto code = pair_code(c);
  return code ? std::optional(AwaitCode{Await::pair, a.other, 0, *code}) : std::nullopt;
}

// Only signed comparisons, or only unsigned ones.
std::optional<AwaitCode> relations(const Formula& goes_on, ArrayRef<Comparison> comparisons, unsigned width) {
  SmallVector<Value*, 3> numbers;
  bool is_signed = false;
  bool is_unsigned = false;
  for (const Comparison& c : comparisons) {
    const auto number = c.number();
    if (!is_whole(c, width) || !c.other->getType()->isIntegerTy()) return std::nullopt;
    if (width == 64 && number && !number->isSignedIntN(32)) return std::nullopt;
    if (!is_contained(numbers, c.other)) numbers.push_back(c.other);
    is_signed |= CmpInst::isSigned(c.predicate);
    is_unsigned |= CmpInst::isUnsigned(c.predicate);
  }
  if (numbers.size() > kMaxRelations || (is_signed && is_unsigned)) return std::nullopt;
  uint32_t table = 0;
  for (unsigned place = 0; place < kRelationTable; ++place) {
    const bool holds = goes_on.value([&](const Comparison& c) {
      unsigned digits = place;
      HEDDLE_ASSERT(is_contained(numbers, c.other));
      for (auto it = numbers.begin(); *it != c.other; ++it) digits /= 3;
      const bool is_less = c.predicate == CmpInst::ICMP_ULT || c.predicate == CmpInst::ICMP_SLT;
      return digits % 3 == (is_less ? 0 : c.predicate == CmpInst::ICMP_EQ ? 1 : 2);
    });
    table |= uint32_t{holds} << place;
  }
  return AwaitCode{Await::relations, nullptr, 0, relations_code(static_cast<uint8_t>(width / 8), is_signed, table),
                   numbers};
}

}  // namespace

std::optional<AwaitCode> await_code(FormulaRef goes_on, unsigned width) {
  SmallVector<Comparison> comparisons;
  SmallVector<Value*> facts;
  goes_on->collect(comparisons, facts);
  HEDDLE_ASSERT(facts.empty() && (width == 8 || width == 16 || width == 32 || width == 64));
  if (comparisons.size() > 1) {
    // There is no await for a distance and something else: the thread goes on if it may.
    for (const Comparison& c : comparisons) {
      if (c.from) goes_on = Formula::either(Formula::with(goes_on, c, true), Formula::with(goes_on, c, false));
    }
    comparisons.clear();
    goes_on->collect(comparisons, facts);
  }
  if (goes_on->is(true)) return AwaitCode{};
  if (goes_on->is(false)) return never();
  if (comparisons.size() == 1) return one_comparison(*goes_on, comparisons[0]);
  if (auto code = one_of(*goes_on, comparisons, width)) return code;
  if (comparisons.size() == 2) {
    if (auto code = pair(*goes_on, comparisons[0], comparisons[1], width)) return code;
    if (auto code = pair(*goes_on, comparisons[1], comparisons[0], width)) return code;
  }
  return relations(*goes_on, comparisons, width);
}

}  // namespace heddle::frontend
