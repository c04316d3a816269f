// Accesses of a vector's elements under a mask, gathers and scatters: one access for each element that the mask
// selects. They are loads and stores like any other then. Each is checked by itself; what the mask leaves out is not
// touched.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <functional>

#include "frontend/ir/runtime.hpp"
#include "frontend/rewrite/mark.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

class Unfolder {
 public:
  explicit Unfolder(IntrinsicInst& call) : call_(call) {}

  // Which elements: a vector of i1.
  Value* mask = nullptr;
  // Where element i is, if selected elements before it are `packed` ones.
  std::function<Value*(IRBuilder<>&, unsigned i, Value* packed)> place;
  bool packed = false;  // expandload, compressstore: selected elements stand side by side
  Align align;

  Value* load(FixedVectorType* type, Value* otherwise) {
    Value* result = otherwise;
    for_each(
        type->getNumElements(),
        [&](IRBuilder<>& b, unsigned i, Value* count) {
          LoadInst* element = b.CreateAlignedLoad(type->getElementType(), place(b, i, count), align);
          b.CreateCall(Runtime(*call_.getModule()).keep(), {element});
          return b.CreateInsertElement(result, element, i);
        },
        &result);
    return result;
  }

  void store(Value* vector) {
    const unsigned n = cast<FixedVectorType>(vector->getType())->getNumElements();
    for_each(
        n,
        [&](IRBuilder<>& b, unsigned i, Value* count) -> Value* {
          b.CreateAlignedStore(b.CreateExtractElement(vector, i), place(b, i, count), align);
          return nullptr;
        },
        nullptr);
  }

 private:
  template <typename Do>
  void for_each(unsigned n, Do act, Value** result) {
    IRBuilder<> b(&call_);
    Value* count = b.getInt64(0);
    for (unsigned i = 0; i < n; ++i) {
      b.SetInsertPoint(&call_);
      Value* selected = b.CreateExtractElement(mask, i);
      BasicBlock* before = b.GetInsertBlock();
      Instruction* end = SplitBlockAndInsertIfThen(selected, &call_, /*Unreachable=*/false);
      IRBuilder<> then(end);
      then.SetCurrentDebugLocation(call_.getDebugLoc());
      Value* changed = act(then, i, count);
      BasicBlock* from = end->getParent();
      b.SetInsertPoint(&*call_.getParent()->getFirstInsertionPt());
      if (result) {
        PHINode* phi = b.CreatePHI(changed->getType(), 2);
        phi->addIncoming(changed, from);
        phi->addIncoming(*result, before);
        *result = phi;
      }
      if (packed) {
        PHINode* next = b.CreatePHI(b.getInt64Ty(), 2);
        next->addIncoming(then.CreateAdd(count, b.getInt64(1)), from);
        next->addIncoming(count, before);
        count = next;
      }
    }
  }

  IntrinsicInst& call_;
};

MaybeAlign alignment(const Value* argument) { return MaybeAlign(cast<ConstantInt>(argument)->getZExtValue()); }

}  // namespace

bool lower_masked(IntrinsicInst& call) {
  const DataLayout& layout = call.getDataLayout();
  Unfolder unfold(call);
  const auto in_row = [&](Value* base, Type* element) {
    unfold.place = [base, element](IRBuilder<>& b, unsigned i, Value*) {
      return b.CreateConstGEP1_64(element, base, i);
    };
    unfold.align = Align(1);
  };
  const auto side_by_side = [&](Value* base, Type* element) {
    unfold.packed = true;
    unfold.place = [base, element](IRBuilder<>& b, unsigned, Value* count) {
      return b.CreateGEP(element, base, count);
    };
    unfold.align = Align(1);
  };
  const auto scattered = [&](Value* pointers, const Value* align, Type* element) {
    unfold.place = [pointers](IRBuilder<>& b, unsigned i, Value*) { return b.CreateExtractElement(pointers, i); };
    unfold.align = alignment(align).value_or(layout.getABITypeAlign(element));
  };
  Value* result = nullptr;
  switch (call.getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_gather:
    case Intrinsic::masked_expandload: {
      auto* type = dyn_cast<FixedVectorType>(call.getType());
      if (!type) return false;
      const bool expand = call.getIntrinsicID() == Intrinsic::masked_expandload;
      unfold.mask = call.getArgOperand(expand ? 1 : 2);
      if (call.getIntrinsicID() == Intrinsic::masked_load) in_row(call.getArgOperand(0), type->getElementType());
      if (expand) side_by_side(call.getArgOperand(0), type->getElementType());
      if (call.getIntrinsicID() == Intrinsic::masked_gather)
        scattered(call.getArgOperand(0), call.getArgOperand(1), type->getElementType());
      result = unfold.load(type, call.getArgOperand(expand ? 2 : 3));
      break;
    }
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
    case Intrinsic::masked_compressstore: {
      Value* vector = call.getArgOperand(0);
      auto* type = dyn_cast<FixedVectorType>(vector->getType());
      if (!type) return false;
      const bool compress = call.getIntrinsicID() == Intrinsic::masked_compressstore;
      unfold.mask = call.getArgOperand(compress ? 2 : 3);
      if (call.getIntrinsicID() == Intrinsic::masked_store) in_row(call.getArgOperand(1), type->getElementType());
      if (compress) side_by_side(call.getArgOperand(1), type->getElementType());
      if (call.getIntrinsicID() == Intrinsic::masked_scatter)
        scattered(call.getArgOperand(1), call.getArgOperand(2), type->getElementType());
      unfold.store(vector);
      break;
    }
    case Intrinsic::x86_sse2_maskmov_dqu: {
      IRBuilder<> b(&call);
      Value* mask = call.getArgOperand(1);
      unfold.mask = b.CreateICmpSLT(mask, Constant::getNullValue(mask->getType()));  // the highest bit of each byte
      in_row(call.getArgOperand(2), b.getInt8Ty());
      unfold.store(call.getArgOperand(0));
      break;
    }
    default: return false;
  }
  if (result) call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return true;
}

}  // namespace heddle::frontend
