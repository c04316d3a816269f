#include "frontend/retries.hpp"

#include <llvm/IR/IntrinsicInst.h>

#include "frontend/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

constexpr int kMostSteps = 8;  // of the computation of an address

bool touches_no_memory(const Instruction& i) {
  if (isa<DbgInfoIntrinsic>(i) || is_keep(i)) return true;
  return !isa<CallBase>(i) && !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects();
}

// Whether the value is the same in all rounds.
bool stays(const Loop& loop, const Value* v, int steps = kMostSteps) {
  const auto* i = dyn_cast<Instruction>(v);
  if (!i || !loop.contains(i)) return true;
  if (isa<PHINode>(i) || !touches_no_memory(*i) || steps == 0) return false;
  return all_of(i->operands(), [&](const Use& u) { return stays(loop, u.get(), steps - 1); });
}

bool is_used_only_by(const Value& v, const PHINode& variable) {
  return all_of(v.users(), [&](const User* user) {
    if (user == &variable || is_keep(*cast<Instruction>(user))) return true;
    return isa<IntToPtrInst, PtrToIntInst>(user) && is_used_only_by(*user, variable);
  });
}

}  // namespace

const Value* same_bits(const Value* v) {
  while (isa<IntToPtrInst, PtrToIntInst>(v)) v = cast<CastInst>(v)->getOperand(0);
  return v;
}

bool is_done_anew(const Loop& loop, const StoreInst& store, SmallVectorImpl<LoadInst*>& before) {
  if (!store.isSimple() || !stays(loop, store.getPointerOperand())) return false;
  SmallPtrSet<const BasicBlock*, 4> seen;
  for (BasicBlock* block = loop.getHeader(); block && seen.insert(block).second; block = block->getSingleSuccessor()) {
    for (Instruction& i : *block) {
      if (&i == &store) return true;
      if (i.isTerminator() || touches_no_memory(i)) continue;
      auto* load = dyn_cast<LoadInst>(&i);
      if (load && stays(loop, load->getPointerOperand())) {
        before.push_back(load);
        continue;
      }
      const auto* other = dyn_cast<StoreInst>(&i);  // it is looked at by itself
      if (!other || !other->isSimple()) return false;
    }
  }
  return false;
}

bool begins_with_look(const Loop& loop, const PHINode& variable, const AtomicCmpXchgInst& cas) {
  const BasicBlock* outside = loop.getLoopPredecessor();
  if (!outside || outside->getSingleSuccessor() != loop.getHeader()) return false;
  const auto* look = dyn_cast<LoadInst>(same_bits(variable.getIncomingValueForBlock(outside)));
  if (!look || !look->isAtomic() || look->getParent() != outside || !is_used_only_by(*look, variable)) return false;
  if (look->getType() != cas.getCompareOperand()->getType()) return false;
  if (same_bits(cas.getCompareOperand()) != &variable || look->getPointerOperand() != cas.getPointerOperand())
    return false;
  if (!isAtLeastOrStrongerThan(cas.getFailureOrdering(), look->getOrdering())) return false;
  for (const Instruction* i = look->getNextNode(); !i->isTerminator(); i = i->getNextNode()) {
    if (!touches_no_memory(*i)) return false;
  }
  return true;
}

}  // namespace heddle::frontend
