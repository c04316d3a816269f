#include "frontend/loops/influence.hpp"

#include <llvm/Analysis/CFG.h>

#include "frontend/ir/runtime.hpp"
#include "frontend/loops/effects.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

bool is_irreducible(const Function& f, const DominatorTree& dominators) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> edges;
  FindFunctionBackedges(f, edges);
  return any_of(edges, [&](const auto& edge) { return !dominators.dominates(edge.second, edge.first); });
}

}  // namespace

Influence::Influence(Function& f, const OfFunction& only_pauses)
    : only_pauses_(only_pauses),
      library_info_(Triple(f.getParent()->getTargetTriple())),
      library_(library_info_, &f),
      assumptions_(f),
      dominators_(f),
      post_dominators_(f),
      loops_(dominators_),
      evolution_(f, library_, assumptions_, dominators_, loops_),
      irreducible_(is_irreducible(f, dominators_)) {}

// A pause has no effect that can be noticed. What a keep keeps is a load, which is something itself.
bool Influence::does_nothing(const Instruction& i) const {
  const auto* call = dyn_cast<CallInst>(&i);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (is_keep(i) || (callee && is(*callee, Entry::at))) return true;
  if (is_runtime(callee)) return false;
  return !i.isTerminator() && effect_of(i, only_pauses_) <= Effect::pauses;
}

BasicBlock* Influence::join(BasicBlock& fork) {
  const DomTreeNodeBase<BasicBlock>* node = post_dominators_.getNode(&fork);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

bool Influence::spread_from_fork(BasicBlock& fork, Found& found) {
  if (!found.forks.insert(&fork)) return true;
  BasicBlock* end = join(fork);
  if (irreducible_ || !end || !isa<BranchInst, SwitchInst>(fork.getTerminator())) return false;
  SmallSetVector<BasicBlock*, 8> between;
  for (BasicBlock* next : successors(&fork)) {
    if (next != end) between.insert(next);
  }
  for (unsigned i = 0; i < between.size(); ++i) {
    for (BasicBlock* next : successors(between[i])) {
      if (next != end) between.insert(next);
    }
  }
  for (BasicBlock* block : between) {
    if (!isa<BranchInst, SwitchInst>(block->getTerminator())) return false;
    const Loop* loop = loops_.isLoopHeader(block) ? loops_.getLoopFor(block) : nullptr;
    if (loop && isa<SCEVCouldNotCompute>(evolution_.getSymbolicMaxBackedgeTakenCount(loop))) return false;
    for (Instruction& i : *block) {
      if (i.isTerminator()) continue;
      if (!does_nothing(i)) return false;
      if (!i.getType()->isVoidTy()) found.values.insert(&i);
    }
  }
  for (PHINode& phi : end->phis()) found.values.insert(&phi);
  return true;
}

Influence::Found Influence::of(ArrayRef<PHINode*> values, Judge judge) {
  Found found;
  found.values.insert(values.begin(), values.end());
  for (unsigned i = 0; i < found.values.size(); ++i) {
    for (const Use& use : found.values[i]->uses()) {
      auto* user = cast<Instruction>(use.getUser());
      const Judgement judgement = judge(use);
      if (judgement == Judgement::harmless) continue;
      bool harmless = judgement == Judgement::follow;
      if (harmless && user->isTerminator()) {
        harmless = spread_from_fork(*user->getParent(), found);
      } else if (harmless) {
        harmless = does_nothing(*user);
        if (!user->getType()->isVoidTy()) found.values.insert(user);
      }
      if (!harmless) {
        found.matters = user;
        return found;
      }
    }
  }
  return found;
}

}  // namespace heddle::frontend
