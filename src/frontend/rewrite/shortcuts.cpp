// Functions of headers that heddle does in a better way.
//
// std::lock of mutexes goes round until it has all of them. Its rounds differ, so the analysis of loops would not see
// that they change nothing. __heddle_lock_all does the same and knows it.
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>

#include "frontend/rewrite/rewrite.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

constexpr unsigned kMost = 16;  // as library/mutex.cpp has it

// Whether it is std::lock of objects that are a pthread_mutex_t.
bool locks_mutexes(const Function& f) {
  if (f.isDeclaration() || !f.getName().starts_with("_ZSt4lockI") || f.arg_size() > kMost) return false;
  const std::string name = demangle(f.getName());
  StringRef types(name);
  if (!types.consume_front("void std::lock<")) return false;
  types = types.take_until([](char c) { return c == '>'; });
  SmallVector<StringRef> all;
  types.split(all, ", ");
  return all_of(all, [](StringRef t) {
    return t == "std::mutex" || t == "std::recursive_mutex" || t == "std::timed_mutex" ||
           t == "std::recursive_timed_mutex";
  });
}

void lock_all(Function& f) {
  DISubprogram* const info = f.getSubprogram();
  f.deleteBody();
  f.setLinkage(GlobalValue::InternalLinkage);
  f.setComdat(nullptr);
  IRBuilder<> b(BasicBlock::Create(f.getContext(), "entry", &f));
  if (info) {
    f.setSubprogram(info);
    b.SetCurrentDebugLocation(DILocation::get(f.getContext(), info->getLine(), 0, info));
  }
  SmallVector<Value*> arguments{b.getInt32(f.arg_size())};
  for (Argument& a : f.args()) arguments.push_back(&a);
  b.CreateCall(f.getParent()->getOrInsertFunction(
                   "__heddle_lock_all", FunctionType::get(b.getVoidTy(), {b.getInt32Ty()}, /*isVarArg=*/true)),
               arguments);
  b.CreateRetVoid();
}

// Programs declare it with an int or with a bool. A function cannot be both: of a bool the caller fills in one byte.
void assume_of_bool(Module& module) {
  Function* f = module.getFunction("__VERIFIER_assume");
  if (!f || !f->isDeclaration() || f->arg_size() != 1 || !f->getArg(0)->getType()->isIntegerTy(1)) return;
  if (Function* ours = module.getFunction("heddle_assume")) {
    f->replaceAllUsesWith(ours);
    f->eraseFromParent();
  } else {
    f->setName("heddle_assume");
  }
}

}  // namespace

void take_shortcuts(Module& module) {
  assume_of_bool(module);
  for (Function& f : module) {
    if (locks_mutexes(f)) lock_all(f);
  }
}

}  // namespace heddle::frontend
