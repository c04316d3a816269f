// Loops that wait for one value become awaits.
//
//   while (!atomic_load(&ready)) {}          the load waits until ready != 0
//   while (atomic_exchange(&lock, 1)) {}     the exchange waits until lock != 1
//
// This is the assume of partial loop purity elimination (Await §III), together with the read that decides it: if the
// value read says that this round of the loop changes nothing, the thread waits in the read. An explorer then need not
// follow it round by round, nor give up an execution in which it came too early. What is not of this form is left to
// rounds.cpp, which finds out while the program runs.
//
// The read I of a loop is taken if
//   - the branch after it decides by a comparison of the value read, and one of its two ways leads back to the head,
//     on which nothing is done and all variables of the loop stay as they are;
//   - on that way a read-modify-write has not changed anything either: an exchange has found what it writes, an or all
//     of its bits, a compare-exchange another value than it expects;
//   - each round comes to I, or waits before that, and the place and the other side of the comparison are the same in
//     each round. So a thread that waits in I for ever is one that turns round for ever.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "core/action.hpp"
#include "frontend/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// What a read waits for: the bits of `mask` compared with `other`.
struct Condition {
  CmpInst::Predicate predicate;
  APInt mask;
  Value* other;  // of the mask's width

  // Whether a value of so many bits satisfies it, if that is known.
  std::optional<bool> holds(const APInt& value) const {
    const auto* constant = dyn_cast<ConstantInt>(other);
    if (!constant) return std::nullopt;
    return ICmpInst::compare(value.zextOrTrunc(mask.getBitWidth()) & mask, constant->getValue(), predicate);
  }
  Condition inverse() const { return {CmpInst::getInversePredicate(predicate), mask, other}; }
};

std::optional<Await> await_for(const Condition& c) {
  const bool whole = c.mask.isAllOnes();
  switch (c.predicate) {
    case CmpInst::ICMP_EQ: return Await::part_equal;
    case CmpInst::ICMP_NE: return Await::part_not_equal;
    case CmpInst::ICMP_ULT: return Await::less;
    case CmpInst::ICMP_ULE: return Await::less_equal;
    case CmpInst::ICMP_UGT: return Await::greater;
    case CmpInst::ICMP_UGE: return Await::greater_equal;
    case CmpInst::ICMP_SLT: return whole ? std::optional(Await::signed_less) : std::nullopt;
    case CmpInst::ICMP_SLE: return whole ? std::optional(Await::signed_less_equal) : std::nullopt;
    case CmpInst::ICMP_SGT: return whole ? std::optional(Await::signed_greater) : std::nullopt;
    case CmpInst::ICMP_SGE: return whole ? std::optional(Await::signed_greater_equal) : std::nullopt;
    default: return std::nullopt;
  }
}

// The bits of the read that a value consists of, as wide as the value.
std::optional<APInt> bits_of(const Value* v, const Value* read, const DataLayout& layout) {
  using namespace PatternMatch;
  const unsigned width = layout.getTypeSizeInBits(v->getType());
  if (v == read) return APInt::getAllOnes(width);
  const Value* from = nullptr;
  const APInt* mask = nullptr;
  if (match(v, m_And(m_Value(from), m_APInt(mask)))) {
    const auto bits = bits_of(from, read, layout);
    return bits ? std::optional(*bits & *mask) : std::nullopt;
  }
  const auto* cast = dyn_cast<CastInst>(v);
  if (!cast || !(isa<TruncInst>(cast) || isa<ZExtInst>(cast) || isa<PtrToIntInst>(cast))) return std::nullopt;
  if (!cast->getSrcTy()->isIntOrPtrTy()) return std::nullopt;
  const auto bits = bits_of(cast->getOperand(0), read, layout);
  return bits ? std::optional(bits->zextOrTrunc(width)) : std::nullopt;
}

std::optional<Condition> comparison(Value* v, const Value* read, const DataLayout& layout) {
  using namespace PatternMatch;
  Value* inner = nullptr;
  if (match(v, m_Not(m_Value(inner)))) {
    const auto c = comparison(inner, read, layout);
    return c ? std::optional(c->inverse()) : std::nullopt;
  }
  if (auto* compare = dyn_cast<ICmpInst>(v)) {
    if (const auto mask = bits_of(compare->getOperand(0), read, layout))
      return Condition{compare->getPredicate(), *mask, compare->getOperand(1)};
    if (const auto mask = bits_of(compare->getOperand(1), read, layout))
      return Condition{compare->getSwappedPredicate(), *mask, compare->getOperand(0)};
    return std::nullopt;
  }
  const auto mask = v->getType()->isIntegerTy(1) ? bits_of(v, read, layout) : std::nullopt;
  if (!mask) return std::nullopt;
  return Condition{CmpInst::ICMP_NE, *mask, ConstantInt::getFalse(v->getContext())};
}

class Awaits {
 public:
  Awaits(Function& f, Runtime& runtime, const Privacy& privacy, const HasNoEffect& has_no_effect, LoopFacts& facts)
      : f_(f),
        runtime_(runtime),
        privacy_(privacy),
        has_no_effect_(has_no_effect),
        facts_(facts),
        layout_(f.getDataLayout()),
        dominators_(f),
        loops_(dominators_) {}

  // What is inside comes first: to reach a read a round may have to pass an await.
  void rewrite() {
    for (bool again = true; again;) {
      again = false;
      for (BasicBlock& block : f_) {
        if (loops_.getLoopFor(&block) && !waits_.contains(&block)) again |= rewrite(block);
      }
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

  bool is_read(const Instruction& i) const {
    const Value* p = nullptr;
    Type* type = i.getType();
    if (const auto* load = dyn_cast<LoadInst>(&i)) {
      p = load->isAtomic() ? load->getPointerOperand() : nullptr;
    } else if (const auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
      p = rmw->getPointerOperand();
    } else if (const auto* cas = dyn_cast<AtomicCmpXchgInst>(&i)) {
      p = cas->getPointerOperand();
      type = cas->getCompareOperand()->getType();
    }
    return p && type->isIntOrPtrTy() && layout_.getTypeSizeInBits(type) <= 64 && !privacy_.is_private(p);
  }

  bool does_nothing(const Instruction& i) const {
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&i)) {
      if (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic)) return true;
    }
    if (const auto* call = dyn_cast<CallBase>(&i)) {
      const Function* callee = call->getCalledFunction();
      const bool harmless = callee && (callee->getName() == kKeep || is(*callee, Entry::until) ||
                                       call->doesNotAccessMemory() || has_no_effect_(callee->getName()));
      return harmless && !call->isTerminator();
    }
    return !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects();
  }

  bool rewrite(BasicBlock& block) {
    auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    Instruction* read = last_read(block);
    if (!branch || !branch->isConditional() || !read) return false;
    for (const bool way : {true, false}) {
      const Loop* loop = goes_round(*branch, way);
      if (!loop || !is_reached(*loop, *read)) continue;
      if (!insert(*loop, *read, *branch->getCondition(), way)) continue;
      waits_[&block] = branch->getSuccessor(way ? 1 : 0);
      facts_[loops_.getLoopFor(&block)->getHeader()].waits = true;
      return true;
    }
    return false;
  }

  // The loop to whose head the way from the block leads, if nothing is done on it and nothing changes.
  const Loop* goes_round(BranchInst& decides, bool way) {
    const auto next = [&](BranchInst& b) { return b.getSuccessor(b.isUnconditional() || way ? 0 : 1); };
    BasicBlock& from = *decides.getParent();
    const BasicBlock* before = &from;
    BasicBlock* block = next(decides);
    SmallPtrSet<const BasicBlock*, 8> seen;
    while (seen.insert(block).second) {
      const Loop* loop = loops_.getLoopFor(block);
      if (!loop) return nullptr;
      if (loop->getHeader() == block && loop->contains(&from)) {
        const bool same =
            all_of(block->phis(), [&](const PHINode& phi) { return phi.getIncomingValueForBlock(before) == &phi; });
        return same ? loop : nullptr;
      }
      auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      if (!branch || (branch->isConditional() && branch->getCondition() != decides.getCondition())) return nullptr;
      for (const Instruction& i : *block) {
        if (!i.isTerminator() && !does_nothing(i)) return nullptr;
      }
      before = block;
      block = next(*branch);
    }
    return nullptr;
  }

  bool is_reached(const Loop& loop, const Instruction& read) {
    BasicBlock* block = loop.getHeader();
    SmallPtrSet<const BasicBlock*, 8> seen;
    while (loop.contains(block) && seen.insert(block).second) {
      const auto wait = waits_.find(block);
      for (const Instruction& i : *block) {
        if (&i == &read) return true;
        const bool waits = wait != waits_.end() && is_read(i);
        if (!i.isTerminator() && !waits && !is_plain_load(i) && !does_nothing(i)) return false;
      }
      block = wait != waits_.end() ? wait->second : only_way(*block);
      if (!block) return false;
    }
    return false;
  }

  // Nobody changes plain memory while this thread goes round and tells nobody.
  static bool is_plain_load(const Instruction& i) {
    const auto* load = dyn_cast<LoadInst>(&i);
    return load && load->isSimple();
  }

  // Where a block leads, errors apart.
  static BasicBlock* only_way(BasicBlock& block) {
    auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch) return nullptr;
    BasicBlock* way = nullptr;
    for (BasicBlock* next : branch->successors()) {
      if (isa<UnreachableInst>(next->getTerminator())) continue;
      if (way && way != next) return nullptr;
      way = next;
    }
    return way;
  }

  // Whether the value is the same in each round in which nothing changes.
  bool stays(const Loop& loop, const Value* v) {
    const auto* i = dyn_cast<Instruction>(v);
    if (!i || !loop.contains(i)) return true;
    if (isa<PHINode>(i)) return i->getParent() == loop.getHeader();
    if (isa<CallBase>(i) || (i->mayReadOrWriteMemory() && !is_plain_load(*i))) return false;
    return all_of(i->operands(), [&](const Use& u) { return stays(loop, u.get()); });
  }

  // `decides` is `way` in a round that changes nothing but perhaps by the read itself.
  bool insert(const Loop& loop, Instruction& read, Value& decides, bool way) {
    if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&read)) {
      using namespace PatternMatch;
      Value* flag = &decides;
      const bool inverse = match(&decides, m_Not(m_Value(flag)));
      const auto* success = dyn_cast<ExtractValueInst>(flag);
      const bool fails = success && success->getAggregateOperand() == cas && success->getIndices()[0] == 1;
      Value* expected = cas->getCompareOperand();
      if (!fails || way != inverse || !stays(loop, cas->getPointerOperand()) || !stays(loop, expected)) return false;
      until(read, Await::equal, expected, 0);
      return true;
    }
    auto c = comparison(&decides, &read, layout_);
    if (!c || !stays(loop, c->other) || !stays(loop, place_of(read))) return false;
    if (way) c = c->inverse();  // now it is what lets the thread go on
    if (const auto* rmw = dyn_cast<AtomicRMWInst>(&read)) {
      const auto* operand = dyn_cast<ConstantInt>(rmw->getValOperand());
      if (!operand) return false;
      const APInt& written = operand->getValue();
      const bool exchange = rmw->getOperation() == AtomicRMWInst::Xchg;
      if (!exchange && rmw->getOperation() != AtomicRMWInst::Or) return false;
      // Only the values that leave the memory as it is make the thread wait: all must lead back.
      if (!exchange && !c->mask.zextOrTrunc(written.getBitWidth()).isSubsetOf(written)) return false;
      if (c->holds(written) != std::optional(false)) return false;
      const APInt mask = exchange ? APInt::getAllOnes(written.getBitWidth()) : written;
      c = Condition{CmpInst::ICMP_NE, mask, ConstantInt::get(read.getContext(), written)};
    }
    const auto await = await_for(*c);
    if (!await) return false;
    until(read, *await, c->other, c->mask.getZExtValue());
    return true;
  }

  static const Value* place_of(const Instruction& read) {
    if (const auto* rmw = dyn_cast<AtomicRMWInst>(&read)) return rmw->getPointerOperand();
    return cast<LoadInst>(read).getPointerOperand();
  }

  void until(Instruction& read, Await await, Value* other, uint64_t mask) {
    // What is compared may be computed after the read, from what is there before.
    hoist(other, read);
    IRBuilder<> b(&read);
    if (other->getType()->isPointerTy()) other = b.CreatePtrToInt(other, runtime_.i64);
    other = b.CreateZExt(other, runtime_.i64);
    runtime_.call<Entry::until>(b, {runtime_.constant(static_cast<int>(await)), other, b.getInt64(mask)});
  }
  void hoist(Value* v, Instruction& before) {
    auto* i = dyn_cast<Instruction>(v);
    if (!i || dominators_.dominates(i, &before)) return;
    for (Use& u : i->operands()) hoist(u.get(), before);
    i->moveBefore(&before);
  }

  Function& f_;
  Runtime& runtime_;
  const Privacy& privacy_;
  const HasNoEffect& has_no_effect_;
  LoopFacts& facts_;
  const DataLayout& layout_;
  DominatorTree dominators_;
  LoopInfo loops_;
  DenseMap<const BasicBlock*, BasicBlock*> waits_;  // blocks that end with an await: where they go on
};

}  // namespace

void rewrite_awaits(Function& f, Runtime& runtime, const Privacy& privacy, const HasNoEffect& has_no_effect,
                    LoopFacts& facts) {
  Awaits(f, runtime, privacy, has_no_effect, facts).rewrite();
}

}  // namespace heddle::frontend
