// Accesses of private variables are native, so that nobody else notices when an index runs out of an array on the
// fibre's stack: a check goes before each access that is not plainly inside its variable.
#include <llvm/Analysis/MemoryBuiltins.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "frontend/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

struct Access {
  Value* pointer;
  Value* length;  // bytes, 64 bits wide
};

// A copy touches two ranges.
SmallVector<Access, 2> accesses_of(Instruction& i, Runtime& runtime) {
  const DataLayout& layout = i.getDataLayout();
  if (auto* load = dyn_cast<LoadInst>(&i)) {
    return {{load->getPointerOperand(), runtime.size(layout.getTypeStoreSize(load->getType()))}};
  }
  if (auto* store = dyn_cast<StoreInst>(&i)) {
    return {{store->getPointerOperand(), runtime.size(layout.getTypeStoreSize(store->getValueOperand()->getType()))}};
  }
  auto* memory = dyn_cast<MemIntrinsic>(&i);
  if (!memory) return {};
  Value* length = IRBuilder<>(memory).CreateZExtOrTrunc(memory->getLength(), runtime.i64);
  SmallVector<Access, 2> result = {{memory->getRawDest(), length}};
  if (auto* copy = dyn_cast<MemTransferInst>(memory)) result.push_back({copy->getRawSource(), length});
  return result;
}

// Whether [offset, offset + length) leaves [0, size), as a constant where it can be told.
Value* leaves(IRBuilder<>& b, Value* offset, Value* length, Value* size) {
  Value* past = b.CreateICmpUGT(offset, size);
  Value* too_long = b.CreateICmpUGT(length, b.CreateSub(size, offset));
  return b.CreateOr(past, too_long);
}

}  // namespace

void check_bounds(ArrayRef<Instruction*> native, Function& f, Runtime& runtime, Sites& sites) {
  ObjectSizeOffsetEvaluator evaluator(f.getDataLayout(), /*TLI=*/nullptr, f.getContext());
  for (Instruction* i : native) {
    for (const Access& access : accesses_of(*i, runtime)) {
      const SizeOffsetValue known = evaluator.compute(access.pointer);
      if (!known.bothKnown()) continue;
      IRBuilder<> b(i);
      Value* outside = leaves(b, known.Offset, access.length, known.Size);
      if (const auto* constant = dyn_cast<ConstantInt>(outside); constant && constant->isZero()) continue;
      IRBuilder<> cold(SplitBlockAndInsertIfThen(outside, i, /*Unreachable=*/true));
      runtime.call<Entry::out_of_bounds>(cold, {runtime.site(sites.of(*i))});
    }
  }
}

}  // namespace heddle::frontend
