// A test goes before each access of a variable that the code names, unless the access is plainly inside. Done before
// SROA and before loads of constants are folded: both drop what lies outside.
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "frontend/checks/checks.hpp"
#include "frontend/ir/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// Metadata of an access whose bounds are checked.
constexpr StringLiteral kBounded = "heddle.bounded";

struct Touched {
  Value* pointer;
  Value* length;  // bytes
};

// A copy touches two ranges.
SmallVector<Touched, 2> accesses_of(Instruction& i) {
  const DataLayout& layout = i.getDataLayout();
  const auto bytes = [&](Type* type) {
    return ConstantInt::get(Type::getInt64Ty(i.getContext()), layout.getTypeStoreSize(type));
  };
  if (auto* load = dyn_cast<LoadInst>(&i)) return {{load->getPointerOperand(), bytes(load->getType())}};
  if (auto* store = dyn_cast<StoreInst>(&i))
    return {{store->getPointerOperand(), bytes(store->getValueOperand()->getType())}};
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) return {{rmw->getPointerOperand(), bytes(rmw->getType())}};
  if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&i))
    return {{cas->getPointerOperand(), bytes(cas->getNewValOperand()->getType())}};
  if (auto* copy = dyn_cast<MemTransferInst>(&i))
    return {{copy->getRawDest(), copy->getLength()}, {copy->getRawSource(), copy->getLength()}};
  if (auto* set = dyn_cast<MemSetInst>(&i)) return {{set->getRawDest(), set->getLength()}};
  auto* call = dyn_cast<CallInst>(&i);
  if (call && is_runtime(call->getCalledFunction()) && is(*call->getCalledFunction(), Entry::copy))
    return {{call->getArgOperand(0), call->getArgOperand(4)}, {call->getArgOperand(2), call->getArgOperand(4)}};
  return {};
}

// The size of a variable whose definition is here, else nothing.
std::optional<uint64_t> size_of(const Value* variable, const DataLayout& layout) {
  if (const auto* local = dyn_cast<AllocaInst>(variable)) {
    if (!local->isStaticAlloca()) return {};
    return local->getAllocationSize(layout)->getFixedValue();
  }
  const auto* global = cast<GlobalVariable>(variable);
  if (global->isDeclaration()) return {};
  return layout.getTypeAllocSize(global->getValueType()).getFixedValue();
}

bool check(const Touched& access, Instruction& i, const DataLayout& layout) {
  const Value* variable = variable_of(access.pointer);
  const auto size = variable ? size_of(variable, layout) : std::nullopt;
  if (!size) return false;
  IRBuilder<> b(&i);
  Value* offset = offset_in(b, access.pointer, layout);
  Value* length = b.CreateZExtOrTrunc(access.length, b.getInt64Ty());
  Value* whole = b.getInt64(*size);
  Value* past = b.CreateICmpUGT(offset, whole);
  Value* too_long = b.CreateICmpUGT(length, b.CreateSub(whole, offset));
  Value* outside = b.CreateAnd(b.CreateIsNotNull(length), b.CreateOr(past, too_long));
  if (const auto* constant = dyn_cast<ConstantInt>(outside); constant && constant->isZero()) return false;
  Runtime runtime(*i.getModule());
  IRBuilder<> cold(SplitBlockAndInsertIfThen(outside, &i, /*Unreachable=*/true));
  cold.SetCurrentDebugLocation(i.getDebugLoc());
  runtime.call<Entry::out_of_bounds>(cold, {offset, length, whole, runtime.site(kNoSite)});
  return true;
}

}  // namespace

Value* variable_of(Value* pointer) {
  for (;;) {
    if (auto* gep = dyn_cast<GEPOperator>(pointer)) {
      pointer = gep->getPointerOperand();
    } else if (auto* call = dyn_cast<IntrinsicInst>(pointer);
               call && call->getIntrinsicID() == Intrinsic::threadlocal_address) {
      pointer = call->getArgOperand(0);
    } else {
      return isa<AllocaInst, GlobalVariable>(pointer) ? pointer : nullptr;
    }
  }
}

Value* offset_in(IRBuilderBase& b, Value* pointer, const DataLayout& layout) {
  Value* offset = b.getInt64(0);
  APInt constant(64, 0);
  while (auto* gep = dyn_cast<GEPOperator>(pointer)) {
    APInt part(64, 0);
    if (gep->accumulateConstantOffset(layout, part)) {
      constant += part;
    } else {
      offset = b.CreateAdd(offset, emitGEPOffset(&b, layout, gep, /*NoAssumptions=*/true));
    }
    pointer = gep->getPointerOperand();
  }
  return b.CreateAdd(offset, b.getInt(constant));
}

bool check_bounds(Function& f) {
  SmallVector<Instruction*> accesses;
  for (Instruction& i : instructions(f)) {
    if (i.mayReadOrWriteMemory() && !i.getMetadata(kBounded)) accesses.push_back(&i);
  }
  bool changed = false;
  const DataLayout& layout = f.getDataLayout();
  for (Instruction* i : accesses) {
    bool checked = false;
    for (const Touched& access : accesses_of(*i)) checked |= check(access, *i, layout);
    if (checked && !isa<CallInst>(i)) i->setMetadata(kBounded, MDNode::get(f.getContext(), {}));
    changed |= checked;
  }
  return changed;
}

}  // namespace heddle::frontend
