// An exception that leaves a function ends the life of its variables. Clang does not let an exception stop in a
// function only because variables end there; we do, if the address of one is taken. Each call that may throw gets a
// landing pad where they end, and from where the exception goes on.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "frontend/checks/checks.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

bool has_marked_life(const AllocaInst& variable) {
  return any_of(variable.users(), [](const User* u) {
    const auto* i = dyn_cast<IntrinsicInst>(u);
    return i && i->getIntrinsicID() == Intrinsic::lifetime_start;
  });
}

BasicBlock* landing_pad(Function& f, ArrayRef<AllocaInst*> ending) {
  LLVMContext& context = f.getContext();
  BasicBlock* block = BasicBlock::Create(context, "unwind", &f);
  IRBuilder<> b(block);
  Type* type = StructType::get(PointerType::get(context, 0), Type::getInt32Ty(context));
  LandingPadInst* pad = b.CreateLandingPad(type, 0);
  pad->setCleanup(true);
  for (AllocaInst* variable : ending) b.CreateLifetimeEnd(variable);
  b.CreateResume(pad);
  return block;
}

}  // namespace

void end_locals_on_unwinding(Function& f) {
  // Without one, nothing in the program catches anything.
  Function* personality = f.getParent()->getFunction("__gxx_personality_v0");
  if (!personality || f.doesNotThrow()) return;
  if (f.hasPersonalityFn() && f.getPersonalityFn()->stripPointerCasts() != personality) return;
  bool any = false;
  SmallVector<AllocaInst*> ending;
  SmallVector<CallInst*> calls;
  for (Instruction& i : instructions(f)) {
    if (auto* variable = dyn_cast<AllocaInst>(&i)) {
      if (isAllocaPromotable(variable)) continue;
      any = true;
      if (variable->isStaticAlloca() && has_marked_life(*variable)) ending.push_back(variable);
    } else if (auto* call = dyn_cast<CallInst>(&i)) {
      if (!call->doesNotThrow() && !isa<IntrinsicInst>(call) && !call->isInlineAsm() && !call->isMustTailCall())
        calls.push_back(call);
    }
  }
  if (!any || calls.empty()) return;
  f.setPersonalityFn(personality);
  BasicBlock* pad = landing_pad(f, ending);
  for (CallInst* call : calls) changeToInvokeAndSplitBasicBlock(call, pad);
}

}  // namespace heddle::frontend
