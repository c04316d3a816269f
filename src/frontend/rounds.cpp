// Waiting loops. A round of a loop that changes nothing, neither memory nor a variable of the function, leaves the
// thread where it was: it would do the same again until another thread changes what it reads. Each round of a loop that
// can be such takes down at its head how far the thread has come (__heddle_round), and asks at its end whether anything
// has changed since (__heddle_turn); if not, the thread stops there.
//
// This is the idea of Optimal-DPOR-Await §III, Def. "pure iteration", decided while the program runs: what is written
// to memory the machine knows, so that functions that are not inlined, failed compare-and-swaps, failed trylocks and
// inner loops are no hindrance. What the machine does not see is decided here: the phi nodes of the head, and stores to
// variables that live on the fibre's stack.
//
// Nothing is lost: a round that changes nothing can be left out of an execution. What remains is an execution with the
// same states of all threads. It is consistent under each model, because it has fewer events and no new order: who read
// from a read-modify-write of such a round, which wrote what it had read, reads from the write before it.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "frontend/check.hpp"
#include "frontend/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

bool can_compare(const Type* type) {
  return type->isIntegerTy() || type->isPointerTy() || type->isFloatTy() || type->isDoubleTy();
}

// Whether the value is never that of the phi node: a counter has moved on.
bool always_differs(const PHINode& phi, const Value* next) {
  using namespace PatternMatch;
  const APInt* step = nullptr;
  if (match(next, m_c_Add(m_Specific(&phi), m_APInt(step))) || match(next, m_Sub(m_Specific(&phi), m_APInt(step)))) {
    return !step->isZero();
  }
  const auto* element = dyn_cast<GEPOperator>(next);
  if (!element || element->getPointerOperand() != &phi) return false;
  APInt offset(64, 0);
  return element->accumulateConstantOffset(phi.getDataLayout(), offset) && !offset.isZero();
}

// A variable that a round that ends in this latch always changes, as far as one can tell; nullptr if there is none.
const PHINode* always_moves(const BasicBlock& head, const BasicBlock& latch) {
  for (const PHINode& phi : head.phis()) {
    const Value* next = phi.getIncomingValueForBlock(&latch);
    if (next != &phi && (!can_compare(phi.getType()) || always_differs(phi, next))) return &phi;
  }
  return nullptr;
}

// As the source has it: what LLVM makes of a variable keeps its name.
std::string source_name(const PHINode& phi) {
  StringRef name = phi.getName().split('.').first;
  name.consume_front(kOwn);
  return name.empty() ? "a variable" : name.str();
}

// Whether the variable's life begins in each round.
bool is_born_in(const Loop& loop, const AllocaInst& local) {
  return any_of(local.users(), [&](const User* user) {
    const auto* marker = dyn_cast<IntrinsicInst>(user);
    return marker && marker->getIntrinsicID() == Intrinsic::lifetime_start && loop.contains(marker);
  });
}

// The program's variable that a store writes to, if it is one.
const AllocaInst* stored_variable(const Instruction& i) {
  const auto* store = dyn_cast<StoreInst>(&i);
  const auto* memory = dyn_cast<MemIntrinsic>(&i);
  if (!store && !memory) return nullptr;
  return dyn_cast<AllocaInst>(
      getUnderlyingObject(store ? store->getPointerOperand() : memory->getRawDest(), /*MaxLookup=*/0));
}

// Stores to the function's own variables that outlive a round.
SmallVector<Instruction*> unseen_stores(const Loop& loop, const Privacy& privacy) {
  SmallVector<Instruction*> stores;
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& i : *block) {
      if (!isa<StoreInst, MemIntrinsic>(i)) continue;
      const AllocaInst* local = stored_variable(i);
      if (local && (!privacy.knows(*local) || is_born_in(loop, *local))) continue;
      stores.push_back(&i);
    }
  }
  return stores;
}

class Rounds {
 public:
  Rounds(Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy, LoopFacts& facts)
      : runtime_(runtime), sites_(sites), privacy_(privacy), facts_(facts), dominators_(f), loops_(dominators_) {}

  void rewrite() {
    struct Candidate {
      BasicBlock* head;
      SmallVector<BasicBlock*, 2> latches;
      SmallVector<Instruction*> stores;
    };
    SmallVector<Candidate> candidates;
    for (Loop* loop : loops_.getLoopsInPreorder()) {
      Candidate c{loop->getHeader(), {}, {}};
      if (!has_call(*loop)) continue;
      loop->getLoopLatches(c.latches);
      LoopFact& fact = facts_[c.head];
      erase_if(c.latches, [&](BasicBlock* latch) {
        const PHINode* moves = always_moves(*c.head, *latch);
        if (moves) fact.moves.push_back(source_name(*moves));
        return moves || isa<IndirectBrInst>(latch->getTerminator());
      });
      if (c.latches.empty()) continue;
      fact.pure = true;
      c.stores = unseen_stores(*loop, privacy_);
      candidates.push_back(std::move(c));
    }
    for (const Candidate& c : candidates) {
      for (Instruction* store : c.stores) {
        if (!changes_.insert(store).second) continue;
        IRBuilder<> before(store);
        runtime_.call<Entry::change>(before);
      }
      IRBuilder<> b(&*c.head->getFirstInsertionPt());
      Value* start = runtime_.call<Entry::round>(b);
      for (BasicBlock* latch : c.latches) turn(*c.head, *latch, start);
    }
  }

 private:
  static Value* same(IRBuilder<>& b, Value* x, Value* y) {
    Type* type = x->getType();
    if (type->isFloatingPointTy()) {
      Type* bits = b.getIntNTy(type->getPrimitiveSizeInBits());
      x = b.CreateBitCast(x, bits);
      y = b.CreateBitCast(y, bits);
    }
    return b.CreateICmpEQ(x, y);
  }

  void turn(BasicBlock& head, BasicBlock& latch, Value* start) {
    const Instruction& branch = *latch.getTerminator();
    const SiteId site = sites_.of(branch.getDebugLoc() ? branch : *head.getTerminator());
    BasicBlock* edge = SplitEdge(&latch, &head);
    IRBuilder<> b(edge->getTerminator());
    Value* still = b.getTrue();
    for (PHINode& phi : head.phis()) {
      Value* next = phi.getIncomingValueForBlock(edge);
      if (next != &phi) still = b.CreateAnd(still, same(b, next, &phi));
    }
    Instruction* at = edge->getTerminator();
    if (!isa<ConstantInt>(still)) at = SplitBlockAndInsertIfThen(still, at, /*Unreachable=*/false);
    IRBuilder<> then(at);
    runtime_.call<Entry::turn>(
        then, {then.CreateExtractValue(start, 0), then.CreateExtractValue(start, 1), runtime_.site(site)});
  }

  Runtime& runtime_;
  Sites& sites_;
  const Privacy& privacy_;
  LoopFacts& facts_;
  DominatorTree dominators_;
  LoopInfo loops_;
  SmallPtrSet<Instruction*, 8> changes_;
};

}  // namespace

void rewrite_short_lives(Function& f, Runtime& runtime, const Privacy& privacy) {
  DominatorTree dominators(f);
  const LoopInfo loops(dominators);
  SmallVector<Instruction*> stores;
  for (BasicBlock& block : f) {
    const Loop* loop = loops.getLoopFor(&block);
    if (!loop) continue;
    for (Instruction& i : block) {
      const AllocaInst* local = stored_variable(i);
      if (local && is_contained(privacy.escaping(), local) && is_born_in(*loop, *local)) stores.push_back(&i);
    }
  }
  for (Instruction* store : stores) {
    IRBuilder<> b(store);
    Value* before = b.CreateExtractValue(runtime.call<Entry::round>(b), 1);
    b.SetInsertPoint(store->getNextNode());
    runtime.call<Entry::unchange>(b, {before});
  }
}

void rewrite_rounds(Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy, LoopFacts& facts) {
  Rounds(f, runtime, sites, privacy, facts).rewrite();
}

}  // namespace heddle::frontend
