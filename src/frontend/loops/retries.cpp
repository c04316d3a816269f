#include "frontend/loops/retries.hpp"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/ir/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

bool is_same_place(const Instruction& one, const Instruction& other) {
  const auto a = MemoryLocation::getOrNone(&one);
  const auto b = MemoryLocation::getOrNone(&other);
  if (!a || !b || a->Size != b->Size) return false;
  const DataLayout& layout = one.getDataLayout();
  APInt from_a(layout.getIndexTypeSizeInBits(a->Ptr->getType()), 0);
  APInt from_b = from_a;
  const Value* start = a->Ptr->stripAndAccumulateConstantOffsets(layout, from_a, /*AllowNonInbounds=*/true);
  return start == b->Ptr->stripAndAccumulateConstantOffsets(layout, from_b, /*AllowNonInbounds=*/true) &&
         from_a == from_b;
}

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

bool is_used_only_by(const Value& v, const Instruction& variable) {
  return all_of(v.users(), [&](const User* user) {
    if (user == &variable || is_keep(*cast<Instruction>(user))) return true;
    return isa<IntToPtrInst, PtrToIntInst>(user) && is_used_only_by(*user, variable);
  });
}

// The block before the loop.
BasicBlock* outside(const Loop& loop) {
  BasicBlock* block = loop.getLoopPredecessor();
  return block && block->getSingleSuccessor() == loop.getHeader() ? block : nullptr;
}

// Whether it reads where the compare-exchange does, for one use only, and asks for no more order than this one if it
// fails.
bool is_look(const LoadInst& look, const Instruction& variable, const AtomicCmpXchgInst& cas) {
  return look.isAtomic() && look.getType() == cas.getCompareOperand()->getType() && is_used_only_by(look, variable) &&
         is_same_place(look, cas) && isAtLeastOrStrongerThan(cas.getFailureOrdering(), look.getOrdering());
}

// Whether nothing comes after i in its block that touches memory, but for one store.
bool ends_block(const Instruction& i, const StoreInst* but_for) {
  for (const Instruction* next = i.getNextNode(); !next->isTerminator(); next = next->getNextNode()) {
    if (next != but_for && !touches_no_memory(*next)) return false;
  }
  return true;
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
  const BasicBlock* before = outside(loop);
  if (!before || same_bits(cas.getCompareOperand()) != &variable) return false;
  const auto* look = dyn_cast<LoadInst>(same_bits(variable.getIncomingValueForBlock(before)));
  return look && look->getParent() == before && is_look(*look, variable, cas) && ends_block(*look, nullptr);
}

StoreInst* first_look(const Loop& loop, const AtomicCmpXchgInst& cas) {
  BasicBlock* before = outside(loop);
  const auto* expected = dyn_cast<LoadInst>(same_bits(cas.getCompareOperand()));
  if (!before || !expected || !expected->isSimple() || !loop.contains(expected)) return nullptr;
  for (Instruction& i : *before) {
    auto* store = dyn_cast<StoreInst>(&i);
    if (!store || !store->isSimple() || !stays(loop, store->getPointerOperand())) continue;
    const auto* look = dyn_cast<LoadInst>(same_bits(store->getValueOperand()));
    if (!look || look->getParent() != before || !is_look(*look, *store, cas) || !ends_block(*look, store)) continue;
    return is_same_place(*store, *expected) ? store : nullptr;
  }
  return nullptr;
}

bool confirms(const Loop& loop, const AtomicCmpXchgInst& cas, const Instruction* retried) {
  const auto* expected = dyn_cast<LoadInst>(same_bits(cas.getCompareOperand()));
  const LoadInst* look = expected;
  if (const auto* first = dyn_cast_or_null<StoreInst>(retried)) {
    look = cast<LoadInst>(same_bits(first->getValueOperand()));
  } else if (retried) {
    look = cast<LoadInst>(same_bits(cast<PHINode>(retried)->getIncomingValueForBlock(outside(loop))));
  } else if (!look || !loop.contains(look) || !is_same_place(*look, cas)) {
    return false;
  }
  if (!look->isAtomic() || !isAtLeastOrStrongerThan(cas.getSuccessOrdering(), look->getOrdering())) return false;
  // On all ways from the look, or from the head of the loop, to the compare-exchange.
  SmallPtrSet<const BasicBlock*, 4> seen;
  SmallVector<const Instruction*> todo{&cas};
  while (!todo.empty()) {
    const Instruction* i = todo.pop_back_val();
    while (i->getPrevNode() && (i = i->getPrevNode()) != look) {
      const auto* store = dyn_cast<StoreInst>(i);  // done anew
      if (!touches_no_memory(*i) && i != expected && !(store && store->isSimple())) return false;
    }
    if (i == look) continue;
    if (i->getParent() == loop.getHeader()) {
      if (!retried) return false;
      continue;
    }
    for (const BasicBlock* from : predecessors(i->getParent())) {
      if (!isa<BranchInst, SwitchInst>(from->getTerminator())) return false;
      if (seen.insert(from).second) todo.push_back(from->getTerminator());
    }
  }
  return true;
}

}  // namespace heddle::frontend
