// Pauses are left out: what only decides how long a thread pauses, and loops that do nothing else.
//
//   for (int delay = 1; exchange(&lock, 1); delay = delay < 1024 ? 2 * delay : delay)
//     for (int i = 0; i < delay; ++i) pause();
//
// Here no action of the thread depends on the value of `delay` or `i` (influence.hpp). So `delay` may as well stay as
// it is, and the inner loop, which ends, may as well not be there. What is left is a loop that waits for one value;
// with `delay` in it each round would change something.
//
// The same holds for a counter that decides after how many rounds the thread yields; or how long it sleeps, if the
// program never reads a clock.
#include <llvm/Analysis/CFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "core/assert.hpp"
#include "frontend/loops/influence.hpp"
#include "frontend/loops/loops.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

// The condition of a loop `while (a && b)` is a phi node that is false if it comes from `a`. Such a way goes on to
// where it leads at once, so that the branch at `a` is an exit of the loop.
class JoinedConditions {
 public:
  explicit JoinedConditions(Function& f) : f_(f) {}

  void rewrite() {
    SmallVector<BasicBlock*> joins;
    {
      DominatorTree dominators(f_);
      const LoopInfo loops(dominators);
      for (BasicBlock& block : f_) {
        if (loops.isLoopHeader(&block))
          heads_.insert(&block);
        else if (loops.getLoopFor(&block) && condition(block))
          joins.push_back(&block);
      }
    }
    for (BasicBlock* block : joins) {
      const SmallVector<BasicBlock*> ways(predecessors(block));
      for (BasicBlock* from : ways) {
        if (count(ways, from) == 1) lead_on(*from, *block);
      }
      if (block->getSinglePredecessor()) FoldSingleEntryPHINodes(block);
    }
    if (!joins.empty()) EliminateUnreachableBlocks(f_);
  }

 private:
  // The phi node that decides where the block leads, if the block does nothing else.
  static PHINode* condition(BasicBlock& block) {
    auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || block.getFirstNonPHI() != branch) return nullptr;
    auto* phi = dyn_cast<PHINode>(branch->getCondition());
    return phi && phi->getParent() == &block && branch->getSuccessor(0) != branch->getSuccessor(1) ? phi : nullptr;
  }

  void lead_on(BasicBlock& from, BasicBlock& join) {
    auto* branch = cast<BranchInst>(join.getTerminator());
    const auto* known = dyn_cast<ConstantInt>(condition(join)->getIncomingValueForBlock(&from));
    if (!known || !isa<BranchInst, SwitchInst>(from.getTerminator())) return;
    SmallVector<std::pair<PHINode*, Value*>> values;
    for (PHINode& phi : join.phis()) {
      values.emplace_back(&phi, phi.getIncomingValueForBlock(&from));
      const auto* value = dyn_cast<Instruction>(values.back().second);
      if (value && value->getParent() == &join) return;
    }
    BasicBlock* to = branch->getSuccessor(known->isZero() ? 1 : 0);
    if (heads_.contains(to)) return;  // a loop has one end, if it had
    BasicBlock* way = BasicBlock::Create(f_.getContext(), "", &f_, &join);
    BranchInst::Create(to, way)->setDebugLoc(branch->getDebugLoc());
    for (PHINode& phi : to->phis()) {
      const auto* same = find_if(values, [v = phi.getIncomingValueForBlock(&join)](auto& x) { return x.first == v; });
      phi.addIncoming(same != values.end() ? same->second : phi.getIncomingValueForBlock(&join), way);
    }
    from.getTerminator()->replaceSuccessorWith(&join, way);
    join.removePredecessor(&from, /*KeepOneInputPHIs=*/true);
    for (const auto& [phi, value] : values) rename(*phi, join, *way, *value);
  }

  // The value of the phi node is another one where control comes along the new way.
  static void rename(PHINode& phi, BasicBlock& join, BasicBlock& way, Value& value) {
    SSAUpdater updater;
    updater.Initialize(phi.getType(), phi.getName());
    updater.AddAvailableValue(&join, &phi);
    updater.AddAvailableValue(&way, &value);
    for (Use& use : make_early_inc_range(phi.uses())) {
      auto* user = cast<Instruction>(use.getUser());
      const auto* merge = dyn_cast<PHINode>(user);
      if ((merge ? merge->getIncomingBlock(use) : user->getParent()) != &join) updater.RewriteUse(use);
    }
  }

  Function& f_;
  SmallPtrSet<const BasicBlock*, 8> heads_;
};

class Pauses {
 public:
  Pauses(Function& f, const OfFunction& only_pauses, LoopFacts& facts)
      : f_(f), influence_(f, only_pauses), facts_(facts) {}

  void rewrite() {
    for (Loop* loop : influence_.loops().getLoopsInPreorder()) {
      for (PHINode& phi : loop->getHeader()->phis()) look_at(*loop, phi);
    }
    for (BasicBlock* fork : forks_) joins_.push_back(influence_.join(*fork));
    HEDDLE_ASSERT(none_of(joins_, [](const BasicBlock* join) { return join == nullptr; }));
    for (unsigned i = 0; i < forks_.size(); ++i) go_straight(*forks_[i], *joins_[i]);
    for (PHINode* phi : idle_) {
      for (Use& next : phi->incoming_values()) {
        if (rounds_end_.contains({phi, phi->getIncomingBlock(next)})) next.set(phi);
      }
    }
    for (PHINode* phi : idle_) {
      Value* only = phi->hasConstantValue();
      if (!only) continue;
      phi->replaceAllUsesWith(only);
      phi->eraseFromParent();
    }
    if (!forks_.empty()) EliminateUnreachableBlocks(f_);
  }

 private:
  void look_at(const Loop& loop, PHINode& phi) {
    const auto is_next = [&](const Use& use) { return use != &phi && loop.contains(phi.getIncomingBlock(use)); };
    if (none_of(phi.incoming_values(), is_next)) return;
    const Influence::Found found = influence_.of({&phi}, [](const Use&) { return Influence::Judgement::follow; });
    if (found.matters) return;
    forks_.insert(found.forks.begin(), found.forks.end());
    idle_.push_back(&phi);
    for (const Use& use : phi.incoming_values()) {
      if (is_next(use)) rounds_end_.insert({&phi, phi.getIncomingBlock(use)});
    }
    facts_[loop.getHeader()].idle.push_back(source_name(phi));
  }

  // No thread notices what is left out, nor which values come from there.
  void go_straight(BasicBlock& fork, BasicBlock& join) {
    const DebugLoc at = fork.getTerminator()->getDebugLoc();
    const bool leads_there = is_contained(successors(&fork), &join);
    bool kept = false;
    for (BasicBlock* next : SmallVector<BasicBlock*>(successors(&fork))) {
      if (next == &join && !kept) {
        kept = true;
        continue;
      }
      next->removePredecessor(&fork, /*KeepOneInputPHIs=*/true);
    }
    if (!leads_there) {
      const Loop* loop = influence_.loops().getLoopFor(&join);
      const bool back = loop && loop->getHeader() == &join && loop->contains(&fork);
      for (PHINode& phi : join.phis()) {
        const bool stays = back && is_contained(idle_, &phi);
        phi.addIncoming(stays ? cast<Value>(&phi) : Constant::getNullValue(phi.getType()), &fork);
      }
    }
    fork.getTerminator()->eraseFromParent();
    BranchInst::Create(&join, &fork)->setDebugLoc(at);
  }

  Function& f_;
  Influence influence_;
  LoopFacts& facts_;
  SmallSetVector<BasicBlock*, 8> forks_;
  SmallVector<BasicBlock*> joins_;
  SmallVector<PHINode*> idle_;
  DenseSet<std::pair<const PHINode*, const BasicBlock*>> rounds_end_;  // idle variables, and where a round ends
};

}  // namespace

void leave_out_pauses(Function& f, const OfFunction& only_pauses, LoopFacts& facts) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> edges;
  FindFunctionBackedges(f, edges);
  if (edges.empty()) return;
  JoinedConditions(f).rewrite();
  Pauses(f, only_pauses, facts).rewrite();
}

}  // namespace heddle::frontend
