// Joins after which main does nothing but join, look at what has come of it all, and end. Explorers leave them to the
// last, and when no other thread is left the machine mostly knows what comes of them (native/rest.hpp). They get
// another name here.
//
// Such a join takes no result. After it come computations, atomic loads, accesses to memory that are not atomic, other
// joins, and memory is freed. What only computes may be called, functions of the program that do nothing else, and
// library functions that do not return: an end of main is only known if it has returned, or by an exception.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>

#include "frontend/instrument/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;

namespace {

bool is_join(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && callee->getName() == "pthread_join" && call.arg_size() == 2 &&
         isa<ConstantPointerNull>(call.getArgOperand(1));
}

bool is_of_library(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee && callee->isDeclaration();
}

class LastJoins {
 public:
  explicit LastJoins(const OfFunction& frees) : frees_(frees) {}

  // Whether nothing else than the above is done from this instruction on, to the end of the function.
  bool may_follow(const Instruction* from) {
    SmallVector<const BasicBlock*> next;
    SmallPtrSet<const BasicBlock*, 16> seen;
    for (;;) {
      if (!may_follow(from, next)) return false;
      const BasicBlock* block = nullptr;
      while (!next.empty() && !seen.insert(block = next.pop_back_val()).second) block = nullptr;
      if (!block) return true;
      from = &block->front();
    }
  }

 private:
  // The same up to the end of its block. `next` gets the blocks to which control may go.
  bool may_follow(const Instruction* from, SmallVectorImpl<const BasicBlock*>& next) {
    for (; from; from = from->getNextNode()) {
      if (from->isAtomic() && !isa<LoadInst>(from)) return false;
      const auto* call = dyn_cast<CallBase>(from);
      const bool stays = call && call->doesNotReturn() && is_of_library(*call);
      if (call && !stays && !may_be_called(*call)) return false;
      if (from->isTerminator()) append_range(next, successors(from->getParent()));
      if (stays) return true;
    }
    return true;
  }

  bool may_be_called(const CallBase& call) {
    const Function* callee = call.getCalledFunction();
    if (!callee) return false;
    if (callee->isIntrinsic() || is_runtime(callee) || is_join(call)) return true;
    if (callee->isDeclaration()) return call.doesNotAccessMemory() || frees_(callee->getName());
    const auto [it, is_new] = harmless_.try_emplace(callee, false);  // it may call itself
    if (!is_new) return it->second;
    const bool harmless = may_follow(&callee->getEntryBlock().front());
    harmless_[callee] = harmless;
    return harmless;
  }

  const OfFunction& frees_;
  DenseMap<const Function*, bool> harmless_;  // functions of the program
};

}  // namespace

void mark_last_joins(Module& module, const OfFunction& frees) {
  Function* const main = module.getFunction("main");
  if (!main || main->isDeclaration() || !main->use_empty()) return;
  LastJoins joins(frees);
  SmallVector<CallBase*> last;
  for (Instruction& i : instructions(*main)) {
    auto* const call = dyn_cast<CallBase>(&i);
    if (call && is_join(*call) && joins.may_follow(call)) last.push_back(call);
  }
  for (CallBase* call : last)
    call->setCalledFunction(module.getOrInsertFunction("__heddle_last_join", call->getFunctionType()));
}

}  // namespace heddle::frontend
