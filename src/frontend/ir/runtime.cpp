#include "frontend/ir/runtime.hpp"

#include <llvm/Support/ModRef.h>

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

void set_attributes(Function& f, const abi::EntryPoint& row) {
  f.addFnAttr(kRuntimeAttribute);
  f.addFnAttr(Attribute::NoUnwind);
  f.addFnAttr(Attribute::NonLazyBind);  // one indirect call, no stub
  if ((row.attributes & abi::attribute::kNoReturn) != 0) f.addFnAttr(Attribute::NoReturn);
  if ((row.attributes & (abi::attribute::kNoReturn | abi::attribute::kCold)) != 0) f.addFnAttr(Attribute::Cold);
  if ((row.attributes & abi::attribute::kPure) != 0) {
    f.setMemoryEffects(MemoryEffects::none());
    f.addFnAttr(Attribute::WillReturn);
  }
  for (unsigned i = 0; i < f.arg_size(); ++i)
    if ((row.private_arguments >> i & 1) != 0) f.addParamAttr(i, Attribute::NoCapture);
}

}  // namespace

Runtime::Runtime(Module& m)
    : module(m),
      none(Type::getVoidTy(m.getContext())),
      i32(Type::getInt32Ty(m.getContext())),
      i64(Type::getInt64Ty(m.getContext())),
      ptr(PointerType::get(m.getContext(), 0)) {}

CallInst* Runtime::call(IRBuilderBase& b, abi::Entry e, FunctionType* type, ArrayRef<Value*> arguments) {
  const abi::EntryPoint& row = abi::row(e);
  Function* f = module.getFunction(row.symbol);
  if (!f) {
    f = Function::Create(type, Function::ExternalLinkage, row.symbol, module);
    set_attributes(*f, row);
  }
  return b.CreateCall(f, arguments);
}

GlobalVariable* Runtime::fuel() { return cast<GlobalVariable>(module.getOrInsertGlobal("__heddle_fuel", i64)); }

Function* Runtime::keep() {
  if (Function* known = module.getFunction(kKeep)) return known;
  Function* f = Function::Create(FunctionType::get(none, true), Function::ExternalLinkage, kKeep, module);
  f->addFnAttr(kRuntimeAttribute);
  f->setDoesNotThrow();
  f->setWillReturn();
  f->setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Mod));
  return f;
}

bool is_runtime(const Function* callee) { return callee && callee->hasFnAttribute(kRuntimeAttribute); }

Mode mode_of(AtomicOrdering order) {
  switch (order) {
    case AtomicOrdering::NotAtomic: return Mode::na;
    case AtomicOrdering::Unordered:
    case AtomicOrdering::Monotonic: return Mode::rlx;
    case AtomicOrdering::Acquire: return Mode::acq;
    case AtomicOrdering::Release: return Mode::rel;
    case AtomicOrdering::AcquireRelease: return Mode::acqrel;
    case AtomicOrdering::SequentiallyConsistent: return Mode::sc;
  }
  return Mode::sc;
}

Instruction* after(Instruction& i) {
  const auto* invoke = dyn_cast<InvokeInst>(&i);
  if (!invoke) return i.getNextNode();
  BasicBlock* const next = invoke->getNormalDest();
  return next->getSinglePredecessor() ? &*next->getFirstInsertionPt() : nullptr;
}

}  // namespace heddle::frontend
