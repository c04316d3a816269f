// Loops that wait for a value become awaits, and so do reads of which the program assumes something.
//
//   while (!atomic_load(&ready)) {}                            the load waits until ready != 0
//   while (atomic_exchange(&lock, 1)) {}                       the exchange waits until lock != 1
//   while (atomic_load(&wants) && atomic_load(&turn) == me) {} the second load waits until turn != me
//
// This is the assume of partial loop purity elimination (Await §III), together with the read that decides it: if the
// value read says that this round of the loop changes nothing, the thread waits in the read. An explorer then need not
// follow it round by round, nor give up an execution in which it came too early. What is not of this form is left to
// rounds.cpp, which finds out while the program runs.
//
// Let i be a read of a loop that is cut before i. The thread may wait in i if
//   - nothing has changed since the round began, which the machine knows when the thread comes to i;
//   - for some values it goes from i to the cut, does nothing on the way but what the next round does anew, and comes
//     there with the same state (conditions.hpp);
//   - if i is a read-modify-write, it writes then what it has read, and a compare-exchange fails.
// A round that changes nothing can be left out (rounds.cpp), so each wait stands for the last round alone, and what the
// thread has read in it before i is a choice of the explorer like any other read. But a thread that waits in i for ever
// is one that turns round for ever only if it would read the same before i, too. So the machine tells how many events
// are of the round before i (Action::round), and the check for livelocks looks at them (explore/judge/waiting.hpp).
//
// A read i outside of such a loop is taken if for some values the thread comes to an assumption that is false
// (heddle_assume, __VERIFIER_assume), and nothing is done on the way.
//
//   heddle_assume(atomic_load(&ready));                        the load waits until ready != 0
//   heddle_assume(atomic_compare_exchange(&top, &t, n));       the compare-exchange waits until top == t
//
// No complete execution is lost, because the thread goes no further with those values; and no error of another thread,
// because no other thread can tell whether this one has read one of them or nothing yet. A thread that waits there for
// ever is stopped, as it would be by the assumption (Action::assumed).
//
// A read-modify-write that the round takes back (undone.hpp) waits for the values with which the thread does not do so.
//
// Retry loops, which change what they expect, and stores that each round does anew: retries.hpp. Of a store after i the
// machine is told: where the thread waits, it may have stored in the round before, which may be a race.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <functional>

#include "core/action.hpp"
#include "core/assert.hpp"
#include "frontend/loops/conditions.hpp"
#include "frontend/loops/cuts.hpp"
#include "frontend/loops/effects.hpp"
#include "frontend/loops/loops.hpp"
#include "frontend/loops/retries.hpp"
#include "frontend/loops/undone.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// A store that each round does anew, and what the round has read before it.
struct Anew {
  StoreInst* store;
  SmallVector<LoadInst*> before;
};

class Awaits {
 public:
  Awaits(Function& f, Runtime& runtime, const Privacy& privacy, const CompileRequest& request,
         const OfFunction& only_pauses, ConditionMaker& conditions, LoopFacts& facts)
      : f_(f),
        runtime_(runtime),
        privacy_(privacy),
        only_pauses_(only_pauses),
        assumes_(request.assumes),
        retries_(request.retries),
        conditions_(conditions),
        facts_(facts),
        layout_(f.getDataLayout()),
        dominators_(f),
        loops_(dominators_) {}

  void rewrite() {
    SmallVector<Instruction*> reads;
    SmallPtrSet<const Instruction*, 4> rewritten;
    for (Instruction& i : instructions(f_)) {
      if (is_read(i)) reads.push_back(&i);
    }
    // What they take back is looked for in the program as it is.
    std::ranges::stable_partition(reads, [](const Instruction* i) { return adds(*i); });
    for (Instruction* read : reads) {
      for (const Loop* loop = loops_.getLoopFor(read->getParent()); loop; loop = loop->getParentLoop()) {
        if (!rewrite(*loop, *read)) continue;
        facts_[loop->getHeader()].waits = true;
        rewritten.insert(read);
        break;
      }
    }
    for (const auto& [loop, read, cut] : alone_) {
      if (!retries_) break;
      Instruction* look = look_before(*loop, *read);
      if (!look || rewritten.contains(look) || !is_read(*look)) continue;
      const WaitCondition condition =
          conditions_.make(*look, {.loop = loop, .cut = &cut, .from_outside = true}, dominators_);
      wait(*look, condition, {});
      rewritten.insert(look);
    }
    if (!has_assumptions()) return;
    if (retries_) conditions_.note_look();
    for (Instruction* read : reads) {
      if (!rewritten.contains(read)) wait(*read, conditions_.make(*read, {}, dominators_), {.flags = abi::kAssumed});
    }
  }

 private:
  static Type* type_of(const Instruction& read) {
    const auto* cas = dyn_cast<AtomicCmpXchgInst>(&read);
    return cas ? cas->getCompareOperand()->getType() : read.getType();
  }
  unsigned width_of(const Instruction& read) const {
    return static_cast<unsigned>(layout_.getTypeSizeInBits(type_of(read)));
  }

  bool is_read(const Instruction& i) const {
    const Value* p = place_read(i);
    if (!p || !type_of(i)->isIntOrPtrTy() || privacy_.is_private(p)) return false;
    const unsigned width = width_of(i);
    return width == 8 || width == 16 || width == 32 || width == 64;
  }

  SmallVector<Anew> stores_anew(const Loop& loop, const Cut& cut) const {
    SmallVector<Anew> all;
    if (!retries_) return all;
    for (BasicBlock* block : loop.blocks()) {
      for (Instruction& i : *block) {
        auto* store = dyn_cast<StoreInst>(&i);
        if (!store || !counts_as_plain(*store) || privacy_.is_private(store->getPointerOperand())) continue;
        Anew anew{store, {}};
        if (!is_done_anew(loop, cut, *store, anew.before)) continue;
        mark_own(*store);
        all.push_back(std::move(anew));
      }
    }
    return all;
  }

  // Whether nothing on the ways from the cut to the read surely changes something; else the thread need not look.
  struct Before {
    bool changes = false;
    bool does_something = false;  // that the machine knows
    bool only_reads = true;
  };
  Before before(const Loop& loop, const Cut& cut, const Instruction& read, ArrayRef<StoreInst*> anew) const {
    Before found;
    SmallPtrSet<const BasicBlock*, 8> seen;
    SmallVector<BasicBlock*> open;
    const auto look_at = [&](BasicBlock& block, const Instruction* end) {
      for (Instruction& i : block) {
        if (&i == end) break;
        const Effect effect = effect_of(i, only_pauses_);
        if (effect <= Effect::orders) continue;
        const auto* load = dyn_cast<LoadInst>(&i);
        if (load && privacy_.is_private_or_constant(load->getPointerOperand())) continue;
        auto* store = dyn_cast<StoreInst>(&i);
        const bool is_dead = is_dead_store(i, cut);
        if (store && is_dead) continue;
        found.does_something = true;
        found.only_reads &= load && !load->isVolatile();
        found.changes |=
            (stored_variable(i) && !is_dead) || (store && !is_contained(anew, store)) || isa<AtomicRMWInst>(i);
      }
      if (&block == cut.block) return;
      for (BasicBlock* from : predecessors(&block)) {
        if (loop.contains(from)) open.push_back(from);
      }
    };
    look_at(*const_cast<BasicBlock*>(read.getParent()), &read);
    while (!open.empty()) {
      BasicBlock* block = open.pop_back_val();
      if (seen.insert(block).second) look_at(*block, nullptr);
    }
    return found;
  }

  // To a variable of the function, and nothing of it outlives the round.
  bool is_dead_store(const Instruction& store, const Cut& cut) const {
    const AllocaInst* local = stored_variable(store);
    return local && privacy_.is_private(local) && is_dead(*local, cut);
  }

  bool rewrite(const Loop& loop, Instruction& read) {
    if (rewrite(loop, read, cut_before(loop, *read.getParent()))) return true;
    // A round that is taken back begins where it adds: at a block of its own.
    BasicBlock* block = read.getParent();
    SmallVector<BasicBlock*, 2> latches;
    loop.getLoopLatches(latches);
    const auto is_passed = [&](const BasicBlock* latch) { return dominators_.dominates(block, latch); };
    const bool may_begin = adds(read) && loops_.getLoopFor(block) == &loop && all_of(latches, is_passed);
    return (may_begin && rewrite(loop, read, cut_at(loop, *block))) || rewrite_retry(loop, read);
  }
  bool rewrite(const Loop& loop, Instruction& read, const Cut& cut) {
    const auto condition = [&](ArrayRef<StoreInst*> anew, ArrayRef<StoreInst*> dead) {
      return conditions_.make(read, {.loop = &loop, .cut = &cut, .anew = anew, .dead = dead}, dominators_);
    };
    return wait_in_round(loop, cut, read, stores_anew(loop, cut), condition, confirming(loop, read, nullptr));
  }

  // The first try of a retry loop.
  bool rewrite_retry(const Loop& loop, Instruction& read) {
    auto* cas = retries_ ? dyn_cast<AtomicCmpXchgInst>(&read) : nullptr;
    if (!cas) return false;
    const auto begins = [&](PHINode& phi) { return begins_with_look(loop, phi, *cas); };
    const auto variable = find_if(loop.getHeader()->phis(), begins);
    const bool in_register = variable != loop.getHeader()->phis().end();
    const Cut head = cut_at(loop, *loop.getHeader());
    SmallVector<Anew> anew = stores_anew(loop, head);
    StoreInst* first = in_register || !anew.empty() ? nullptr : first_look(loop, *cas);
    if (!in_register && !first) return false;
    const Instruction* retried = in_register ? cast<Instruction>(&*variable) : first;
    const auto condition = [&](ArrayRef<StoreInst*> stores, ArrayRef<StoreInst*> dead) {
      return conditions_.make(read, {.loop = &loop, .cut = &head, .retried = retried, .anew = stores, .dead = dead},
                              dominators_);
    };
    if (first) anew.push_back({first, {}});
    return wait_in_round(loop, head, read, anew, condition,
                         abi::kAssumed | abi::kFirstTry | confirming(loop, read, retried));
  }

  using Make = function_ref<WaitCondition(ArrayRef<StoreInst*> anew, ArrayRef<StoreInst*> dead)>;

  bool wait_in_round(const Loop& loop, const Cut& cut, Instruction& read, ArrayRef<Anew> anew, Make make, int flags) {
    SmallVector<StoreInst*> stores, dead;
    for (const Anew& a : anew) stores.push_back(a.store);
    const Before before = this->before(loop, cut, read, stores);
    if (before.changes) return false;
    for (BasicBlock* block : loop.blocks()) {
      for (Instruction& i : *block) {
        auto* store = dyn_cast<StoreInst>(&i);
        if (store && is_dead_store(*store, cut)) dead.push_back(store);
      }
    }
    const WaitCondition condition = make(stores, dead);
    if (condition.await == Await::none) return false;
    if (condition.undoes && (!anew.empty() || !before.only_reads)) return false;
    if (condition.looks && before.does_something) return false;
    How how{.flags = flags};
    if (!anew.empty()) how.only_if = [&](IRBuilder<>& b) { return are_apart(b, anew, read); };
    if ((flags & abi::kFirstTry) != 0) {
      how.only_if = [&](IRBuilder<>& b) { return b.CreateAnd(is_first(loop), are_apart(b, anew, read)); };
    }
    if (before.does_something) how.start = start_of(*cut.block);
    auto& await_cuts = facts_[loop.getHeader()].await_cuts;
    if (!is_contained(await_cuts, cut.block)) await_cuts.push_back(cut.block);
    wait(read, condition, how);
    const bool is_alone = !before.does_something && anew.empty();
    if (is_alone && (isa<LoadInst>(read) || condition.undoes)) alone_.push_back({&loop, &read, cut});
    return true;
  }

  Cut cut_before(const Loop& loop, const BasicBlock& block) const {
    for (BasicBlock* cut : facts_.lookup(loop.getHeader()).cuts) {
      if (dominators_.dominates(cut, &block)) return cut_at(loop, *cut);
    }
    return cut_at(loop, *loop.getHeader());
  }

  int confirming(const Loop& loop, const Instruction& read, const Instruction* retried) const {
    const auto* cas = retries_ ? dyn_cast<AtomicCmpXchgInst>(&read) : nullptr;
    return cas && confirms(loop, *cas, retried) ? abi::kConfirms : 0;
  }

  Value* is_first(const Loop& loop) {
    BasicBlock* head = loop.getHeader();
    IRBuilder<> b(&head->front());
    PHINode* first = b.CreatePHI(b.getInt1Ty(), 2);
    first->setMetadata(kFirstRound, MDNode::get(f_.getContext(), {}));
    for (BasicBlock* from : predecessors(head)) first->addIncoming(b.getInt1(!loop.contains(from)), from);
    return first;
  }

  // Whether what is stored anew in each round is neither what the round has read before it did so, nor where it waits.
  Value* are_apart(IRBuilder<>& b, ArrayRef<Anew> anew, Instruction& read) {
    Value* apart = b.getTrue();
    for (const auto& [store, loads] : anew) {
      const auto keep_from = [&, store = store](const Value* place, uint64_t size) {
        const uint64_t stored = layout_.getTypeStoreSize(store->getValueOperand()->getType());
        Value* from = b.CreatePtrToInt(before(read, store->getPointerOperand()), runtime_.i64);
        Value* to = b.CreatePtrToInt(before(read, const_cast<Value*>(place)), runtime_.i64);
        Value* distance = b.CreateAdd(b.CreateSub(to, from), b.getInt64(size - 1));
        apart = b.CreateAnd(apart, b.CreateICmpUGE(distance, b.getInt64(stored + size - 1)));
      };
      for (const LoadInst* load : loads) {
        if (load != &read) keep_from(load->getPointerOperand(), layout_.getTypeStoreSize(load->getType()));
      }
      keep_from(place_read(read), width_of(read) / 8);
    }
    return apart;
  }

  // The condition of a call that assumes it.
  bool has_assumptions() const {
    return any_of(instructions(f_), [&](const Instruction& i) {
      const auto* call = dyn_cast<CallInst>(&i);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      return callee && callee->isDeclaration() && call->arg_size() == 1 && assumes_(callee->getName());
    });
  }

  struct How {
    int flags = 0;                                     // added to the await
    Value* start = nullptr;                            // of the round, as Entry::round tells it
    std::function<Value*(IRBuilder<>&)> only_if = {};  // else the thread does not wait
  };

  void wait(Instruction& read, const WaitCondition& condition, const How& how) {
    if (condition.await == Await::none) return;
    IRBuilder<> b(&read);
    const bool rechecks = retries_ && condition.rechecks;
    if (rechecks) conditions_.note_look();
    int flags = how.flags | (rechecks ? abi::kRechecks : 0) | (condition.undoes ? abi::kUndone : 0) |
                (condition.only_waits ? abi::kOnlyWaits : 0);
    for (const auto [number, store] : enumerate(condition.stores)) {
      flags |= abi::kAnew | (store->isAtomic() ? abi::kOwnStores : 0);
      const uint64_t size = layout_.getTypeStoreSize(store->getValueOperand()->getType());
      runtime_.call<Entry::will_store>(b, {before(read, store->getPointerOperand()), runtime_.size(size),
                                           runtime_.constant(static_cast<uint32_t>(number))});
    }
    Value* await = runtime_.constant(static_cast<int>(condition.await) | flags);
    if (how.only_if) await = b.CreateSelect(how.only_if(b), await, runtime_.constant(static_cast<int>(Await::none)));
    Value* events = how.start ? b.CreateExtractValue(how.start, 0) : b.getInt64(abi::kNoRound);
    Value* changed = how.start ? b.CreateExtractValue(how.start, 1) : b.getInt64(0);
    if (condition.await != Await::holds) {
      runtime_.call<Entry::until>(b, {await, bits(b, condition.expected), events, changed});
      return;
    }
    for (Value* v : condition.known) runtime_.call<Entry::know>(b, {bits(b, v)});
    runtime_.call<Entry::until_holds>(b, {await, runtime_.constant(condition.number), events, changed});
  }

  Value* bits(IRBuilder<>& b, Value* v) const {
    if (v->getType()->isPointerTy()) return b.CreatePtrToInt(v, runtime_.i64);
    if (v->getType()->isFloatingPointTy())
      v = b.CreateBitCast(v, b.getIntNTy(static_cast<unsigned>(v->getType()->getPrimitiveSizeInBits())));
    return b.CreateZExt(v, runtime_.i64);
  }

  // The value of an address that is the same in all rounds, computed before the read if it is not there yet.
  Value* before(Instruction& read, Value* v) {
    auto* i = dyn_cast<Instruction>(v);
    if (!i || dominators_.dominates(i, &read)) return v;
    HEDDLE_ASSERT(i != &read && !isa<PHINode>(i) && !i->mayReadOrWriteMemory());
    Instruction* copy = i->clone();
    copy->dropPoisonGeneratingFlags();
    for (Use& u : copy->operands()) u.set(before(read, u.get()));
    copy->insertBefore(&read);
    return copy;
  }

  // How far the thread was when the round began.
  Value* start_of(BasicBlock& cut) {
    Value*& start = starts_[&cut];
    if (!start) {
      IRBuilder<> b(&*cut.getFirstInsertionPt());
      start = runtime_.call<Entry::round>(b);
    }
    return start;
  }

  Function& f_;
  Runtime& runtime_;
  const Privacy& privacy_;
  const OfFunction& only_pauses_;
  const OfFunction& assumes_;
  const bool retries_;
  ConditionMaker& conditions_;
  LoopFacts& facts_;
  const DataLayout& layout_;
  DominatorTree dominators_;
  LoopInfo loops_;
  DenseMap<const BasicBlock*, Value*> starts_;
  // Reads that wait, and before which a round does nothing.
  struct Alone {
    const Loop* loop;
    Instruction* read;
    Cut cut;
  };
  SmallVector<Alone> alone_;
};

}  // namespace

void rewrite_awaits(Function& f, Runtime& runtime, const Privacy& privacy, const CompileRequest& request,
                    const OfFunction& only_pauses, ConditionMaker& conditions, LoopFacts& facts) {
  Awaits(f, runtime, privacy, request, only_pauses, conditions, facts).rewrite();
}

}  // namespace heddle::frontend
