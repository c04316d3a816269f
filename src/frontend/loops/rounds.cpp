// Waiting loops: a thread stops at the end of a round that has changed nothing.
//
// A round of a loop that changes nothing, neither memory nor a variable of the function, leaves the thread where it
// was: it would do the same again until another thread changes what it reads. At its head each round of a loop that can
// be such takes down how far the thread has come (__heddle_round). At its end it asks whether anything has changed
// since (__heddle_turn). If not, the thread stops there.
//
// This is the pure iteration of Optimal-DPOR-Await §III, decided while the program runs. The machine knows what is
// written to memory. So functions that are not inlined, failed compare-and-swaps, failed trylocks and inner loops are
// no hindrance. Decided here is what the machine does not see: the phi nodes of the head, and stores to variables that
// live on the fibre's stack.
//
// A loop that gives back a mutex and takes it again, so that other threads may come in, has changed nothing at another
// point than its head: right after it has given the mutex back. There a round asks as well whether anything has changed
// since a round before was there, if no variable that a round may change outlives that point (find_gaps).
//
// If a round has changed nothing but counters, which decide when to leave, the thread does not stop but goes to the
// last round: spins.hpp.
//
// Nothing is lost: a round that changes nothing can be left out of an execution.
//   - What remains is an execution with the same states of all threads.
//   - It is consistent under each model, because it has fewer events and no new order. Let u be a read-modify-write of
//     such a round; it has written what it has read. An event that read from u reads from rf(u) instead.
//   - Only wrc11 has executions in which that is not possible, because there u need not be next to rf(u). All
//     executions that rc11 has are left.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "core/assert.hpp"
#include "frontend/checks/checks.hpp"
#include "frontend/loops/loops.hpp"
#include "frontend/loops/retries.hpp"
#include "frontend/loops/spins.hpp"

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
// Counters of a spin do not count.
const PHINode* always_moves(const BasicBlock& head, const BasicBlock& latch, const std::optional<Spin>& spin = {}) {
  for (const PHINode& phi : head.phis()) {
    if ((spin && spin->counts(phi)) || is_first_round(phi)) continue;
    const Value* next = phi.getIncomingValueForBlock(&latch);
    if (next != &phi && (!can_compare(phi.getType()) || always_differs(phi, next))) return &phi;
  }
  return nullptr;
}

bool copies(const Instruction& i) {
  const auto* call = dyn_cast<CallInst>(&i);
  return call && is_runtime(call->getCalledFunction()) && is(*call->getCalledFunction(), Entry::copy);
}

// An access of a part of a variable.
struct PartAccess {
  const Instruction* at;
  uint64_t start, end;
};

// All accesses of a variable, at places that are known; false if there are others.
bool accesses_of(const AllocaInst& local, SmallVectorImpl<PartAccess>& reads, SmallVectorImpl<PartAccess>& writes) {
  const DataLayout& layout = local.getDataLayout();
  const uint64_t size = local.getAllocationSize(layout)->getFixedValue();
  SmallVector<std::pair<const Value*, uint64_t>> places = {{&local, 0}};
  while (!places.empty()) {
    const auto [place, start] = places.pop_back_val();
    for (const Use& use : place->uses()) {
      const auto* i = cast<Instruction>(use.getUser());
      const unsigned operand = use.getOperandNo();
      if (const auto* part = dyn_cast<GetElementPtrInst>(i)) {
        APInt offset(64, start);
        if (!part->accumulateConstantOffset(layout, offset) || offset.ugt(size)) return false;
        places.emplace_back(part, offset.getZExtValue());
      } else if (isa<LoadInst>(i)) {
        reads.push_back({i, start, start + layout.getTypeStoreSize(i->getType())});
      } else if (const auto* store = dyn_cast<StoreInst>(i); store && operand == 1) {
        writes.push_back({i, start, start + layout.getTypeStoreSize(store->getValueOperand()->getType())});
      } else if (isa<MemIntrinsic>(i) || (copies(*i) && (operand == 0 || operand == 2))) {
        const auto* n = dyn_cast<ConstantInt>(cast<CallInst>(i)->getArgOperand(copies(*i) ? 4 : 2));
        if (operand != 0) reads.push_back({i, start, n ? start + n->getZExtValue() : size});
        if (operand == 0 && n) writes.push_back({i, start, start + n->getZExtValue()});
      } else if (const auto* intrinsic = dyn_cast<IntrinsicInst>(i); !intrinsic || !intrinsic->isLifetimeStartOrEnd()) {
        return false;
      }
    }
  }
  return true;
}

// Whether all that is read of the variable has been written in the same piece of code, so that nothing in it outlives
// that piece. In such a one clang takes apart what a function returns.
bool is_made_anew(const AllocaInst& local) {
  SmallVector<PartAccess> reads, writes;
  if (!local.isStaticAlloca() || !accesses_of(local, reads, writes)) return false;
  sort(writes, [](const PartAccess& a, const PartAccess& b) { return a.start < b.start; });
  return all_of(reads, [&](const PartAccess& read) {
    uint64_t known = read.start;
    for (const PartAccess& write : writes) {
      const bool before = write.at->getParent() == read.at->getParent() && write.at->comesBefore(read.at);
      if (before && write.start <= known) known = std::max(known, write.end);
    }
    return known >= read.end;
  });
}

// Whether the variable's life begins in each round.
bool is_born_in(const Loop& loop, const AllocaInst& local) {
  return is_made_anew(local) || any_of(local.users(), [&](const User* user) {
           const auto* marker = dyn_cast<IntrinsicInst>(user);
           return marker && marker->getIntrinsicID() == Intrinsic::lifetime_start && loop.contains(marker);
         });
}

// The program's variable that a store writes to, if it is one.
const AllocaInst* stored_variable(const Instruction& i) {
  const auto* store = dyn_cast<StoreInst>(&i);
  const auto* memory = dyn_cast<MemIntrinsic>(&i);
  if (!store && !memory && !copies(i)) return nullptr;
  const Value* to = store    ? store->getPointerOperand()
                    : memory ? memory->getRawDest()
                             : cast<CallInst>(i).getArgOperand(0);
  return dyn_cast<AllocaInst>(getUnderlyingObject(to, /*MaxLookup=*/0));
}

// Stores to the function's own variables that outlive a round. What is kept about a variable changes with it.
SmallVector<Instruction*> unseen_stores(const Loop& loop, const Privacy& privacy) {
  SmallVector<Instruction*> stores;
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& i : *block) {
      if (!isa<StoreInst, MemIntrinsic>(i)) continue;
      const AllocaInst* local = stored_variable(i);
      if (local && (is_book(*local) || !privacy.knows(*local) || is_born_in(loop, *local))) continue;
      stores.push_back(&i);
    }
  }
  return stores;
}

// Whether a variable in memory begins its life here. (rewrite_locals has been there.)
bool begins_life(const Instruction& i) {
  const auto* call = dyn_cast<CallBase>(&i);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getIntrinsicID() == Intrinsic::lifetime_start || is(*callee, Entry::local_begin));
}

// All blocks that can be reached from the end of this one without the head of the loop.
SmallPtrSet<const BasicBlock*, 16> blocks_after(const BasicBlock& block, const BasicBlock& head) {
  SmallPtrSet<const BasicBlock*, 16> reached;
  SmallVector<const BasicBlock*, 16> open{&block};
  while (!open.empty()) {
    for (const BasicBlock* next : successors(open.pop_back_val())) {
      if (next != &head && reached.insert(next).second) open.push_back(next);
    }
  }
  return reached;
}

// Whether something that a round computes before this instruction is used after it. Times do not count: they become
// limits, nothing else (time_limits.cpp).
bool outlives(const Loop& loop, const Instruction& gap) {
  const BasicBlock& here = *gap.getParent();
  const auto after = blocks_after(here, *loop.getHeader());
  if (after.contains(&here)) return true;
  const auto is_after = [&](const Instruction& i) {
    return i.getParent() == &here ? gap.comesBefore(&i) : after.contains(i.getParent());
  };
  const auto is_used_after = [&](const Use& use) {
    const auto* user = cast<Instruction>(use.getUser());
    if (is_keep(*user)) return false;
    const auto* phi = dyn_cast<PHINode>(user);
    return is_after(phi ? *phi->getIncomingBlock(use)->getTerminator() : *user);
  };
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& i) {
      return !is_after(i) && !i.hasMetadata(kTime) && any_of(i.uses(), is_used_after);
    });
  });
}

class Rounds {
 public:
  Rounds(Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy, const OfFunction& only_pauses,
         const OfFunction& gives_back, LoopFacts& facts)
      : runtime_(runtime),
        sites_(sites),
        privacy_(privacy),
        gives_back_(gives_back),
        facts_(facts),
        dominators_(f),
        loops_(dominators_),
        spins_(f, only_pauses) {}

  void rewrite() {
    struct Candidate {
      BasicBlock* head;
      SmallVector<BasicBlock*, 2> latches;
      SmallVector<Instruction*> stores;
      std::optional<Spin> spin;
      SmallVector<CallInst*, 2> gaps;
    };
    SmallVector<Candidate> candidates;
    for (Loop* loop : loops_.getLoopsInPreorder()) {
      Candidate c{loop->getHeader(), {}, {}, {}, {}};
      if (!has_call(*loop)) continue;
      loop->getLoopLatches(c.latches);
      LoopFact& fact = facts_[c.head];
      c.gaps = find_gaps(*loop);
      c.spin = find_spin(*c.head, c.latches, fact);
      erase_if(c.latches, [&](BasicBlock* latch) {
        const PHINode* moves = always_moves(*c.head, *latch, c.spin);
        if (moves) fact.moves.push_back(source_name(*moves));
        return moves || isa<IndirectBrInst>(latch->getTerminator());
      });
      HEDDLE_ASSERT(!c.spin || c.latches.size() == 1);
      if (c.latches.empty() && c.gaps.empty()) continue;
      (c.spin ? fact.spin : fact.pure) = true;
      c.stores = unseen_stores(*loop, privacy_);
      candidates.push_back(std::move(c));
    }
    for (const Candidate& c : candidates) {
      for (Instruction* store : c.stores) {
        if (!changes_.insert(store).second) continue;
        IRBuilder<> before(store);
        runtime_.call<Entry::change>(before);
      }
      SmallVector<SiteId, 2> sites;
      for (const CallInst* gap : c.gaps) sites.push_back(site_of(*c.head, *gap->getParent()));
      IRBuilder<> b(&*c.head->getFirstInsertionPt());
      if (c.spin) {
        skip(*c.head, *c.latches.front(), runtime_.call<Entry::lap>(b), *c.spin);
      } else if (!c.latches.empty()) {
        Value* start = runtime_.call<Entry::round>(b);
        for (BasicBlock* latch : c.latches) turn(*c.head, *latch, start);
      }
      for (const auto [gap, site] : zip(c.gaps, sites)) turn_at_gap(*c.head, *gap, site);
    }
  }

 private:
  // Where a round of the loop has given back a mutex, and nothing that it has computed is needed any more: one of a
  // block at most.
  SmallVector<CallInst*, 2> find_gaps(const Loop& loop) const {
    // A variable in memory that each round begins may be alive at the gap, and stores to it are no changes.
    if (any_of(loop.blocks(), [](const BasicBlock* block) { return any_of(*block, begins_life); })) return {};
    SmallVector<CallInst*, 2> gaps;
    for (BasicBlock* block : loop.blocks()) {
      if (loops_.getLoopFor(block) != &loop) continue;
      const auto gap = find_if(*block, [&](const Instruction& i) {
        const auto* call = dyn_cast<CallInst>(&i);
        const Function* callee = call ? call->getCalledFunction() : nullptr;
        return callee && gives_back_(callee->getName()) && !outlives(loop, i);
      });
      if (gap != block->end()) gaps.push_back(&cast<CallInst>(*gap));
    }
    return gaps;
  }

  std::optional<Spin> find_spin(BasicBlock& head, ArrayRef<BasicBlock*> latches, LoopFact& fact) {
    if (latches.size() != 1 || isa<IndirectBrInst>(latches.front()->getTerminator())) return std::nullopt;
    const auto moves_on = [&](const PHINode& phi) {
      return phi.getType()->isIntegerTy() && phi.getIncomingValueForBlock(latches.front()) != &phi &&
             !is_first_round(phi);
    };
    if (none_of(head.phis(), moves_on)) return std::nullopt;
    std::optional<Spin> spin = spins_.find(head, fact.no_spin);
    const PHINode* moves = spin ? always_moves(head, *latches.front(), spin) : nullptr;
    if (!moves) return spin;
    fact.no_spin = "each round also changes " + source_name(*moves);
    return std::nullopt;
  }

  static Value* same(IRBuilder<>& b, Value* x, Value* y) {
    Type* type = x->getType();
    if (type->isFloatingPointTy()) {
      Type* bits = b.getIntNTy(type->getPrimitiveSizeInBits());
      x = b.CreateBitCast(x, bits);
      y = b.CreateBitCast(y, bits);
    }
    return b.CreateICmpEQ(x, y);
  }

  SiteId site_of(const BasicBlock& head, const BasicBlock& latch) {
    const Instruction& branch = *latch.getTerminator();
    return sites_.of(branch.getDebugLoc() ? branch : *head.getTerminator());
  }

  // Whether the variables have the values that they had at the head; counters of a spin apart.
  static Value* are_still(IRBuilder<>& b, BasicBlock& head, BasicBlock& edge, const Spin& spin = {}) {
    Value* still = b.getTrue();
    for (PHINode& phi : head.phis()) {
      Value* next = phi.getIncomingValueForBlock(&edge);
      if (next != &phi && !spin.counts(phi) && !is_first_round(phi)) still = b.CreateAnd(still, same(b, next, &phi));
    }
    return still;
  }

  // The counters go on, or jump to the last round.
  void skip(BasicBlock& head, BasicBlock& latch, Value* start, const Spin& spin) {
    const SiteId site = site_of(head, latch);
    BasicBlock* edge = SplitEdge(&latch, &head);
    IRBuilder<> b(edge->getTerminator());
    Value* still = b.CreateZExt(are_still(b, head, *edge, spin), runtime_.i32);
    Value* skips = runtime_.call<Entry::skip>(
        b, {b.CreateExtractValue(start, 0), b.CreateExtractValue(start, 1), still, runtime_.site(site)});
    Value* jumps = b.CreateIsNotNull(skips);
    for (const auto& [counter, last] : spin.last) {
      Value* next = counter->getIncomingValueForBlock(edge);
      counter->setIncomingValueForBlock(edge, b.CreateSelect(jumps, last, next));
    }
  }

  void turn(BasicBlock& head, BasicBlock& latch, Value* start) {
    const SiteId site = site_of(head, latch);
    BasicBlock* edge = SplitEdge(&latch, &head);
    IRBuilder<> b(edge->getTerminator());
    Value* still = are_still(b, head, *edge);
    Instruction* at = edge->getTerminator();
    if (!isa<ConstantInt>(still)) at = SplitBlockAndInsertIfThen(still, at, /*Unreachable=*/false);
    IRBuilder<> then(at);
    runtime_.call<Entry::turn>(
        then, {then.CreateExtractValue(start, 0), then.CreateExtractValue(start, 1), runtime_.site(site)});
  }

  // From a gap to the same one of a later round.
  void turn_at_gap(BasicBlock& head, CallInst& gap, SiteId site) {
    PHINode* before[2];
    for (PHINode*& phi : before) phi = PHINode::Create(runtime_.i64, 2, "", head.begin());
    IRBuilder<> b(gap.getNextNode());
    runtime_.call<Entry::turn>(b, {before[0], before[1], runtime_.site(site)});
    Value* start = runtime_.call<Entry::round>(b);
    const DominatorTree dominators(*head.getParent());
    Value* none = ConstantInt::getAllOnesValue(runtime_.i64);
    for (unsigned i = 0; i < 2; ++i) {
      SSAUpdater here;  // where the last round that has come to the gap was there
      here.Initialize(runtime_.i64, "");
      here.AddAvailableValue(&head, before[i]);
      here.AddAvailableValue(gap.getParent(), b.CreateExtractValue(start, i));
      for (BasicBlock* from : predecessors(&head)) {
        const bool is_latch = dominators.dominates(&head, from);
        before[i]->addIncoming(is_latch ? here.GetValueAtEndOfBlock(from) : none, from);
      }
    }
  }

  Runtime& runtime_;
  Sites& sites_;
  const Privacy& privacy_;
  const OfFunction& gives_back_;
  LoopFacts& facts_;
  DominatorTree dominators_;
  LoopInfo loops_;
  Spins spins_;
  SmallPtrSet<Instruction*, 8> changes_;
};

}  // namespace

std::string source_name(const PHINode& phi) {
  StringRef name = phi.getName().split('.').first;
  if (!name.consume_front(kBook)) name.consume_front(kOwn);
  return name.empty() ? "a variable" : name.str();
}

void rewrite_short_lives(Function& f, Runtime& runtime, const Privacy& privacy) {
  DominatorTree dominators(f);
  const LoopInfo loops(dominators);
  SmallVector<Instruction*> stores;
  for (BasicBlock& block : f) {
    const Loop* loop = loops.getLoopFor(&block);
    if (!loop) continue;
    for (Instruction& i : block) {
      const AllocaInst* local = stored_variable(i);
      // What is copied from shared memory the machine takes for a change, wherever it goes.
      const bool seen = local && (copies(i) || is_contained(privacy.escaping(), local));
      if (seen && is_born_in(*loop, *local)) stores.push_back(&i);
    }
  }
  for (Instruction* store : stores) {
    IRBuilder<> b(store);
    Value* before = b.CreateExtractValue(runtime.call<Entry::round>(b), 1);
    b.SetInsertPoint(store->getNextNode());
    runtime.call<Entry::unchange>(b, {before});
  }
}

void rewrite_rounds(Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy, const OfFunction& only_pauses,
                    const OfFunction& gives_back, LoopFacts& facts) {
  Rounds(f, runtime, sites, privacy, only_pauses, gives_back, facts).rewrite();
}

}  // namespace heddle::frontend
