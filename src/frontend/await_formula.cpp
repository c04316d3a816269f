#include "frontend/await_formula.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

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
  return ICmpInst::compare(value.zextOrTrunc(mask.getBitWidth()) & mask, *number(), predicate);
}

FormulaRef Formula::constant(bool value) {
  auto f = std::make_shared<Formula>();
  f->value_ = value;
  return f;
}

FormulaRef Formula::compare(CmpInst::Predicate predicate, APInt mask, Value* other) {
  const bool negative = predicate == CmpInst::ICMP_NE || predicate == CmpInst::ICMP_UGE ||
                        predicate == CmpInst::ICMP_ULE || predicate == CmpInst::ICMP_SGE ||
                        predicate == CmpInst::ICMP_SLE;
  auto f = std::make_shared<Formula>();
  f->kind_ = Kind::comparison;
  f->comparison_ = {negative ? CmpInst::getInversePredicate(predicate) : predicate, std::move(mask), other};
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

FormulaRef Formula::with(const FormulaRef& f, const Value* fact, bool value) {
  switch (f->kind_) {
    case Kind::constant:
    case Kind::comparison: return f;
    case Kind::fact: return f->fact_ == fact ? constant(value) : f;
    case Kind::no: return no(with(f->first_, fact, value));
    case Kind::both: return both(with(f->first_, fact, value), with(f->second_, fact, value));
    case Kind::either: return either(with(f->first_, fact, value), with(f->second_, fact, value));
  }
  llvm_unreachable("no such formula");
}

void Formula::collect(SmallVectorImpl<Comparison>& comparisons, SmallVectorImpl<Value*>& facts) const {
  if (kind_ == Kind::comparison && !is_contained(comparisons, comparison_)) comparisons.push_back(comparison_);
  if (kind_ == Kind::fact && !is_contained(facts, fact_)) facts.push_back(fact_);
  if (first_) first_->collect(comparisons, facts);
  if (second_) second_->collect(comparisons, facts);
}

namespace {

constexpr AwaitCode kNever{Await::part_not_equal, nullptr, 0, 0};

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
  if (if_true == if_false) return if_true ? AwaitCode{} : kNever;
  const auto await = await_for(c, if_true);
  return await ? std::optional(AwaitCode{*await, c.other, 0, c.mask.getZExtValue()}) : std::nullopt;
}

bool is_whole(const Comparison& c, unsigned width) { return c.mask.getBitWidth() == width && c.mask.isAllOnes(); }

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
  if (!is_whole(a, width) || !number || !first || !second) return std::nullopt;
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

}  // namespace

std::optional<AwaitCode> await_code(const Formula& goes_on, unsigned width) {
  if (goes_on.is(true)) return AwaitCode{};
  if (goes_on.is(false)) return kNever;
  SmallVector<Comparison> comparisons;
  SmallVector<Value*> facts;
  goes_on.collect(comparisons, facts);
  if (comparisons.size() == 1) return one_comparison(goes_on, comparisons[0]);
  if (auto code = one_of(goes_on, comparisons, width)) return code;
  if (comparisons.size() != 2) return std::nullopt;
  if (auto code = pair(goes_on, comparisons[0], comparisons[1], width)) return code;
  return pair(goes_on, comparisons[1], comparisons[0], width);
}

}  // namespace heddle::frontend
