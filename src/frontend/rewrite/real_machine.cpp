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
}

void refuse_machine(Module& module, Sites& sites) {
  for (Function& f : module) {
    for (Instruction& i : instructions(f)) {
      const auto* const call = dyn_cast<IntrinsicInst>(&i);
      if (!call || !tells_of_machine(*call)) continue;
      throw UserError(sites.where(i) + ": '" + call->getCalledFunction()->getName().str() +
                      "' is not supported: it tells of the real machine, stack or registers, which differ from run to "
                      "run; leave it out under #ifndef __HEDDLE__");
    }
  }
}

}  // namespace heddle::frontend
