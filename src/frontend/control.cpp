// Calls that leave the program tell the machine where they stand, and loops count.
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "frontend/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// Whether the call may reach a function that the machine models. A call through a pointer may.
bool leaves_program(const CallBase& call) {
  if (call.isInlineAsm()) return false;
  const Function* callee = call.getCalledFunction();
  if (!callee) return true;
  return callee->isDeclaration() && !callee->isIntrinsic() && !is_runtime(callee) && !call.doesNotAccessMemory();
}

// Where cycles are entered: the targets of back edges, with the branch of one of them for its source line.
using Heads = MapVector<BasicBlock*, const Instruction*>;

Heads find_heads(Function& f) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> edges;
  FindFunctionBackedges(f, edges);
  Heads heads;
  for (const auto& [from, to] : edges) heads.insert({const_cast<BasicBlock*>(to), from->getTerminator()});
  return heads;
}

class LoopCounter {
 public:
  LoopCounter(Function& f, Runtime& runtime, unsigned limit) : f_(f), runtime_(runtime), limit_(limit) {
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    for (auto& [head, branch] : find_heads(f)) count(*head, loops.getLoopFor(head));
  }

  // Cuts the loop at this head when it goes back too often.
  void cut(BasicBlock& head, SiteId site) {
    IRBuilder<> b(&*head.getFirstInsertionPt());
    AllocaInst* counter = counters_.lookup(&head);
    Value* rounds = b.CreateAdd(b.CreateLoad(runtime_.i64, counter), runtime_.size(1));
    b.CreateStore(rounds, counter);
    Value* over = b.CreateICmpUGT(rounds, runtime_.size(uint64_t{limit_} + 1));
    Instruction* then = SplitBlockAndInsertIfThen(over, b.GetInsertPoint(), /*Unreachable=*/true);
    IRBuilder<> cold(then);
    runtime_.call<Entry::cut>(cold, {runtime_.site(site)});
  }

  void finish() {
    SmallVector<AllocaInst*> slots;
    for (auto& [head, slot] : counters_) slots.push_back(slot);
    DominatorTree dominators(f_);
    PromoteMemToReg(slots, dominators);
  }

 private:
  // A counter that each entry of the loop resets; in a cycle that is no proper loop, each call of the function does.
  void count(BasicBlock& head, const Loop* loop) {
    IRBuilder<> entry(&*f_.getEntryBlock().getFirstInsertionPt());
    AllocaInst* slot = entry.CreateAlloca(runtime_.i64);
    entry.CreateStore(runtime_.size(0), slot);
    counters_[&head] = slot;
    if (!loop || loop->getHeader() != &head) return;
    for (BasicBlock* from : predecessors(&head)) {
      if (!loop->contains(from)) IRBuilder<>(from->getTerminator()).CreateStore(runtime_.size(0), slot);
    }
  }

  Function& f_;
  Runtime& runtime_;
  const unsigned limit_;
  DenseMap<BasicBlock*, AllocaInst*> counters_;
};

// if (--__heddle_fuel < 0) __heddle_spin(site);
void burn_fuel(BasicBlock& head, Runtime& runtime, SiteId site) {
  IRBuilder<> b(&*head.getFirstInsertionPt());
  Value* left = b.CreateSub(b.CreateLoad(runtime.i64, runtime.fuel()), runtime.size(1));
  b.CreateStore(left, runtime.fuel());
  Value* empty = b.CreateICmpSLT(left, runtime.size(0));
  MDNode* unlikely = MDBuilder(b.getContext()).createBranchWeights(1, 1 << 20);
  Instruction* then = SplitBlockAndInsertIfThen(empty, b.GetInsertPoint(), /*Unreachable=*/false, unlikely);
  IRBuilder<> cold(then);
  runtime.call<Entry::spin>(cold, {runtime.site(site)});
}

}  // namespace

void rewrite_calls(Function& f, Runtime& runtime, Sites& sites, const HasNoEffect& has_no_effect) {
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    const auto* call = dyn_cast<CallBase>(&i);
    if (!call || !leaves_program(*call)) continue;
    IRBuilder<> b(&i);
    const Function* callee = call->getCalledFunction();
    if (!callee || !has_no_effect(callee->getName())) runtime.call<Entry::change>(b);
    runtime.call<Entry::at>(b, {runtime.site(sites.of(i))});
  }
}

void rewrite_loops(Function& f, Runtime& runtime, Sites& sites, unsigned unroll) {
  const Heads heads = find_heads(f);
  if (heads.empty()) return;
  std::optional<LoopCounter> counter;
  if (unroll > 0) counter.emplace(f, runtime, unroll);
  for (const auto& [head, branch] : heads) {
    const SiteId site = sites.of(branch->getDebugLoc() ? *branch : *head->getTerminator());
    if (counter) counter->cut(*head, site);
    burn_fuel(*head, runtime, site);
  }
  if (counter) counter->finish();
}

}  // namespace heddle::frontend
