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
// The read I of a loop is taken if
//   - nothing on any way from the head of the loop to I changes anything: there are only loads, fences and functions
//     that let time pass;
//   - it is known for which values read the thread goes from I back to the head, on which way nothing is done and all
//     variables of the loop stay as they are. The other sides of the comparisons are known before I;
//   - if I is a read-modify-write, it has written what it has read, and a compare-exchange has failed. With other
//     values it does not wait.
// A round that changes nothing can be left out (rounds.cpp), so each wait stands for the last round alone, and what the
// thread has read in it before I is a choice of the explorer like any other read. But a thread that waits in I for ever
// is one that turns round for ever only if it would read the same before I, too. So the machine tells how many events
// are of the round before I (Action::round), and the check for livelocks looks at them (explore/judge/waiting.hpp).
//
// A read I outside of such a loop is taken if it is known for which values the thread then comes to an assumption that
// is false (heddle_assume, __VERIFIER_assume), and nothing is done on the way. If I is a read-modify-write, it has
// changed nothing then, as above.
//
//   heddle_assume(atomic_load(&ready));                        the load waits until ready != 0
//   heddle_assume(atomic_compare_exchange(&top, &t, n));       the compare-exchange waits until top == t
//
// No complete execution is lost, because the thread goes no further with those values; and no error of another thread,
// because no other thread can tell whether this one has read one of them or nothing yet. A thread that waits there for
// ever is stopped, as it would be by the assumption (Action::assumed).
//
// Retry loops, which change what they expect, and stores that each round does anew: retries.hpp.
//
// Not taken: a condition that no Await can say, for example four variables on the other side; a compare-exchange whose
// loop goes round for only some of the values that make it fail; a loop that writes to local variables in memory.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <functional>
#include <optional>

#include "core/action.hpp"
#include "core/assert.hpp"
#include "core/conditions.hpp"
#include "frontend/loops/await_conditions.hpp"
#include "frontend/loops/await_formula.hpp"
#include "frontend/loops/loops.hpp"
#include "frontend/loops/retries.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// More facts than these before a read, or more blocks on the ways back, and the loop is left as it is.
constexpr std::size_t kMaxFacts = 2;
constexpr int kMaxBlocks = 100;

// What a round of a loop does before a read.
struct Before {
  bool reads = false;
  SmallVector<std::pair<StoreInst*, SmallVector<LoadInst*>>> anew;  // retries.hpp
};

class Awaits {
 public:
  Awaits(Function& f, Runtime& runtime, const Privacy& privacy, const CompileRequest& request,
         const OfFunction& only_pauses, LoopFacts& facts)
      : f_(f),
        runtime_(runtime),
        privacy_(privacy),
        only_pauses_(only_pauses),
        assumes_(request.assumes),
        retries_(request.retries),
        facts_(facts),
        layout_(f.getDataLayout()),
        dominators_(f),
        loops_(dominators_) {}

  void rewrite() {
    SmallVector<Instruction*> reads;
    SmallPtrSet<const Instruction*, 4> rewritten;
    for (BasicBlock& block : f_) {
      if (Instruction* read = loops_.getLoopFor(&block) ? last_read(block) : nullptr) reads.push_back(read);
    }
    for (Instruction* read : reads) {
      for (const Loop* loop = loops_.getLoopFor(read->getParent()); loop; loop = loop->getParentLoop()) {
        if (!rewrite(*loop, *read)) continue;
        facts_[loop->getHeader()].waits = true;
        rewritten.insert(read);
        break;
      }
    }
    if (!has_assumptions()) return;
    for (Instruction& i : instructions(f_)) {
      if (is_read(i) && !rewritten.contains(&i)) rewrite_assumed(i);
    }
  }

 private:
  // The last read of a block, if nothing is done after it.
  Instruction* last_read(BasicBlock& block) {
    for (Instruction& i : reverse(block)) {
      if (i.isTerminator()) continue;
      if (is_read(i)) return &i;
      if (!does_nothing(i)) return nullptr;
    }
    return nullptr;
  }

  static Type* type_of(const Instruction& read) {
    const auto* cas = dyn_cast<AtomicCmpXchgInst>(&read);
    return cas ? cas->getCompareOperand()->getType() : read.getType();
  }
  unsigned width_of(const Instruction& read) const {
    return static_cast<unsigned>(layout_.getTypeSizeInBits(type_of(read)));
  }

  // Where an atomic access reads; null if it is none.
  static const Value* place_of(const Instruction& i) {
    if (const auto* load = dyn_cast<LoadInst>(&i)) return load->isAtomic() ? load->getPointerOperand() : nullptr;
    if (const auto* rmw = dyn_cast<AtomicRMWInst>(&i)) return rmw->getPointerOperand();
    const auto* cas = dyn_cast<AtomicCmpXchgInst>(&i);
    return cas ? cas->getPointerOperand() : nullptr;
  }

  bool is_read(const Instruction& i) const {
    const Value* p = place_of(i);
    if (!p || !type_of(i)->isIntOrPtrTy() || privacy_.is_private(p)) return false;
    const unsigned width = width_of(i);
    return width == 8 || width == 16 || width == 32 || width == 64;
  }

  bool does_nothing(const Instruction& i) const {
    if (isa<PHINode, FenceInst>(i)) return true;
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&i)) {
      if (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic)) return true;
    }
    if (const auto* call = dyn_cast<CallBase>(&i)) {
      const Function* callee = call->getCalledFunction();
      if (!callee || call->isTerminator()) return false;
      return callee->getName() == kKeep || is(*callee, Entry::until) || is(*callee, Entry::round) ||
             isSafeToSpeculativelyExecute(&i) || only_pauses_(callee->getName());
    }
    return !i.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&i);
  }

  // Before the read, what reads is part of the round, and what fails does so all the same.
  bool changes_nothing(const Instruction& i) const {
    if (i.isTerminator()) return isa<BranchInst, SwitchInst>(i);
    if (isa<LoadInst>(i) || does_nothing(i)) return true;
    return !isa<CallBase>(i) && !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects();
  }

  // Whether nothing changes from the head of the loop to the read.
  std::optional<Before> unchanged_before(const Loop& loop, Instruction& read) const {
    Before before;
    SmallPtrSet<const BasicBlock*, 8> seen;
    SmallVector<BasicBlock*> todo;
    const auto is_anew = [&](Instruction& i) {
      auto* store = retries_ ? dyn_cast<StoreInst>(&i) : nullptr;
      SmallVector<LoadInst*> loads;
      if (!store || !is_done_anew(loop, *store, loads)) return false;
      before.anew.emplace_back(store, std::move(loads));
      return true;
    };
    const auto look_at = [&](BasicBlock& block, const Instruction* end) {
      for (Instruction& i : block) {
        if (&i == end) break;
        if (!changes_nothing(i) && !is_anew(i)) return false;
        const auto* load = dyn_cast<LoadInst>(&i);
        before.reads |= load && !privacy_.is_private_or_constant(load->getPointerOperand());
      }
      if (&block != loop.getHeader()) append_range(todo, predecessors(&block));
      return true;
    };
    if (!look_at(*read.getParent(), &read)) return std::nullopt;
    while (!todo.empty()) {
      BasicBlock* block = todo.pop_back_val();
      if (seen.insert(block).second && !look_at(*block, nullptr)) return std::nullopt;
    }
    return before;
  }

  bool rewrite(const Loop& loop, Instruction& read) {
    const auto before = unchanged_before(loop, read);
    if (!before) return false;
    const Conditions conditions(read, dominators_);
    int blocks = kMaxBlocks;
    const FormulaRef back = leaves(&loop, *read.getParent(), conditions, Way(), blocks);
    const auto round = [&](IRBuilder<>& b) -> Value* {
      return before->reads ? start_of(*loop.getHeader()) : b.getInt64(abi::kNoRound);
    };
    const auto apart = [&](IRBuilder<>& b) { return are_apart(b, *before, read); };
    if (wait_while(read, conditions, back, {flags_of(*before) | confirming(loop, read, nullptr), round, apart}))
      return true;
    return rewrite_retry(loop, read, *before);
  }

  // The first try of a retry loop.
  bool rewrite_retry(const Loop& loop, Instruction& read, const Before& before) {
    auto* cas = retries_ ? dyn_cast<AtomicCmpXchgInst>(&read) : nullptr;
    if (!cas) return false;
    const auto begins = [&](PHINode& phi) { return begins_with_look(loop, phi, *cas); };
    const auto variable = find_if(loop.getHeader()->phis(), begins);
    Before with_first = before;
    if (variable != loop.getHeader()->phis().end()) {
      retried_ = &*variable;
    } else if (before.anew.empty()) {
      StoreInst* first = first_look(loop, *cas);
      retried_ = first;
      if (first) with_first.anew.push_back({first, {}});
    }
    if (!retried_) return false;
    const Conditions conditions(read, dominators_);
    int blocks = kMaxBlocks;
    const int flags = abi::kAssumed | abi::kFirstTry | flags_of(with_first) | confirming(loop, read, retried_);
    const FormulaRef back = leaves(&loop, *read.getParent(), conditions, Way(), blocks);
    retried_ = nullptr;
    const auto in_first_round = [&](IRBuilder<>& b) {
      return b.CreateAnd(is_first(loop), are_apart(b, with_first, read));
    };
    return wait_while(read, conditions, back, {flags, nullptr, in_first_round});
  }

  // Whether it stores what the retry loop will expect.
  bool stores_retried(const Instruction& i) const {
    const auto* store = dyn_cast<StoreInst>(&i);
    const auto* first = dyn_cast_or_null<StoreInst>(retried_);
    return store && first && store->isSimple() && is_same_place(*store, *first);
  }

  // Whether the next round has the same variables, but that the retry loop expects what its compare-exchange has read.
  bool goes_round(BasicBlock& head, BasicBlock& from, const Conditions& conditions, const Way& way) const {
    const auto is_read = [&](Value* v) { return conditions.is_value_read(same_bits(Conditions::resolve(v, way))); };
    if (isa_and_nonnull<StoreInst>(retried_) && !(way.contains(retried_) && is_read(way.lookup(retried_))))
      return false;
    return all_of(head.phis(), [&](PHINode& phi) {
      Value* next = phi.getIncomingValueForBlock(&from);
      if (&phi == retried_) return is_read(next);
      return is_first_round(phi) || Conditions::resolve(next, way) == &phi;
    });
  }

  int confirming(const Loop& loop, const Instruction& read, const Instruction* retried) const {
    const auto* cas = retries_ ? dyn_cast<AtomicCmpXchgInst>(&read) : nullptr;
    return cas && confirms(loop, *cas, retried) ? abi::kConfirms : 0;
  }

  static int flags_of(const Before& before) { return before.anew.empty() ? 0 : abi::kAnew; }

  Value* is_first(const Loop& loop) {
    BasicBlock* head = loop.getHeader();
    IRBuilder<> b(&head->front());
    PHINode* first = b.CreatePHI(b.getInt1Ty(), 2, kFirstRound);
    for (BasicBlock* from : predecessors(head)) first->addIncoming(b.getInt1(!loop.contains(from)), from);
    return first;
  }

  // Whether what is stored anew in each round is neither what the round has read before it did so, nor where it waits.
  Value* are_apart(IRBuilder<>& b, const Before& before, const Instruction& read) {
    Value* apart = b.getTrue();
    for (const auto& [store, loads] : before.anew) {
      const auto keep_from = [&, store = store](const Value* place, uint64_t size) {
        const uint64_t stored = layout_.getTypeStoreSize(store->getValueOperand()->getType());
        Value* from = b.CreatePtrToInt(store->getPointerOperand(), runtime_.i64);
        Value* to = b.CreatePtrToInt(const_cast<Value*>(place), runtime_.i64);
        Value* distance = b.CreateAdd(b.CreateSub(to, from), b.getInt64(size - 1));
        apart = b.CreateAnd(apart, b.CreateICmpUGE(distance, b.getInt64(stored + size - 1)));
      };
      for (const LoadInst* load : loads)
        keep_from(load->getPointerOperand(), layout_.getTypeStoreSize(load->getType()));
      keep_from(place_of(read), width_of(read) / 8);
    }
    return apart;
  }

  bool rewrite_assumed(Instruction& read) {
    const Conditions conditions(read, dominators_);
    int blocks = kMaxBlocks;
    return wait_while(read, conditions, stops(read.getNextNode(), conditions, Way(), blocks), {abi::kAssumed});
  }

  struct How {
    int flags = 0;                                     // added to the await
    std::function<Value*(IRBuilder<>&)> round = {};    // what the runtime gets as the round; none: kNoRound
    std::function<Value*(IRBuilder<>&)> only_if = {};  // else the thread does not wait
  };

  // The thread waits in the read while the formula holds and the read has changed nothing; false if that cannot be
  // said.
  bool wait_while(Instruction& read, const Conditions& conditions, FormulaRef waits, const How& how) {
    if (!waits->is(false)) waits = with_unchanged(read, conditions, waits);
    if (!waits || waits->is(false)) return false;
    SmallVector<Comparison> comparisons;
    SmallVector<Value*> known;
    waits->collect(comparisons, known);
    if (known.size() > kMaxFacts) return false;
    const auto codes = codes_of(read, Formula::no(waits), known);
    if (all_of(codes, [](const AwaitCode& c) { return c.await == Await::none; })) return false;
    until(read, codes, known, how);
    return true;
  }

  // The condition of a call that assumes it; null if it is no such call.
  Value* assumption(const Instruction& i) const {
    const auto* call = dyn_cast<CallInst>(&i);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->isDeclaration() || call->arg_size() != 1 || !assumes_(callee->getName())) return nullptr;
    return call->getArgOperand(0)->getType()->isIntegerTy() ? call->getArgOperand(0) : nullptr;
  }
  bool has_assumptions() const {
    return any_of(instructions(f_), [&](const Instruction& i) { return assumption(i) != nullptr; });
  }

  // Of a variable that others may know.
  bool ends_life(const Instruction& i) const {
    const auto* marker = dyn_cast<IntrinsicInst>(&i);
    return marker && marker->getIntrinsicID() == Intrinsic::lifetime_end && !privacy_.is_private(marker->getOperand(1));
  }

  // Whether the thread goes from the instruction to an assumption that is false, and nothing is done on the way. Not
  // everywhere where it does.
  FormulaRef stops(Instruction* from, const Conditions& conditions, const Way& way, int& blocks) {
    FormulaRef before = Formula::constant(false);
    for (Instruction* i = from; !i->isTerminator(); i = i->getNextNode()) {
      if (Value* condition = assumption(*i)) {
        if (const auto f = conditions.is_not_zero(condition, way)) before = Formula::either(before, Formula::no(f));
      } else if (!does_nothing(*i) || ends_life(*i)) {
        return before;
      }
    }
    return Formula::either(before, leaves(nullptr, *from->getParent(), conditions, way, blocks));
  }

  // Whether the thread goes from the end of the block back to the head of the loop and nothing is done on the way. Not
  // everywhere where it does: nothing is lost if it goes round. Without a loop: to a false assumption.
  FormulaRef leaves(const Loop* loop, BasicBlock& block, const Conditions& conditions, const Way& way, int& blocks) {
    const auto next = [&](BasicBlock* to) { return enters(loop, block, *to, conditions, way, blocks); };
    Instruction* end = block.getTerminator();
    if (auto* branch = dyn_cast<BranchInst>(end)) {
      if (branch->isUnconditional()) return next(branch->getSuccessor(0));
      auto then = next(branch->getSuccessor(0));
      const auto otherwise = next(branch->getSuccessor(1));
      if (then->is(false) && otherwise->is(false)) return then;
      const auto condition = conditions.of(branch->getCondition(), way);
      return condition ? Conditions::choice(condition, then, otherwise) : Formula::both(then, otherwise);
    }
    auto* choice = dyn_cast<SwitchInst>(end);
    if (!choice) return Formula::constant(false);
    FormulaRef result = next(choice->getDefaultDest());
    for (const auto& c : choice->cases()) {
      const auto then = next(c.getCaseSuccessor());
      const auto condition = conditions.equal(choice->getCondition(), c.getCaseValue(), way);
      result = condition ? Conditions::choice(condition, then, result) : Formula::both(then, result);
    }
    return result;
  }

  FormulaRef enters(const Loop* loop, BasicBlock& from, BasicBlock& block, const Conditions& conditions, Way way,
                    int& blocks) {
    if ((loop && !loop->contains(&block)) || --blocks < 0) return Formula::constant(false);
    if (loop && &block == loop->getHeader()) {
      return Formula::constant(goes_round(block, from, conditions, way));
    }
    // Each block once on a way, and none where something is known from before the read.
    if (dominators_.dominates(&block, &from) || conditions.is_before(block)) return Formula::constant(false);
    SmallVector<std::pair<const PHINode*, Value*>> values;
    for (PHINode& phi : block.phis()) {
      if (way.contains(&phi)) return Formula::constant(false);
      values.emplace_back(&phi, Conditions::resolve(phi.getIncomingValueForBlock(&from), way));
    }
    for (const auto& [phi, value] : values) way[phi] = value;
    if (!loop) return stops(&block.front(), conditions, way, blocks);
    for (Instruction& i : block) {
      if (stores_retried(i)) {
        way[retried_] = cast<StoreInst>(i).getValueOperand();
      } else if (!i.isTerminator() && !does_nothing(i)) {
        return Formula::constant(false);
      }
    }
    return leaves(loop, block, conditions, way, blocks);
  }

  // ... and the read itself has changed nothing. Null if that cannot be said.
  static FormulaRef with_unchanged(Instruction& read, const Conditions& conditions, const FormulaRef& back) {
    if (isa<LoadInst>(read)) return back;
    if (isa<AtomicCmpXchgInst>(read)) return Formula::both(back, Formula::no(conditions.succeeds()));
    auto& rmw = cast<AtomicRMWInst>(read);
    Value* operand = rmw.getValOperand();
    if (!operand->getType()->isIntOrPtrTy()) return nullptr;
    const auto width = static_cast<unsigned>(rmw.getDataLayout().getTypeSizeInBits(operand->getType()));
    const bool exchange = rmw.getOperation() == AtomicRMWInst::Xchg;
    const auto* number = dyn_cast<ConstantInt>(operand);
    if (!number) {
      const auto same = Formula::compare(CmpInst::ICMP_EQ, APInt::getAllOnes(width), operand);
      return exchange ? Formula::both(back, same) : nullptr;
    }
    // The value is unchanged if it has these bits.
    APInt bits = number->getValue();
    APInt mask = bits;
    switch (rmw.getOperation()) {
      case AtomicRMWInst::Xchg: mask = APInt::getAllOnes(width); break;
      case AtomicRMWInst::Or: break;
      case AtomicRMWInst::And:
        mask = ~bits;
        bits = APInt::getZero(width);
        break;
      default: return nullptr;
    }
    const auto unchanged = Formula::compare(CmpInst::ICMP_EQ, mask, ConstantInt::get(operand->getContext(), bits));
    // If the condition looks at no other bits, or differs in one of them, it is known then.
    const auto is_decided = [&](const Comparison& c) {
      const auto other = c.number();
      if (!other || c.from) return false;
      const APInt looks_at = c.mask.zextOrTrunc(width);
      const APInt differs = (other->zextOrTrunc(width) ^ bits) & looks_at & mask;
      return looks_at.isSubsetOf(mask) || (c.predicate == CmpInst::ICMP_EQ && !differs.isZero());
    };
    SmallVector<Comparison> comparisons;
    SmallVector<Value*> known;
    back->collect(comparisons, known);
    if (!known.empty() || !all_of(comparisons, is_decided)) return Formula::both(back, unchanged);
    const bool goes_back = back->value([&](const Comparison& c) { return c.holds(bits); });
    return goes_back ? unchanged : Formula::constant(false);
  }

  // The awaits for each combination of what is known before: bit n of the place says whether the n-th is true.
  SmallVector<AwaitCode> codes_of(const Instruction& read, const FormulaRef& goes_on, ArrayRef<Value*> known) const {
    SmallVector<AwaitCode> codes;
    for (unsigned n = 0; n < 1u << known.size(); ++n) {
      FormulaRef f = goes_on;
      for (unsigned k = 0; k < known.size(); ++k) f = Formula::with(f, known[k], ((n >> k) & 1) != 0);
      auto code = await_code(f, width_of(read));
      if (const auto* cas = dyn_cast<AtomicCmpXchgInst>(&read); cas && code) {
        // It has no room for another number than the one that it expects.
        const bool plain = code->await == Await::part_equal && code->value == cas->getCompareOperand();
        if (!plain && code->await != Await::none) return {};
        if (plain) *code = {Await::equal, code->value, 0, 0};
      }
      if (!code) return {};
      codes.push_back(*code);
    }
    return codes;
  }

  // What the runtime gets for an await. Where its numbers do not fit, the thread does not wait.
  struct Words {
    Value* await;
    Value* expected;
    Value* mask;
  };

  Words words_of(IRBuilder<>& b, Instruction& read, const AwaitCode& code) {
    const auto value = [&](Value* v) {
      v = before(read, v);
      return v->getType()->isPointerTy() ? b.CreatePtrToInt(v, runtime_.i64) : b.CreateZExt(v, runtime_.i64);
    };
    Words w{runtime_.constant(static_cast<int>(code.await)), b.getInt64(code.number), b.getInt64(code.mask)};
    const auto only_if = [&](Value* fits) { w.await = b.CreateSelect(fits, w.await, no_await()); };
    HEDDLE_ASSERT(code.numbers.size() <= kMaxRelations);
    if (code.value) w.expected = value(code.value);
    for (unsigned k = 0; k < code.numbers.size(); ++k) {
      Value* number = value(code.numbers[k]);
      if (code.numbers[k]->getType()->isIntegerTy(64))
        only_if(b.CreateICmpEQ(b.CreateSExt(b.CreateTrunc(number, runtime_.i32), runtime_.i64), number));
      Value* half = b.CreateShl(b.CreateAnd(number, UINT32_MAX), k == 1 ? 32 : 0);
      Value*& word = k < 2 ? w.expected : w.mask;
      word = b.CreateOr(word, half);
    }
    if (const auto& d = code.distance) {
      Value* bound = value(d->other);
      Value* from = value(d->from);
      Value* one = b.getInt64(1);
      if (d->predicate == CmpInst::ICMP_EQ) {
        from = d->backwards ? b.CreateSub(from, bound) : b.CreateAdd(from, bound);
        bound = one;
      } else {
        only_if(b.CreateICmpULT(bound, b.getInt64(kMaxBound)));
        if (d->predicate == CmpInst::ICMP_UGT) bound = b.CreateAdd(bound, one);
      }
      w.expected = d->backwards ? b.CreateAdd(b.CreateSub(from, bound), one) : from;
      w.mask = b.CreateOr(w.mask, b.CreateAnd(bound, kMaxBound));
    }
    return w;
  }
  Value* no_await() const { return runtime_.constant(static_cast<int>(Await::none)); }

  void until(Instruction& read, ArrayRef<AwaitCode> codes, ArrayRef<Value*> known, const How& how) {
    HEDDLE_ASSERT(codes.size() == 1u << known.size());
    IRBuilder<> b(&read);
    Words all = words_of(b, read, codes[0]);
    for (unsigned n = 1; n < codes.size(); ++n) {
      Value* here = b.getTrue();
      for (unsigned k = 0; k < known.size(); ++k) {
        Value* fact = before(read, known[k]);
        here = b.CreateAnd(here, ((n >> k) & 1) != 0 ? fact : b.CreateNot(fact));
      }
      const Words w = words_of(b, read, codes[n]);
      all.await = b.CreateSelect(here, w.await, all.await);
      all.expected = b.CreateSelect(here, w.expected, all.expected);
      all.mask = b.CreateSelect(here, w.mask, all.mask);
    }
    Value* await = b.CreateOr(all.await, runtime_.constant(how.flags));
    if (how.only_if) await = b.CreateSelect(how.only_if(b), await, no_await());
    Value* round = how.round ? how.round(b) : b.getInt64(abi::kNoRound);
    runtime_.call<Entry::until>(b, {await, all.expected, all.mask, round});
  }
  // The value, computed before the read if it is not there yet.
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

  // How many events there were when the round began.
  Value* start_of(BasicBlock& head) {
    Value*& start = starts_[&head];
    if (!start) {
      IRBuilder<> b(&*head.getFirstInsertionPt());
      start = b.CreateExtractValue(runtime_.call<Entry::round>(b), 0);
    }
    return start;
  }

  Function& f_;
  Runtime& runtime_;
  const Privacy& privacy_;
  const OfFunction& only_pauses_;
  const OfFunction& assumes_;
  const bool retries_;
  LoopFacts& facts_;
  const DataLayout& layout_;
  DominatorTree dominators_;
  LoopInfo loops_;
  DenseMap<const BasicBlock*, Value*> starts_;
  const Instruction* retried_ = nullptr;  // a variable, or the first store to it, that a failed try may change
};

}  // namespace

void rewrite_awaits(Function& f, Runtime& runtime, const Privacy& privacy, const CompileRequest& request,
                    const OfFunction& only_pauses, LoopFacts& facts) {
  Awaits(f, runtime, privacy, request, only_pauses, facts).rewrite();
}

}  // namespace heddle::frontend
