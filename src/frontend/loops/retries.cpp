#include "frontend/loops/retries.hpp"

#include <llvm/IR/IntrinsicInst.h>

#include "frontend/ir/runtime.hpp"
#include "frontend/loops/effects.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

bool touches_no_memory(const Instruction& i) { return effect_of(i) <= Effect::traps; }

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

// Whether the value is computed of the look, in its block.
bool is_computed_of(const Value* v, const Instruction& look) {
  const auto* i = dyn_cast<Instruction>(v);
  if (!i || i->getParent() != look.getParent() || i == &look) return i == &look;
  return !isa<PHINode>(i) && any_of(i->operand_values(), [&](const Value* x) { return is_computed_of(x, look); });
}

// Whether the two values are computed in the same way, one from the look and the other from the load.
bool is_same_of(const Value* of_look, const Value* of_load, const Instruction& look, const Instruction& load,
                int steps = 8) {
  if (of_look == of_load) return !is_computed_of(of_look, look);
  if (of_look == &look || of_load == &load) return of_look == &look && of_load == &load;
  const auto* a = dyn_cast<Instruction>(of_look);
  const auto* b = dyn_cast<Instruction>(of_load);
  if (!a || !b || steps == 0 || isa<PHINode>(a) || !a->isSameOperationAs(b) || !touches_no_memory(*a)) return false;
  return all_of(zip(a->operands(), b->operands()), [&](const auto& operands) {
    return is_same_of(std::get<0>(operands), std::get<1>(operands), look, load, steps - 1);
  });
}

// Whether the value, and what is computed of it, is used in the block of the look and by the head alone.
bool is_only_for(const Instruction& value, const BasicBlock& block, const BasicBlock& head) {
  return all_of(value.users(), [&](const User* user) {
    const auto* i = cast<Instruction>(user);
    if (isa<PHINode>(i)) return i->getParent() == &head;
    return is_keep(*i) || (i->getParent() == &block && !i->isTerminator() && is_only_for(*i, block, head));
  });
}

// Whether the look does what the read does, and asks for no more order.
bool reads_alike(const Instruction& look, const Instruction& read) {
  if (look.getOpcode() != read.getOpcode() || look.getType() != read.getType() || !look.isAtomic()) return false;
  if (const auto* load = dyn_cast<LoadInst>(&look))
    return isAtLeastOrStrongerThan(cast<LoadInst>(read).getOrdering(), load->getOrdering());
  const auto* rmw = dyn_cast<AtomicRMWInst>(&look);
  if (!rmw) return false;
  const auto& other = cast<AtomicRMWInst>(read);
  return rmw->getOperation() == other.getOperation() && rmw->getValOperand() == other.getValOperand() &&
         isAtLeastOrStrongerThan(other.getOrdering(), rmw->getOrdering());
}

}  // namespace

Instruction* look_before(const Loop& loop, const Instruction& read) {
  BasicBlock* before = outside(loop);
  BasicBlock* latch = loop.getLoopLatch();
  if (!before || !latch || !ends_block(read, nullptr)) return nullptr;
  // Nothing is decided from the read to the head.
  for (const BasicBlock* block = read.getParent(); block != loop.getHeader(); block = block->getSingleSuccessor()) {
    if (!block->getSingleSuccessor() || !loop.contains(block)) return nullptr;
    if (block != read.getParent() &&
        !all_of(*block, [](const Instruction& i) { return i.isTerminator() || touches_no_memory(i); }))
      return nullptr;
  }
  for (Instruction& i : *before) {
    Instruction* const look = &i;
    if (!reads_alike(*look, read) || !is_same_place(*look, read) || !ends_block(*look, nullptr)) continue;
    const bool same = all_of(loop.getHeader()->phis(), [&](const PHINode& phi) {
      const Value* next = phi.getIncomingValueForBlock(latch);
      const Value* first = phi.getIncomingValueForBlock(before);
      return next == &phi ? !is_computed_of(first, *look) : is_same_of(first, next, *look, read);
    });
    if (same && is_only_for(*look, *before, *loop.getHeader())) return look;
  }
  return nullptr;
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
      if (!touches_no_memory(*i) && i != expected && !(store && counts_as_plain(*store))) return false;
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
