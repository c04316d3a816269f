#include "frontend/loops/undone.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>

#include "frontend/loops/effects.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

bool adds(const Instruction& i) {
  const auto* rmw = dyn_cast<AtomicRMWInst>(&i);
  if (!rmw || rmw->isVolatile() || !rmw->getType()->isIntegerTy()) return false;
  return rmw->getOperation() == AtomicRMWInst::Add || rmw->getOperation() == AtomicRMWInst::Sub;
}

bool takes_back(const Instruction& u, const AtomicRMWInst& a) {
  using namespace PatternMatch;
  if (&u == &a || !adds(u) || !u.use_empty() || u.getType() != a.getType() || !is_same_place(u, a)) return false;
  const auto& back = cast<AtomicRMWInst>(u);
  const Value* const x = a.getValOperand();
  const Value* const y = back.getValOperand();
  if (back.getOperation() != a.getOperation()) return x == y;
  const auto* m = dyn_cast<ConstantInt>(x);
  const auto* n = dyn_cast<ConstantInt>(y);
  if (m && n) return m->getValue() == -n->getValue();
  return match(x, m_Neg(m_Specific(y))) || match(y, m_Neg(m_Specific(x)));
}

bool may_take_back(Module& module) {
  for (Function& f : module) {
    SmallVector<const AtomicRMWInst*> all;
    for (const BasicBlock& block : f) {
      for (const Instruction& i : block) {
        if (adds(i)) all.push_back(cast<AtomicRMWInst>(&i));
      }
    }
    if (all.size() < 2) continue;
    const DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    for (const AtomicRMWInst* u : all) {
      if (!loops.getLoopFor(u->getParent())) continue;
      if (any_of(all, [&](const AtomicRMWInst* a) { return !a->use_empty() && takes_back(*u, *a); })) return true;
    }
  }
  return false;
}

}  // namespace heddle::frontend
