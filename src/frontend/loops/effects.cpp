#include "frontend/loops/effects.hpp"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/ir/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

Effect effect_of_call(const CallBase& call, const OfFunction* only_pauses) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    if (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic()) return Effect::nothing;
  }
  const Function* callee = call.getCalledFunction();
  if (!callee || call.isTerminator()) return Effect::changes;
  if (callee->getName() == kKeep) return Effect::nothing;
  if (is_runtime(callee)) {
    constexpr Entry tells[] = {Entry::until,      Entry::until_holds, Entry::know, Entry::compares,
                               Entry::will_store, Entry::round,       Entry::at};
    return any_of(tells, [&](Entry e) { return is(*callee, e); }) ? Effect::nothing : Effect::changes;
  }
  if (callee->isDeclaration() && only_pauses && (*only_pauses)(callee->getName())) return Effect::pauses;
  if (call.mayHaveSideEffects()) return Effect::changes;
  if (call.mayReadFromMemory()) return Effect::reads;
  return isSafeToSpeculativelyExecute(&call) ? Effect::nothing : Effect::traps;
}

Effect effect(const Instruction& i, const OfFunction* only_pauses) {
  if (isa<PHINode, BranchInst, SwitchInst>(i)) return Effect::nothing;
  if (i.isTerminator()) return Effect::changes;
  if (isa<FenceInst>(i)) return Effect::orders;
  if (isa<LoadInst>(i)) return Effect::reads;
  if (const auto* call = dyn_cast<CallBase>(&i)) return effect_of_call(*call, only_pauses);
  if (i.mayHaveSideEffects()) return Effect::changes;
  if (i.mayReadFromMemory()) return Effect::reads;
  return isSafeToSpeculativelyExecute(&i) ? Effect::nothing : Effect::traps;
}

}  // namespace

Effect effect_of(const Instruction& i, const OfFunction& only_pauses) { return effect(i, &only_pauses); }
Effect effect_of(const Instruction& i) { return effect(i, nullptr); }

const Value* place_read(const Instruction& i) {
  if (const auto* load = dyn_cast<LoadInst>(&i)) return load->isAtomic() ? load->getPointerOperand() : nullptr;
  if (const auto* rmw = dyn_cast<AtomicRMWInst>(&i)) return rmw->getPointerOperand();
  const auto* cas = dyn_cast<AtomicCmpXchgInst>(&i);
  return cas ? cas->getPointerOperand() : nullptr;
}

const Value* same_bits(const Value* v) {
  for (const auto* c = dyn_cast<CastInst>(v);
       c && isa<IntToPtrInst, PtrToIntInst>(c) && c->isNoopCast(c->getDataLayout()); c = dyn_cast<CastInst>(v))
    v = c->getOperand(0);
  return v;
}

namespace {

// Whether they are computed alike from the same values: code that is not optimised computes an address for each access.
bool is_same_value(const Value* one, const Value* other, unsigned depth = 8) {
  if (one == other) return true;
  const auto* i = dyn_cast<Instruction>(one);
  const auto* j = dyn_cast<Instruction>(other);
  if (!i || !j || depth == 0 || !isa<GetElementPtrInst, CastInst, BinaryOperator>(i) || !i->isSameOperationAs(j))
    return false;
  return all_of(zip(i->operands(), j->operands()), [&](const auto& operands) {
    return is_same_value(std::get<0>(operands), std::get<1>(operands), depth - 1);
  });
}

}  // namespace

bool is_same_place(const Instruction& one, const Instruction& other) {
  const auto a = MemoryLocation::getOrNone(&one);
  const auto b = MemoryLocation::getOrNone(&other);
  if (!a || !b || a->Size != b->Size) return false;
  const DataLayout& layout = one.getDataLayout();
  APInt from_a(layout.getIndexTypeSizeInBits(a->Ptr->getType()), 0);
  APInt from_b = from_a;
  const Value* start = a->Ptr->stripAndAccumulateConstantOffsets(layout, from_a, /*AllowNonInbounds=*/true);
  return is_same_value(start, b->Ptr->stripAndAccumulateConstantOffsets(layout, from_b, /*AllowNonInbounds=*/true)) &&
         from_a == from_b;
}

}  // namespace heddle::frontend
