// Local variables whose address escapes move to the thread's arena, where other threads may use them and their life
// is checked. Private ones stay on the fibre's stack; they start as zeros, so that a program that forgets to set one
// still does the same in every execution.
//
// A variable lives between clang's lifetime markers if every use lies between them, else as long as the function.
#include <llvm/Analysis/StackLifetime.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "frontend/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

struct Uses {
  SmallVector<IntrinsicInst*, 4> starts;
  SmallVector<IntrinsicInst*, 4> ends;
  SmallVector<Use*, 8> others;
};

Uses uses_of(AllocaInst& local) {
  Uses uses;
  for (Use& use : local.uses()) {
    auto* marker = dyn_cast<IntrinsicInst>(use.getUser());
    if (marker && marker->getIntrinsicID() == Intrinsic::lifetime_start) {
      uses.starts.push_back(marker);
    } else if (marker && marker->getIntrinsicID() == Intrinsic::lifetime_end) {
      uses.ends.push_back(marker);
    } else {
      uses.others.push_back(&use);
    }
  }
  return uses;
}

// Where the value of a use is needed: for a phi at the end of the block that it comes from.
Instruction* position(const Use& use) {
  if (auto* phi = dyn_cast<PHINode>(use.getUser())) return phi->getIncomingBlock(use)->getTerminator();
  return cast<Instruction>(use.getUser());
}

bool is_exit(const Instruction& i) { return isa<ReturnInst, ResumeInst>(i); }

class LocalsRewriter {
 public:
  LocalsRewriter(Function& f, Runtime& runtime, Sites& sites) : f_(f), runtime_(runtime), sites_(sites) {
    for (Instruction& i : instructions(f)) {
      if (is_exit(i)) exits_.push_back(&i);
    }
  }

  void move_to_arena(ArrayRef<AllocaInst*> locals) {
    StackLifetime lifetimes(f_, locals, StackLifetime::LivenessType::Must);
    lifetimes.run();
    const auto inside_markers = [&](AllocaInst& local, const Uses& uses) {
      return !uses.starts.empty() &&
             all_of(uses.others, [&](Use* u) { return lifetimes.isAliveAfter(&local, position(*u)); });
    };
    // All decisions first: the rewriting adds blocks' instructions that the analysis does not know.
    SmallVector<std::pair<AllocaInst*, bool>> plan;
    for (AllocaInst* local : locals)
      plan.emplace_back(local, local->isStaticAlloca() && inside_markers(*local, uses_of(*local)));
    for (auto [local, scoped] : plan) move(*local, scoped);
    DominatorTree dominators(f_);
    PromoteMemToReg(slots_, dominators);
  }

 private:
  // The variable's address is kept in a slot, which mem2reg turns into a register.
  void move(AllocaInst& local, bool scoped) {
    const Uses uses = uses_of(local);
    IRBuilder<> entry(&*f_.getEntryBlock().getFirstInsertionPt());
    AllocaInst* slot = entry.CreateAlloca(runtime_.ptr);
    entry.CreateStore(ConstantPointerNull::get(runtime_.ptr), slot);
    slots_.push_back(slot);
    DenseMap<Instruction*, Value*> addresses;  // one per position: a phi wants the same value from the same block
    for (Use* use : uses.others) {
      Value*& address = addresses[position(*use)];
      if (!address) address = IRBuilder<>(position(*use)).CreateLoad(runtime_.ptr, slot);
      use->set(address);
    }
    if (scoped) {
      for (IntrinsicInst* start : uses.starts) begin(local, slot, start);
      for (IntrinsicInst* end : uses.ends) finish(slot, *end);
    } else {
      begin(local, slot, &local);
      for (Instruction* exit : exits_) finish_if_begun(local, slot, *exit);
      if (!local.isStaticAlloca()) finish_at_restores(local, slot);
    }
    for (IntrinsicInst* marker : uses.starts) marker->eraseFromParent();
    for (IntrinsicInst* marker : uses.ends) marker->eraseFromParent();
    local.eraseFromParent();
  }

  void begin(AllocaInst& local, AllocaInst* slot, Instruction* at) {
    IRBuilder<> b(at);
    const DataLayout& layout = f_.getDataLayout();
    Value* count = b.CreateZExtOrTrunc(local.getArraySize(), runtime_.i64);
    Value* size = b.CreateMul(count, runtime_.size(layout.getTypeAllocSize(local.getAllocatedType())));
    const SiteId site = local.getDebugLoc() ? sites_.of(local.getDebugLoc().get()) : sites_.of(*at);
    Value* p =
        runtime_.call<Entry::local_begin>(b, {size, runtime_.size(local.getAlign().value()), runtime_.site(site)});
    b.CreateStore(p, slot);
  }

  void finish(AllocaInst* slot, Instruction& at) {
    IRBuilder<> b(&at);
    Value* p = b.CreateLoad(runtime_.ptr, slot);
    runtime_.call<Entry::local_end>(b, {p, runtime_.site(sites_.of(at))});
  }

  // A dynamic alloca may not have been executed: its slot is null then, and __heddle_local_end must not see it.
  void finish_if_begun(AllocaInst& local, AllocaInst* slot, Instruction& at) {
    if (local.isStaticAlloca()) {
      finish(slot, at);
      return;
    }
    IRBuilder<> b(&at);
    Value* begun = b.CreateIsNotNull(b.CreateLoad(runtime_.ptr, slot));
    Instruction* then = SplitBlockAndInsertIfThen(begun, &at, /*Unreachable=*/false);
    finish(slot, *then);
    IRBuilder<>(then).CreateStore(ConstantPointerNull::get(runtime_.ptr), slot);
  }

  // A variable-length array ends where the stack goes back to before it.
  void finish_at_restores(AllocaInst& local, AllocaInst* slot) {
    SmallVector<IntrinsicInst*> restores;
    {
      const DominatorTree dominators(f_);
      for (Instruction& i : instructions(f_)) {
        auto* restore = dyn_cast<IntrinsicInst>(&i);
        if (!restore || restore->getIntrinsicID() != Intrinsic::stackrestore) continue;
        const auto* save = dyn_cast<IntrinsicInst>(restore->getArgOperand(0));
        if (save && save->getIntrinsicID() == Intrinsic::stacksave && dominators.dominates(save, &local)) {
          restores.push_back(restore);
        }
      }
    }
    for (IntrinsicInst* restore : restores) finish_if_begun(local, slot, *restore);
  }

  Function& f_;
  Runtime& runtime_;
  Sites& sites_;
  SmallVector<Instruction*> exits_;
  SmallVector<AllocaInst*> slots_;
};

void zero(AllocaInst& local) {
  const DataLayout& layout = local.getDataLayout();
  const auto fill = [&](IRBuilder<> b) {
    Value* count = b.CreateZExtOrTrunc(local.getArraySize(), b.getInt64Ty());
    Value* size = b.CreateMul(count, b.getInt64(layout.getTypeAllocSize(local.getAllocatedType())));
    b.CreateMemSet(&local, b.getInt8(0), size, local.getAlign());
  };
  const Uses uses = uses_of(local);
  for (IntrinsicInst* start : uses.starts) fill(IRBuilder<>(start->getNextNode()));
  if (uses.starts.empty()) fill(IRBuilder<>(local.getNextNode()));
}

}  // namespace

void rewrite_locals(Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy) {
  SmallVector<AllocaInst*> escaping;
  SmallVector<AllocaInst*> others;
  for (Instruction& i : instructions(f)) {
    auto* local = dyn_cast<AllocaInst>(&i);
    if (!local) continue;
    if (privacy.escapes(*local)) {
      escaping.push_back(local);
    } else if (privacy.knows(*local)) {
      others.push_back(local);
    }
  }
  for (AllocaInst* local : others) zero(*local);
  if (!escaping.empty()) LocalsRewriter(f, runtime, sites).move_to_arena(escaping);
}

}  // namespace heddle::frontend
