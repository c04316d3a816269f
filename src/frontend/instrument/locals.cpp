// Local variables that are not settled (checks/checks.hpp) move to the thread's arena, where other threads may use
// them, and where bounds, life and initialisation are checked.
//
// A variable lives between clang's lifetime markers; without them as long as the function.
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "core/assert.hpp"
#include "frontend/instrument/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

struct LifeUses {
  SmallVector<IntrinsicInst*, 4> starts;
  SmallVector<IntrinsicInst*, 4> ends;
  SmallVector<Use*, 8> others;
};

LifeUses uses_of(AllocaInst& local) {
  LifeUses uses;
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
  LocalsRewriter(Function& f, Runtime& runtime, Sites& sites, Names& names)
      : f_(f), runtime_(runtime), sites_(sites), names_(names) {
    for (Instruction& i : instructions(f)) {
      if (is_exit(i)) exits_.push_back(&i);
    }
  }

  void move_to_arena(ArrayRef<AllocaInst*> locals) {
    for (AllocaInst* local : locals) move(*local);
    HEDDLE_ASSERT(all_of(slots_, [](const AllocaInst* slot) { return isAllocaPromotable(slot); }));
    DominatorTree dominators(f_);
    PromoteMemToReg(slots_, dominators);
  }

 private:
  // The variable's address is kept in a slot, which mem2reg turns into a register. After the end of the variable's life
  // it is still the address of what has ended; before its first life it is null.
  void move(AllocaInst& local) {
    named_ = kNoSite;
    const LifeUses uses = uses_of(local);
    const bool scoped = local.isStaticAlloca() && !uses.starts.empty();
    IRBuilder<> entry(&*f_.getEntryBlock().getFirstInsertionPt());
    AllocaInst* slot = empty_slot(entry);
    DIBuilder debug(*f_.getParent());
    replaceDbgDeclare(&local, slot, debug, DIExpression::DerefBefore, 0);
    DenseMap<Instruction*, Value*> addresses;  // one per position: a phi wants the same value from the same block
    for (Use* use : uses.others) {
      Value*& address = addresses[position(*use)];
      if (!address) address = IRBuilder<>(position(*use)).CreateLoad(runtime_.ptr, slot);
      use->set(address);
    }
    if (scoped) {
      // The ways may meet on which a variable has ended and on which it has not.
      AllocaInst* living = empty_slot(entry);
      for (IntrinsicInst* start : uses.starts) {
        begin(local, slot, start);
        IRBuilder<> b(start);
        b.CreateStore(b.CreateLoad(runtime_.ptr, slot), living);
      }
      for (IntrinsicInst* end : uses.ends) {
        finish(living, *end);
        IRBuilder<>(end).CreateStore(ConstantPointerNull::get(runtime_.ptr), living);
      }
    } else {
      begin(local, slot, &local);
      if (local.isStaticAlloca()) {
        for (Instruction* exit : exits_) finish(slot, *exit);
      } else {
        AllocaInst* living = empty_slot(entry);
        IRBuilder<> b(&local);
        b.CreateStore(b.CreateLoad(runtime_.ptr, slot), living);
        for (Instruction* exit : exits_) finish_if_begun(living, *exit);
        finish_at_restores(local, living);
      }
    }
    for (IntrinsicInst* marker : uses.starts) marker->eraseFromParent();
    for (IntrinsicInst* marker : uses.ends) marker->eraseFromParent();
    HEDDLE_ASSERT(local.use_empty());
    local.eraseFromParent();
  }

  AllocaInst* empty_slot(IRBuilder<>& entry) {
    AllocaInst* slot = entry.CreateAlloca(runtime_.ptr);
    entry.CreateStore(ConstantPointerNull::get(runtime_.ptr), slot);
    slots_.push_back(slot);
    return slot;
  }

  void begin(AllocaInst& local, AllocaInst* slot, Instruction* at) {
    IRBuilder<> b(at);
    const DataLayout& layout = f_.getDataLayout();
    Value* count = b.CreateZExtOrTrunc(local.getArraySize(), runtime_.i64);
    Value* size = b.CreateMul(count, runtime_.size(layout.getTypeAllocSize(local.getAllocatedType())));
    const SiteId site = site_of(local, *at);
    Value* p =
        runtime_.call<Entry::local_begin>(b, {size, runtime_.size(local.getAlign().value()), runtime_.site(site)});
    b.CreateStore(p, slot);
  }

  // A variable with a name has a site of its own: by it a report finds the name.
  SiteId site_of(AllocaInst& local, Instruction& at) {
    if (named_ != kNoSite) return named_;
    const SiteId site = local.getDebugLoc() ? sites_.of(local.getDebugLoc().get()) : sites_.of(at);
    const auto* variable = dyn_cast_or_null<DILocalVariable>(local.getMetadata(kVariable));
    if (!variable || variable->getName().empty()) return site;
    named_ = sites_.copy(site);
    names_.locals.push_back({named_, variable->getName().str(), names_.types.of(variable->getType())});
    return named_;
  }

  void finish(AllocaInst* slot, Instruction& at) {
    IRBuilder<> b(&at);
    Value* p = b.CreateLoad(runtime_.ptr, slot);
    runtime_.call<Entry::local_end>(b, {p, runtime_.site(sites_.of(at))});
  }

  // A dynamic alloca may not have been executed, or its life may have ended: then the slot of the living one is null.
  void finish_if_begun(AllocaInst* living, Instruction& at) {
    IRBuilder<> b(&at);
    Value* begun = b.CreateIsNotNull(b.CreateLoad(runtime_.ptr, living));
    Instruction* then = SplitBlockAndInsertIfThen(begun, &at, /*Unreachable=*/false);
    finish(living, *then);
    IRBuilder<>(then).CreateStore(ConstantPointerNull::get(runtime_.ptr), living);
  }

  // A variable-length array ends where the stack goes back to before it.
  void finish_at_restores(AllocaInst& local, AllocaInst* living) {
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
    for (IntrinsicInst* restore : restores) finish_if_begun(living, *restore);
  }

  Function& f_;
  Runtime& runtime_;
  Sites& sites_;
  Names& names_;
  SiteId named_ = kNoSite;  // of the variable that is moved just now, if it has a name
  SmallVector<Instruction*> exits_;
  SmallVector<AllocaInst*> slots_;
};

}  // namespace

void rewrite_locals(Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy, Names& names) {
  if (!privacy.escaping().empty()) LocalsRewriter(f, runtime, sites, names).move_to_arena(privacy.escaping());
}

}  // namespace heddle::frontend
