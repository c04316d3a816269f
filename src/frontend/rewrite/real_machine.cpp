#include "frontend/rewrite/real_machine.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "core/error.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

Value* cycles(IRBuilder<>& b, Module& module) {
  return b.CreateCall(module.getOrInsertFunction("__heddle_cycles", FunctionType::get(b.getInt64Ty(), false)));
}

void lower_counter(IntrinsicInst& call) {
  IRBuilder<> b(&call);
  Module& module = *call.getModule();
  Value* result = nullptr;
  switch (call.getIntrinsicID()) {
    case Intrinsic::readcyclecounter:
    case Intrinsic::readsteadycounter:
    case Intrinsic::x86_rdtsc: result = cycles(b, module); break;
    case Intrinsic::x86_rdtscp:
      result = b.CreateInsertValue(Constant::getNullValue(call.getType()), cycles(b, module), 0);
      break;
    default: return;
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

// The C library's headers promise that the place of errno never changes. It does not; but native code has set errno
// elsewhere, and the lookup brings it there.
void look_up_errno(Module& module) {
  Function* const f = module.getFunction("__errno_location");
  if (!f || !f->isDeclaration()) return;
  f->removeFnAttr(Attribute::Memory);
  for (User* user : f->users())
    if (auto* const call = dyn_cast<CallBase>(user)) call->removeFnAttr(Attribute::Memory);
}

// What heddle defines lies far from the program, also where the program's own compiler would have put both near.
void look_up_what_is_elsewhere(Module& module) {
  for (GlobalValue& g : module.global_values())
    if (g.isDeclaration() && g.hasDefaultVisibility()) g.setDSOLocal(false);
}

// A function that the loader would have to ask for: now the call asks.
void replace(GlobalIFunc& ifunc) {
  Module& module = *ifunc.getParent();
  auto* const type = dyn_cast<FunctionType>(ifunc.getValueType());
  const Function* const resolver = ifunc.getResolverFunction();
  if (!type || type->isVarArg() || !resolver)
    throw UserError(
        "'" + ifunc.getName().str() +
        "' is an ifunc that cannot be called in the usual way: not supported; leave it out under #ifndef __HEDDLE__");
  Function* const f = Function::Create(type, ifunc.getLinkage(), "", &module);
  f->takeName(&ifunc);
  AttributeList attributes;
  for (const User* user : ifunc.users()) {
    if (const auto* call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &ifunc)
      attributes = call->getAttributes().removeFnAttributes(module.getContext());
  }
  f->setAttributes(attributes);
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "", f));
  SmallVector<Value*> arguments;
  for (Type* t : resolver->getFunctionType()->params()) arguments.push_back(Constant::getNullValue(t));
  Value* const chosen = b.CreateCall(resolver->getFunctionType(), ifunc.getResolver(), arguments);
  arguments.clear();
  for (Argument& a : f->args()) arguments.push_back(&a);
  CallInst* const call = b.CreateCall(type, chosen, arguments);
  call->setAttributes(attributes);
  if (type->getReturnType()->isVoidTy()) {
    b.CreateRetVoid();
  } else {
    b.CreateRet(call);
  }
  ifunc.replaceAllUsesWith(f);
  ifunc.eraseFromParent();
}

bool is_transaction(const IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::x86_xbegin:
    case Intrinsic::x86_xend:
    case Intrinsic::x86_xabort:
    case Intrinsic::x86_xtest:
    case Intrinsic::aarch64_tstart:
    case Intrinsic::aarch64_tcommit:
    case Intrinsic::aarch64_tcancel:
    case Intrinsic::aarch64_ttest: return true;
    default: return false;
  }
}

bool tells_of_machine(const IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::frameaddress:
    case Intrinsic::returnaddress:
    case Intrinsic::addressofreturnaddress:
    case Intrinsic::sponentry:
    case Intrinsic::eh_dwarf_cfa:
    case Intrinsic::localaddress:
    case Intrinsic::thread_pointer:
    case Intrinsic::read_register:
    case Intrinsic::read_volatile_register:
    case Intrinsic::write_register:
    case Intrinsic::x86_rdrand_16:
    case Intrinsic::x86_rdrand_32:
    case Intrinsic::x86_rdrand_64:
    case Intrinsic::x86_rdseed_16:
    case Intrinsic::x86_rdseed_32:
    case Intrinsic::x86_rdseed_64:
    case Intrinsic::x86_rdpmc:
    case Intrinsic::x86_rdpid:
    case Intrinsic::x86_rdpru:
    case Intrinsic::x86_rdfsbase_32:
    case Intrinsic::x86_rdfsbase_64:
    case Intrinsic::x86_rdgsbase_32:
    case Intrinsic::x86_rdgsbase_64:
    case Intrinsic::x86_xgetbv:
    case Intrinsic::aarch64_rndr:
    case Intrinsic::aarch64_rndrrs: return true;
    default: return false;
  }
}

}  // namespace

void hide_machine(Module& module) {
  for (Function& f : module) {
    for (Instruction& i : make_early_inc_range(instructions(f)))
      if (auto* const call = dyn_cast<IntrinsicInst>(&i)) lower_counter(*call);
  }
  look_up_errno(module);
  look_up_what_is_elsewhere(module);
  for (GlobalIFunc& ifunc : make_early_inc_range(module.ifuncs())) replace(ifunc);
}

void refuse_machine(Module& module, Sites& sites) {
  for (Function& f : module) {
    for (Instruction& i : instructions(f)) {
      const auto* const call = dyn_cast<IntrinsicInst>(&i);
      if (call && is_transaction(*call))
        throw UserError(sites.where(i) + ": '" + call->getCalledFunction()->getName().str() +
                        "' is not supported: hardware transactions; leave them out under #ifndef __HEDDLE__");
      if (!call || !tells_of_machine(*call)) continue;
      throw UserError(sites.where(i) + ": '" + call->getCalledFunction()->getName().str() +
                      "' is not supported: it tells of the real machine, stack or registers, which differ from run to "
                      "run; leave it out under #ifndef __HEDDLE__");
    }
  }
}

}  // namespace heddle::frontend
