#include "frontend/loops/await_conditions.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/PatternMatch.h>

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

constexpr int kMaxDepth = 8;  // of what is computed after the read, from what is there before

}  // namespace

FormulaRef Conditions::of(Value* v, const Way& way) const {
  using namespace PatternMatch;
  v = resolve(v, way);
  if (const auto* constant = dyn_cast<ConstantInt>(v)) return Formula::constant(constant->isOne());
  if (is_known(v)) return Formula::fact(v);
  Value *a = nullptr, *b = nullptr, *c = nullptr;
  if (match(v, m_Not(m_Value(a)))) return no(of(a, way));
  if (match(v, m_LogicalAnd(m_Value(a), m_Value(b)))) return both(of(a, way), of(b, way));
  if (match(v, m_LogicalOr(m_Value(a), m_Value(b)))) return no(both(no(of(a, way)), no(of(b, way))));
  if (match(v, m_Select(m_Value(c), m_Value(a), m_Value(b)))) return choice(of(c, way), of(a, way), of(b, way));
  if (auto* compare = dyn_cast<ICmpInst>(v))
    return comparison(compare->getPredicate(), compare->getOperand(0), compare->getOperand(1), way);
  if (const auto* part = dyn_cast<ExtractValueInst>(v); part && part->getAggregateOperand() == &read_)
    return succeeds();
  const auto mask = bits_of(v, way);
  return mask ? Formula::compare(CmpInst::ICMP_NE, *mask, ConstantInt::getFalse(v->getContext())) : nullptr;
}

FormulaRef Conditions::is_not_zero(Value* v, const Way& way) const {
  if (v->getType()->isIntegerTy(1)) return of(v, way);
  return comparison(CmpInst::ICMP_NE, v, ConstantInt::get(v->getType(), 0), way);
}

FormulaRef Conditions::succeeds() const {
  Value* expected = cast<AtomicCmpXchgInst>(read_).getCompareOperand();
  const auto width = static_cast<unsigned>(layout_.getTypeSizeInBits(expected->getType()));
  return Formula::compare(CmpInst::ICMP_EQ, APInt::getAllOnes(width), expected);
}

FormulaRef Conditions::choice(const FormulaRef& condition, const FormulaRef& then, const FormulaRef& otherwise) {
  if (!condition || !then || !otherwise) return nullptr;
  return Formula::either(Formula::both(condition, then), Formula::both(Formula::no(condition), otherwise));
}

bool Conditions::is_known(const Value* v, int depth) const {
  const auto* i = dyn_cast<Instruction>(v);
  if (!i || dominators_.dominates(i, &read_)) return true;
  if (i == &read_ || isa<PHINode>(i) || depth == kMaxDepth) return false;
  return isSafeToSpeculativelyExecute(i) && !i->mayReadOrWriteMemory() &&
         all_of(i->operands(), [&](const Use& u) { return is_known(u.get(), depth + 1); });
}

bool Conditions::is_value_read(const Value* v) const {
  if (!isa<AtomicCmpXchgInst>(read_)) return v == &read_;
  const auto* part = dyn_cast<ExtractValueInst>(v);
  return part && part->getAggregateOperand() == &read_ && part->getIndices()[0] == 0;
}

Value* Conditions::resolve(Value* v, const Way& way) {
  for (const auto* phi = dyn_cast<PHINode>(v); phi; phi = dyn_cast<PHINode>(v)) {
    const auto it = way.find(phi);
    if (it == way.end()) break;
    v = it->second;
  }
  return v;
}

FormulaRef Conditions::comparison(CmpInst::Predicate predicate, Value* a, Value* b, const Way& way) const {
  a = resolve(a, way);
  b = resolve(b, way);
  if (isa<Constant>(a)) {
    std::swap(a, b);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  if (const auto f = of_a_truth(predicate, a, b, way)) return f;
  narrow(predicate, a, b, way);
  if (const auto *x = dyn_cast<ConstantInt>(a), *y = dyn_cast<ConstantInt>(b); x && y)
    return Formula::constant(ICmpInst::compare(x->getValue(), y->getValue(), predicate));
  if (const auto mask = bits_of(a, way); mask && is_known(b)) return Formula::compare(predicate, *mask, b);
  if (const auto mask = bits_of(b, way); mask && is_known(a))
    return Formula::compare(CmpInst::getSwappedPredicate(predicate), *mask, a);
  if (auto f = distance(predicate, a, b, way)) return f;
  return distance(CmpInst::getSwappedPredicate(predicate), b, a, way);
}

FormulaRef Conditions::distance(CmpInst::Predicate predicate, Value* a, Value* b, const Way& way) const {
  using namespace PatternMatch;
  const unsigned width = a->getType()->isIntegerTy() ? a->getType()->getIntegerBitWidth() : 0;
  if (width < 8 || width > 64 || !isPowerOf2_32(width)) return nullptr;
  if (CmpInst::isSigned(predicate) || !is_known(b)) return nullptr;
  const auto is_read = [&](Value* v) {
    const auto bits = bits_of(v, way);
    return bits && bits->isAllOnes();
  };
  Value *x = nullptr, *y = nullptr, *from = nullptr;
  const APInt* number = nullptr;
  bool backwards = false;
  if (match(a, m_Add(m_Value(x), m_APInt(number)))) {
    from = ConstantInt::get(a->getType(), -*number);
  } else if (match(a, m_Sub(m_Value(x), m_Value(y)))) {
    backwards = is_read(y);
    from = resolve(backwards ? x : y, way);
    if (backwards) x = y;
  }
  if (!from || !is_read(x) || !is_known(from)) return nullptr;
  return Formula::compare({predicate, APInt::getAllOnes(width), b, from, backwards});
}

FormulaRef Conditions::of_a_truth(CmpInst::Predicate predicate, Value* a, Value* b, const Way& way) const {
  const auto* number = dyn_cast<ConstantInt>(b);
  const auto* wide = dyn_cast<ZExtInst>(a);
  Value* truth = wide ? wide->getOperand(0) : a;
  if (!number || !truth->getType()->isIntegerTy(1) || !ICmpInst::isEquality(predicate)) return nullptr;
  if (number->getValue().ugt(1)) return nullptr;
  const auto f = of(truth, way);
  return number->isOne() == (predicate == CmpInst::ICMP_EQ) ? f : no(f);
}

void Conditions::narrow(CmpInst::Predicate& predicate, Value*& a, Value*& b, const Way& way) {
  auto* wide = dyn_cast<CastInst>(a);
  if (!wide || !(isa<ZExtInst>(wide) || isa<SExtInst>(wide))) return;
  const bool is_signed = isa<SExtInst>(wide);
  const unsigned width = wide->getSrcTy()->getIntegerBitWidth();
  Value* other = nullptr;
  if (const auto* number = dyn_cast<ConstantInt>(b)) {
    const APInt& n = number->getValue();
    if (is_signed ? n.isSignedIntN(width) : n.isIntN(width)) other = ConstantInt::get(b->getContext(), n.trunc(width));
  } else if (const auto* cast = dyn_cast<CastInst>(b)) {
    if (cast->getOpcode() == wide->getOpcode() && cast->getSrcTy() == wide->getSrcTy()) other = cast->getOperand(0);
  }
  if (!other) return;
  a = resolve(wide->getOperand(0), way);
  b = resolve(other, way);
  if (!is_signed) predicate = ICmpInst::getUnsignedPredicate(predicate);
}

std::optional<APInt> Conditions::bits_of(Value* v, const Way& way) const {
  using namespace PatternMatch;
  v = resolve(v, way);
  if (!v->getType()->isIntOrPtrTy()) return std::nullopt;
  const auto width = static_cast<unsigned>(layout_.getTypeSizeInBits(v->getType()));
  if (is_value_read(v)) return APInt::getAllOnes(width);
  Value* from = nullptr;
  const APInt* mask = nullptr;
  if (match(v, m_And(m_Value(from), m_APInt(mask)))) {
    const auto bits = bits_of(from, way);
    return bits ? std::optional(*bits & *mask) : std::nullopt;
  }
  const auto* cast = dyn_cast<CastInst>(v);
  if (!cast || !isa<TruncInst, ZExtInst, PtrToIntInst, IntToPtrInst>(cast)) return std::nullopt;
  const auto bits = bits_of(cast->getOperand(0), way);
  return bits ? std::optional(bits->zextOrTrunc(width)) : std::nullopt;
}

}  // namespace heddle::frontend
