// Waiting loops: a thread stops at the end of a round that has changed nothing.
//
// A round of a loop that changes nothing, neither memory nor a variable of the function, leaves the thread where it
// was: it would do the same again until another thread changes what it reads. Where a round begins (cuts.hpp) the
// thread takes down how far it has come (__heddle_round). When it is there again, with the same state, it asks whether
// anything has changed since (__heddle_turn). If not, the thread stops there.
//
// This is the pure iteration of Optimal-DPOR-Await §III, decided while the program runs. The machine knows what is
// written to memory. So functions that are not inlined, failed compare-and-swaps, failed trylocks and inner loops are
// no hindrance. Decided here is what the machine does not see or cannot know:
//   - the state at the cut, which is compared. Several rounds that together come back to an earlier state are one
//   round:
//     the thread also compares with what it was after 1, 2, 4, 8, … rounds (Brent's algorithm);
//   - stores to variables that live on the fibre's stack: a change, unless nothing of them outlives the round;
//   - what others cannot see because each round does it anew (retries.hpp, 2.): no change. If the thread leaves the
//     loop, what the last round has stored is a change for the loops around it.
//
// A loop that gives back a mutex and takes it again, so that other threads may come in, also begins a round right after
// it has given the mutex back.
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
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "core/assert.hpp"
#include "frontend/checks/checks.hpp"
#include "frontend/loops/cuts.hpp"
#include "frontend/loops/effects.hpp"
#include "frontend/loops/loops.hpp"
#include "frontend/loops/retries.hpp"
#include "frontend/loops/spins.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// Before the accesses are rewritten: what a round does that is no change, and what is one that the machine does not
// see.
class Changes {
 public:
  Changes(Function& f, Runtime& runtime, const Privacy& privacy, bool retries, LoopFacts& facts)
      : f_(f),
        runtime_(runtime),
        privacy_(privacy),
        retries_(retries),
        facts_(facts),
        dominators_(f),
        loops_(dominators_) {}

  void tell() {
    SmallVector<Instruction*> all;
    for (Instruction& i : instructions(f_)) {
      if (loops_.getLoopFor(i.getParent()) && isa<StoreInst, MemIntrinsic, CallInst>(i)) all.push_back(&i);
    }
    for (Instruction* i : all) {
      auto* local = const_cast<AllocaInst*>(stored_variable(*i));
      if (local) {
        tell_of(*i, *local);
      } else if (auto* store = dyn_cast<StoreInst>(i); store && retries_) {
        tell_of(*store);
      }
    }
    for (const Loop* loop : leaving_) {
      SmallVector<BasicBlock*> exits;
      loop->getUniqueExitBlocks(exits);
      for (BasicBlock* exit : exits) {
        IRBuilder<> b(&*exit->getFirstInsertionPt());
        runtime_.call<Entry::change>(b);
      }
    }
  }

 private:
  SmallVector<Cut> cuts_of(const Loop& loop) const {
    SmallVector<Cut> cuts;
    const auto fact = facts_.find(loop.getHeader());
    if (fact == facts_.end()) return cuts;
    SmallSetVector<BasicBlock*, 4> blocks(fact->second.cuts.begin(), fact->second.cuts.end());
    blocks.insert(fact->second.await_cuts.begin(), fact->second.await_cuts.end());
    for (BasicBlock* block : blocks) cuts.push_back(cut_at(loop, *block));
    return cuts;
  }

  // A store to a variable of the function. What is copied from shared memory the machine takes for a change, wherever
  // it goes, and of variables whose address is known elsewhere it sees the changes. Of the others it sees nothing; the
  // state at the cut has what is needed of them.
  void tell_of(Instruction& i, AllocaInst& local) {
    if (!privacy_.knows(local) && !is_contained(privacy_.escaping(), &local)) return;  // ours
    const bool escapes = is_contained(privacy_.escaping(), &local);
    bool settled = true, any = false;
    for (const Loop* loop = loops_.getLoopFor(i.getParent()); loop; loop = loop->getParentLoop()) {
      SmallVector<BasicBlock*, 2> changed;  // cuts at which it is a change
      const SmallVector<Cut> cuts = cuts_of(*loop);
      any = any || !cuts.empty();
      for (const Cut& cut : cuts) {
        if (is_dead(local, cut)) continue;
        if (escapes || !can_be_compared(local)) {
          changed.push_back(cut.block);
          continue;
        }
        auto& memory = facts_[loop->getHeader()].memory[cut.block];
        if (!is_contained(memory, &local)) memory.push_back(&local);
      }
      if (changed.empty()) continue;
      // If it is none at another one, rounds begin there alone.
      LoopFact& fact = facts_[loop->getHeader()];
      const auto is_changed = [&](const BasicBlock* cut) { return is_contained(changed, cut); };
      if (all_of(fact.cuts, is_changed) || any_of(fact.await_cuts, is_changed)) {
        settled = false;
      } else {
        erase_if(fact.cuts, is_changed);
      }
    }
    const bool seen = !isa<StoreInst, MemIntrinsic>(i) || escapes;
    if (!any || settled != seen) return;
    IRBuilder<> b(&i);
    if (!settled) {
      runtime_.call<Entry::change>(b);
      return;
    }
    Value* before = b.CreateExtractValue(runtime_.call<Entry::lap>(b), 1);
    b.SetInsertPoint(i.getNextNode());
    runtime_.call<Entry::unchange>(b, {before});
  }

  // A store that each round does anew.
  void tell_of(StoreInst& store) {
    if (privacy_.is_private(store.getPointerOperand()) || !counts_as_plain(store)) return;
    const Loop* loop = loops_.getLoopFor(store.getParent());
    const SmallVector<Cut> cuts = cuts_of(*loop);
    SmallVector<LoadInst*> loads;
    if (cuts.empty() || !all_of(cuts, [&](const Cut& cut) { return is_done_anew(*loop, cut, store, loads); })) return;
    mark_own(store);
    const DataLayout& layout = f_.getDataLayout();
    const uint64_t size = layout.getTypeStoreSize(store.getValueOperand()->getType());
    IRBuilder<> b(&store);
    Value* before = b.CreateExtractValue(runtime_.call<Entry::lap>(b), 1);
    Value* apart = b.getTrue();
    Value* from = b.CreatePtrToInt(store.getPointerOperand(), runtime_.i64);
    for (const LoadInst* load : loads) {
      const auto* address = dyn_cast<Instruction>(load->getPointerOperand());
      if (address && !dominators_.dominates(address, &store)) {
        apart = b.getFalse();
        break;
      }
      const uint64_t read = layout.getTypeStoreSize(load->getType());
      Value* to = b.CreatePtrToInt(const_cast<Value*>(load->getPointerOperand()), runtime_.i64);
      Value* distance = b.CreateAdd(b.CreateSub(to, from), b.getInt64(read - 1));
      apart = b.CreateAnd(apart, b.CreateICmpUGE(distance, b.getInt64(size + read - 1)));
    }
    b.SetInsertPoint(store.getNextNode());
    runtime_.call<Entry::anew>(
        b, {before, store.getPointerOperand(), runtime_.size(size), b.CreateZExt(apart, runtime_.i32)});
    for (const Loop* outer = loop->getParentLoop(); outer; outer = outer->getParentLoop()) {
      if (!cuts_of(*outer).empty()) leaving_.insert(loop);
    }
  }

  Function& f_;
  Runtime& runtime_;
  const Privacy& privacy_;
  const bool retries_;
  LoopFacts& facts_;
  DominatorTree dominators_;
  LoopInfo loops_;
  SmallSetVector<const Loop*, 2> leaving_;  // with stores that are changes to the loops around them
};

class Rounds {
 public:
  Rounds(Function& f, Runtime& runtime, Sites& sites, const OfFunction& only_pauses, LoopFacts& facts)
      : f_(f),
        runtime_(runtime),
        sites_(sites),
        facts_(facts),
        dominators_(f),
        loops_(dominators_),
        spins_(f, only_pauses) {}

  void rewrite() {
    struct Candidate {
      BasicBlock* head;
      SmallVector<BasicBlock*, 2> entries;  // from where the loop is entered
      std::optional<Spin> spin;
      BasicBlock* latch;
      SmallVector<Cut, 2> cuts;
    };
    SmallVector<Candidate> candidates;
    for (Loop* loop : loops_.getLoopsInPreorder()) {
      if (!has_call(*loop)) continue;
      SmallVector<BasicBlock*, 2> latches;
      loop->getLoopLatches(latches);
      Candidate c{loop->getHeader(), {}, {}, latches.front(), {}};
      LoopFact& fact = facts_[c.head];
      for (BasicBlock* from : predecessors(c.head)) {
        if (!loop->contains(from)) c.entries.push_back(from);
      }
      if (any_of(c.entries, [](const BasicBlock* b) { return isa<IndirectBrInst>(b->getTerminator()); })) continue;
      if (fact.cuts.size() == 1 && fact.cuts.front() == c.head) c.spin = find_spin(*c.head, latches, fact);
      if (c.spin) {
        fact.spin = true;
      } else {
        for (BasicBlock* block : fact.cuts) {
          Cut cut = cut_at(*loop, *block);
          if (const Instruction* moves = always_moves(*loop, cut)) {
            fact.moves.push_back(source_name(*moves));
          } else {
            c.cuts.push_back(std::move(cut));
          }
        }
        fact.pure = !c.cuts.empty();
      }
      if (c.spin || !c.cuts.empty()) candidates.push_back(std::move(c));
    }
    SmallVector<SiteId> sites;
    for (const Candidate& c : candidates) sites.push_back(site_of(*c.head, *c.latch));
    for (const auto [c, site] : zip(candidates, sites)) {
      if (c.spin) {
        IRBuilder<> b(&*c.head->getFirstInsertionPt());
        skip(*c.head, *c.latch, runtime_.call<Entry::lap>(b), *c.spin, site);
      }
      for (const Cut& cut : c.cuts) begin_round(cut, facts_[c.head].memory.lookup(cut.block), c.entries, site);
    }
    DominatorTree dominators(f_);
    PromoteMemToReg(slots_, dominators);
  }

 private:
  std::optional<Spin> find_spin(BasicBlock& head, ArrayRef<BasicBlock*> latches, LoopFact& fact) {
    if (latches.size() != 1 || isa<IndirectBrInst>(latches.front()->getTerminator())) return std::nullopt;
    const auto moves_on = [&](const PHINode& phi) {
      return phi.getType()->isIntegerTy() && phi.getIncomingValueForBlock(latches.front()) != &phi &&
             !is_first_round(phi);
    };
    if (none_of(head.phis(), moves_on)) return std::nullopt;
    std::optional<Spin> spin = spins_.find(head, fact.no_spin);
    if (!spin) return spin;
    Cut rest = cut_at(*loops_.getLoopFor(&head), head);
    erase_if(rest.state, [&](const Instruction* i) { return spin->counts(*cast<PHINode>(i)); });
    const Instruction* moves = always_moves(*loops_.getLoopFor(&head), rest);
    if (!moves) return spin;
    fact.no_spin = "each round also changes " + source_name(*moves);
    return std::nullopt;
  }

  static Value* same(IRBuilder<>& b, Value* x, Value* y) {
    Type* type = x->getType();
    if (type->isFloatingPointTy()) {
      Type* bits = b.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits()));
      x = b.CreateBitCast(x, bits);
      y = b.CreateBitCast(y, bits);
    }
    return b.CreateICmpEQ(x, y);
  }

  SiteId site_of(const BasicBlock& head, const BasicBlock& latch) {
    const Instruction& branch = *latch.getTerminator();
    return sites_.of(branch.getDebugLoc() ? branch : *head.getTerminator());
  }

  // The counters go on, or jump to the last round.
  void skip(BasicBlock& head, BasicBlock& latch, Value* start, const Spin& spin, SiteId site) {
    BasicBlock* edge = SplitEdge(&latch, &head);
    IRBuilder<> b(edge->getTerminator());
    Value* all = b.getTrue();
    for (PHINode& phi : head.phis()) {
      Value* next = phi.getIncomingValueForBlock(edge);
      if (next != &phi && !spin.counts(phi) && !is_first_round(phi)) all = b.CreateAnd(all, same(b, next, &phi));
    }
    Value* still = b.CreateZExt(all, runtime_.i32);
    Value* skips = runtime_.call<Entry::skip>(
        b, {b.CreateExtractValue(start, 0), b.CreateExtractValue(start, 1), still, runtime_.site(site)});
    Value* jumps = b.CreateIsNotNull(skips);
    for (const auto& [counter, last] : spin.last) {
      Value* next = counter->getIncomingValueForBlock(edge);
      counter->setIncomingValueForBlock(edge, b.CreateSelect(jumps, last, next));
    }
  }

  // What the thread has taken down of an earlier round.
  struct Slots {
    AllocaInst* events;  // kNoRound: nothing yet
    AllocaInst* changed;
    SmallVector<AllocaInst*, 4> state;
  };

  AllocaInst* slot(Type* type) {
    IRBuilder<> entry(&*f_.getEntryBlock().getFirstInsertionPt());
    slots_.push_back(entry.CreateAlloca(type));
    return slots_.back();
  }

  // The state, at the start of a round: the values, and what stands in variables.
  SmallVector<Value*> state_at(IRBuilder<>& b, const Cut& cut, ArrayRef<AllocaInst*> memory) {
    SmallVector<Value*> state(cut.state.begin(), cut.state.end());
    for (AllocaInst* local : memory) {
      const uint64_t size = local->getAllocationSize(f_.getDataLayout())->getFixedValue();
      for (uint64_t at = 0, n = 0; at < size; at += n) {
        for (n = 8; at + n > size;) n /= 2;
        Value* place = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), local, at);
        // Volatile: of bytes that have no value yet, LLVM would assume anything.
        state.push_back(
            b.CreateAlignedLoad(b.getIntNTy(static_cast<unsigned>(8 * n)), place, Align(1), /*isVolatile=*/true));
      }
    }
    return state;
  }

  Slots slots_for(ArrayRef<Value*> state, ArrayRef<BasicBlock*> entries) {
    Slots s{slot(runtime_.i64), slot(runtime_.i64), {}};
    for (const Value* v : state) s.state.push_back(slot(v->getType()));
    for (BasicBlock* from : entries)
      IRBuilder<>(from->getTerminator()).CreateStore(runtime_.size(abi::kNoRound), s.events);
    return s;
  }

  // Asks whether the thread is where it was, and goes on if it is not.
  void turn(Instruction* at, ArrayRef<Value*> state, const Slots& before, SiteId site) {
    IRBuilder<> b(at);
    Value* events = b.CreateLoad(runtime_.i64, before.events);
    Value* still = b.CreateICmpNE(events, runtime_.size(abi::kNoRound));
    for (const auto [v, there] : zip(state, before.state))
      still = b.CreateAnd(still, same(b, v, b.CreateLoad(v->getType(), there)));
    IRBuilder<> then(SplitBlockAndInsertIfThen(still, at, /*Unreachable=*/false));
    runtime_.call<Entry::turn>(then, {events, then.CreateLoad(runtime_.i64, before.changed), runtime_.site(site)});
  }

  void begin_round(const Cut& cut, ArrayRef<AllocaInst*> memory, ArrayRef<BasicBlock*> entries, SiteId site) {
    Instruction* at = &*cut.block->getFirstInsertionPt();
    IRBuilder<> begin(at);
    const SmallVector<Value*> state = state_at(begin, cut, memory);
    const Slots last = slots_for(state, entries);
    turn(at, state, last, site);
    if (state.empty()) {
      IRBuilder<> b(at);
      save(b, runtime_.call<Entry::round>(b), state, last);
      return;
    }
    // The state before 1, 2, 4, … rounds, since something has changed.
    const Slots earlier = slots_for(state, entries);
    AllocaInst* const length = slot(runtime_.i64);
    AllocaInst* const left = slot(runtime_.i64);
    for (BasicBlock* from : entries) {
      IRBuilder<> b(from->getTerminator());
      b.CreateStore(runtime_.size(0), length);
      b.CreateStore(runtime_.size(0), left);
    }
    turn(at, state, earlier, site);
    IRBuilder<> b(at);
    Value* now = runtime_.call<Entry::round>(b);
    Value* changed = b.CreateICmpNE(b.CreateExtractValue(now, 1), b.CreateLoad(runtime_.i64, earlier.changed));
    Value* first = b.CreateICmpEQ(b.CreateLoad(runtime_.i64, earlier.events), runtime_.size(abi::kNoRound));
    Value* anew = b.CreateOr(first, changed);
    Value* rounds = b.CreateLoad(runtime_.i64, left);
    Value* renew = b.CreateOr(anew, b.CreateICmpEQ(rounds, runtime_.size(0)));
    Value* twice = b.CreateShl(b.CreateLoad(runtime_.i64, length), 1);
    Value* next = b.CreateSelect(anew, runtime_.size(1), twice);
    b.CreateStore(b.CreateSelect(renew, next, b.CreateLoad(runtime_.i64, length)), length);
    b.CreateStore(b.CreateSelect(renew, b.CreateSub(next, runtime_.size(1)), b.CreateSub(rounds, runtime_.size(1))),
                  left);
    IRBuilder<> then(SplitBlockAndInsertIfThen(renew, at, /*Unreachable=*/false));
    save(then, now, state, earlier);
    b.SetInsertPoint(at);
    save(b, now, state, last);
  }

  static void save(IRBuilder<>& b, Value* now, ArrayRef<Value*> state, const Slots& to) {
    b.CreateStore(b.CreateExtractValue(now, 0), to.events);
    b.CreateStore(b.CreateExtractValue(now, 1), to.changed);
    for (const auto [v, there] : zip(state, to.state)) b.CreateStore(v, there);
  }

  Function& f_;
  Runtime& runtime_;
  Sites& sites_;
  LoopFacts& facts_;
  DominatorTree dominators_;
  LoopInfo loops_;
  Spins spins_;
  SmallVector<AllocaInst*> slots_;
};

}  // namespace

std::string source_name(const Instruction& i) {
  StringRef name = i.getName().split('.').first;
  if (!name.consume_front(kBook)) name.consume_front(kOwn);
  return name.empty() ? "a variable" : name.str();
}

namespace {

// Whether a round also writes otherwise to where this instruction stores atomically: what it writes elsewhere, it may
// take back here.
bool is_written_again(const Instruction& i, const Loop& loop) {
  const auto* store = dyn_cast<StoreInst>(&i);
  if (!store || !store->isAtomic()) return false;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& other : *block) {
      if (&other != &i && other.isAtomic() && other.mayWriteToMemory() && is_same_place(i, other)) return true;
    }
  }
  return false;
}

}  // namespace

void find_cuts(Function& f, const OfFunction& gives_back, LoopFacts& facts) {
  DominatorTree dominators(f);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    SmallVector<Instruction*, 2> gaps;  // after which rounds may begin, too: one of a block at most
    for (BasicBlock* block : loop->blocks()) {
      if (loops.getLoopFor(block) != loop) continue;
      const auto gap = find_if(*block, [&](const Instruction& i) {
        const auto* call = dyn_cast<CallInst>(&i);
        const Function* callee = call ? call->getCalledFunction() : nullptr;
        return (callee && gives_back(callee->getName())) || is_written_again(i, *loop);
      });
      if (gap != block->end()) gaps.push_back(gap->getNextNode());
    }
    SmallVector<BasicBlock*, 2> cuts;
    for (Instruction* gap : gaps) cuts.push_back(SplitBlock(gap->getParent(), gap, &dominators, &loops));
    const Cut best = best_cut(*loop, loops, dominators);
    LoopFact& fact = facts[loop->getHeader()];
    fact.cuts.push_back(best.block);
    for (BasicBlock* block : cuts) {
      if (block != best.block && !always_moves(*loop, cut_at(*loop, *block))) fact.cuts.push_back(block);
    }
  }
}

void tell_changes(Function& f, Runtime& runtime, const Privacy& privacy, bool retries, LoopFacts& facts) {
  Changes(f, runtime, privacy, retries, facts).tell();
}

void rewrite_rounds(Function& f, Runtime& runtime, Sites& sites, const OfFunction& only_pauses, LoopFacts& facts) {
  Rounds(f, runtime, sites, only_pauses, facts).rewrite();
}

}  // namespace heddle::frontend
