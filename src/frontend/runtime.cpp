#include "frontend/runtime.hpp"

#include <llvm/Support/ModRef.h>

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

// Which pointer arguments point to memory private to the caller; marking them so keeps that memory in
// registers where O2 can.
void mark_private_arguments(Function& f) {
  const StringRef name = f.getName();
  const auto nocapture = [&](std::initializer_list<unsigned> arguments) {
    for (unsigned i : arguments) f.addParamAttr(i, Attribute::NoCapture);
  };
  if (name == "__heddle_memcpy" || name == "__heddle_memmove") nocapture({0, 1});
  if (name == "__heddle_memset") nocapture({0});
  if (name == "__heddle_load16" || name == "__heddle_store16" || name == "__heddle_plain_load" ||
      name == "__heddle_plain_store") {
    nocapture({1});
  }
  if (name == "__heddle_rmw16") nocapture({2, 3});
  if (name == "__heddle_cas16") nocapture({1, 2, 3});
}

void set_attributes(Function& f) {
  const StringRef name = f.getName();
  f.addFnAttr(kRuntimeAttribute);
  f.addFnAttr(Attribute::NoUnwind);
  f.addFnAttr(Attribute::NonLazyBind);  // one indirect call, no stub
  if (name == "__heddle_trap" || name == "__heddle_cut" || name == "__heddle_out_of_bounds" ||
      name == "__heddle_division") {
    f.addFnAttr(Attribute::NoReturn);
    f.addFnAttr(Attribute::Cold);
  }
  if (name == "__heddle_spin") f.addFnAttr(Attribute::Cold);
  if (name == "__heddle_tls") {  // the same for all of a function's activation: a fibre is one thread
    f.setMemoryEffects(MemoryEffects::none());
    f.addFnAttr(Attribute::WillReturn);
  }
  mark_private_arguments(f);
}

}  // namespace

Runtime::Runtime(Module& m)
    : module(m),
      none(Type::getVoidTy(m.getContext())),
      i32(Type::getInt32Ty(m.getContext())),
      i64(Type::getInt64Ty(m.getContext())),
      ptr(PointerType::get(m.getContext(), 0)) {}

CallInst* Runtime::call(IRBuilderBase& b, StringRef name, Type* result, ArrayRef<Value*> arguments) {
  Function* f = module.getFunction(name);
  if (!f) {
    SmallVector<Type*, 8> types;
    for (Value* a : arguments) types.push_back(a->getType());
    f = Function::Create(FunctionType::get(result, types, false), Function::ExternalLinkage, name, module);
    set_attributes(*f);
  }
  return b.CreateCall(f, arguments);
}

GlobalVariable* Runtime::fuel() { return cast<GlobalVariable>(module.getOrInsertGlobal("__heddle_fuel", i64)); }

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

}  // namespace heddle::frontend
