// Clang marks the life of a variable, and of a temporary that has a reference, but not of an argument that is passed by
// value in memory, nor of a temporary that is not used:
//
//   start(Config{3});  Lock(mutex);
//
// Such an object ends with its destructor. An argument without one ends when the last call that gets it returns: it may
// live to the end of the full expression, but no program may count on that. Of an unused temporary without one nothing
// is known.
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "frontend/checks/checks.hpp"
#include "frontend/ir/clang_names.hpp"
#include "frontend/ir/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

bool is_temporary(const Instruction& i) {
  const auto* local = dyn_cast<AllocaInst>(&i);
  return local && local->isStaticAlloca() && is_unmarked_temporary(*local) && !isAllocaPromotable(local);
}

// All uses of the address, through constant offsets too; false if it goes elsewhere, or clang has marked the life.
bool uses_of(Value& address, SmallVectorImpl<Instruction*>& uses) {
  return all_of(address.users(), [&](User* user) {
    auto* i = cast<Instruction>(user);
    uses.push_back(i);
    if (auto* offset = dyn_cast<GetElementPtrInst>(i)) return uses_of(*offset, uses);
    if (const auto* store = dyn_cast<StoreInst>(i)) {  // for a debugger, clang notes where an argument is
      return store->getValueOperand() != &address || is_address_for_debugger(*store->getPointerOperand());
    }
    const auto* intrinsic = dyn_cast<IntrinsicInst>(i);
    return isa<LoadInst, CallBase>(i) && !(intrinsic && intrinsic->isLifetimeStartOrEnd());
  });
}

bool is_destructor_of(const Instruction& i, const AllocaInst& local) {
  const auto* call = dyn_cast<CallBase>(&i);
  // One that is not inline is an alias: the destructor of the whole object is that of a part of another.
  const auto* callee = call ? dyn_cast<Function>(call->getCalledOperand()->stripPointerCastsAndAliases()) : nullptr;
  if (!callee || call->arg_size() == 0 || call->getArgOperand(0) != &local) return false;
  const StringRef name = callee->getName();
  return (name.ends_with("D1Ev") || name.ends_with("D2Ev")) && demangle(name).find("::~") != std::string::npos;
}

class Life {
 public:
  Life(AllocaInst& local, ArrayRef<Instruction*> uses, const DominatorTree& dominators)
      : local_(local), uses_(uses), dominators_(dominators) {}

  void mark() {
    SmallVector<Instruction*> last;
    copy_if(uses_, std::back_inserter(last), [&](Instruction* i) { return is_destructor_of(*i, local_); });
    const bool is_argument = !is_unused_temporary(local_);
    if (Instruction* call = last.empty() && is_argument ? last_call() : nullptr) last.push_back(call);
    if (last.empty()) return;
    Instruction* first = before_all(last);
    for (Instruction& i : make_early_inc_range(instructions(*local_.getFunction()))) {
      if (isa<ReturnInst, ResumeInst>(i)) end(&i, i);
    }
    for (Instruction* i : last) {
      if (Instruction* at = after(*i)) end(at, *i);
    }
    IRBuilder<> b(first);
    b.CreateLifetimeStart(&local_);
  }

 private:
  void end(Instruction* at, const Instruction& of) {
    IRBuilder<> b(at);
    b.SetCurrentDebugLocation(of.getDebugLoc());
    b.CreateLifetimeEnd(&local_);
  }

  // The call after all other uses.
  Instruction* last_call() const {
    const auto is_last = [&](Instruction* call) {
      return isa<CallBase>(call) && !isa<IntrinsicInst>(call) &&
             all_of(uses_, [&](const Instruction* i) { return i == call || dominators_.dominates(i, call); });
    };
    const auto it = find_if(uses_, is_last);
    return it == uses_.end() ? nullptr : *it;
  }

  // Before all uses but the last, which come after a branch if there is nothing to end on some ways.
  Instruction* before_all(ArrayRef<Instruction*> last) const {
    BasicBlock* block = nullptr;
    for (Instruction* i : uses_) {
      if (uses_.size() > last.size() && is_contained(last, i)) continue;
      block = block ? dominators_.findNearestCommonDominator(block, i->getParent()) : i->getParent();
    }
    const auto it = find_if(*block, [&](Instruction& i) { return is_contained(uses_, &i); });
    return it == block->end() ? block->getTerminator() : &*it;
  }

  AllocaInst& local_;
  ArrayRef<Instruction*> uses_;
  const DominatorTree& dominators_;
};

}  // namespace

void mark_temporaries(Function& f) {
  SmallVector<AllocaInst*> locals;
  for (Instruction& i : f.getEntryBlock()) {
    if (is_temporary(i)) locals.push_back(cast<AllocaInst>(&i));
  }
  if (locals.empty()) return;
  const DominatorTree dominators(f);
  for (AllocaInst* local : locals) {
    SmallVector<Instruction*> uses;
    if (uses_of(*local, uses) && !uses.empty()) Life(*local, uses, dominators).mark();
  }
}

}  // namespace heddle::frontend
