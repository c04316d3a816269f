// Joins after which main does nothing but join, look at what has come of it all, and end. Explorers leave them to the
// last, and when nobody else is left the machine mostly knows what comes of them (native/rest.hpp). They get another
// name here.
//
// Such a join takes no result. After it come computations, atomic loads, accesses to memory that are not atomic, and
// other joins. What only computes may be called, and what does not return: whoever gets there has not come to the end
// of main.
#include <llvm/ADT/SmallPtrSet.h>

#include "frontend/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;

namespace {

bool is_join(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && callee->getName() == "pthread_join" && call.arg_size() == 2 &&
         isa<ConstantPointerNull>(call.getArgOperand(1));
}

bool only_computes(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee &&
         (callee->isIntrinsic() || is_runtime(callee) || (callee->isDeclaration() && call.doesNotAccessMemory()));
}

// Where control goes from block on, beginning with the instruction: the blocks that follow, or none if it may do
// anything else but the above.
bool may_follow(BasicBlock& block, Instruction* from, SmallVectorImpl<BasicBlock*>& next) {
  for (; from; from = from->getNextNode()) {
    if (from->isAtomic() && !isa<LoadInst>(from)) return false;
    const auto* call = dyn_cast<CallBase>(from);
    if (!call) continue;
    if (call->doesNotReturn()) return true;
    if (call->isInlineAsm() || (!is_join(*call) && !only_computes(*call))) return false;
    const auto* invoke = dyn_cast<InvokeInst>(from);
    if (!invoke) continue;
    next.push_back(invoke->getNormalDest());  // a join throws nothing
    return true;
  }
  append_range(next, successors(&block));
  return true;
}

bool is_last(CallBase& join) {
  SmallVector<BasicBlock*> next;
  BasicBlock& block = *join.getParent();
  if (auto* invoke = dyn_cast<InvokeInst>(&join)) {
    next.push_back(invoke->getNormalDest());
  } else if (!may_follow(block, join.getNextNode(), next)) {
    return false;
  }
  SmallPtrSet<BasicBlock*, 16> seen;
  while (!next.empty()) {
    BasicBlock* const b = next.pop_back_val();
    if (seen.insert(b).second && !may_follow(*b, &b->front(), next)) return false;
  }
  return true;
}

}  // namespace

void mark_last_joins(Module& module) {
  Function* const main = module.getFunction("main");
  if (!main || main->isDeclaration()) return;
  SmallVector<CallBase*> last;
  for (Instruction& i : instructions(*main)) {
    auto* const call = dyn_cast<CallBase>(&i);
    if (call && is_join(*call) && is_last(*call)) last.push_back(call);
  }
  for (CallBase* call : last) {
    call->setCalledFunction(module.getOrInsertFunction("__heddle_last_join", call->getFunctionType()));
  }
}

}  // namespace heddle::frontend
