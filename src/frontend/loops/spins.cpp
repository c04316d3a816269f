#include "frontend/loops/spins.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "core/assert.hpp"
#include "frontend/loops/loops.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// Whether the call tells the machine of a change, whatever it finds.
bool changes(const Instruction& i) {
  const auto* call = dyn_cast<CallBase>(&i);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return false;
  const auto is_any = [&](auto... entries) { return (is(*callee, entries) || ...); };
  return is_any(Entry::store, Entry::store16, Entry::plain_store1, Entry::plain_store2, Entry::plain_store4,
                Entry::plain_store8, Entry::plain_store, Entry::change);
}

class Look {
 public:
  Look(Loop& loop, Influence& influence)
      : loop_(loop), influence_(influence), evolution_(influence.evolution()), latch_(loop.getLoopLatch()) {}

  std::optional<Spin> run(std::string& why_not) {
    if (!latch_ || !find_tests() || !find_counters() || always_changes()) return std::nullopt;
    const Influence::Found found = influence_.of(counters_, [&](const Use& use) { return judge(use); });
    if (found.matters) {
      why_not = name_ + (loop_.contains(found.matters) ? " decides what a round does" : " is used after the loop");
      return std::nullopt;
    }
    std::optional<Spin> spin = last_values();
    if (!spin) why_not = "the last value of " + name_ + " is not known beforehand";
    return spin;
  }

 private:
  // The exits by a counter, and in which round the first of them is taken if nothing else happens. There must be
  // another exit, or the loop looks for nothing.
  bool find_tests() {
    SmallVector<BasicBlock*> exiting;
    loop_.getExitingBlocks(exiting);
    bool others = false;
    for (BasicBlock* block : exiting) {
      const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      const SCEV* round = evolution_.getExitCount(&loop_, block);
      if (branch && !isa<SCEVCouldNotCompute>(round)) {
        rounds_ = rounds_ ? evolution_.getUMinFromMismatchedTypes(rounds_, round) : round;
        tests_.push_back(branch);
        continue;
      }
      others |= any_of(successors(block), [&](const BasicBlock* next) {
        return !loop_.contains(next) && !isa<UnreachableInst>(next->getTerminator());
      });
    }
    const auto* known = dyn_cast_or_null<SCEVConstant>(rounds_);
    return others && rounds_ && !(known && known->getAPInt().ule(1));
  }

  bool find_counters() {
    for (PHINode& phi : loop_.getHeader()->phis()) {
      if (phi.getIncomingValueForBlock(latch_) == &phi || !counts(&phi)) continue;
      if (counters_.empty()) name_ = source_name(phi);
      counters_.push_back(&phi);
    }
    return !counters_.empty();
  }

  // The value's course over the rounds, if it is start + round * step with a step that is known.
  const SCEVAddRecExpr* counts(Value* v) {
    if (!v->getType()->isIntegerTy()) return nullptr;
    const auto* course = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(v));
    if (!course || course->getLoop() != &loop_ || !course->isAffine()) return nullptr;
    return isa<SCEVConstant>(course->getStepRecurrence(evolution_)) ? course : nullptr;
  }

  // An ordinary loop, in which each round that goes back does something.
  bool always_changes() const {
    for (const BasicBlock* block : loop_.blocks()) {
      if (any_of(*block, changes) && influence_.dominators().dominates(block, latch_)) return true;
    }
    return false;
  }

  Influence::Judgement judge(const Use& use) {
    using enum Influence::Judgement;
    const auto* user = cast<Instruction>(use.getUser());
    if (loop_.contains(user)) return is_contained(tests_, user) ? harmless : follow;
    // A phi node that can only be reached through this loop has a value of its last entry.
    if (isa<PHINode>(user))
      return influence_.dominators().dominates(loop_.getHeader(), user->getParent()) ? follow : matters;
    const auto* compare = dyn_cast<ICmpInst>(user);
    return compare && tells_exits_apart(*compare, use.getOperandNo()) ? harmless : matters;
  }

  // Whether a comparison after the loop has the same outcome after each round before the last one.
  bool tells_exits_apart(const ICmpInst& compare, unsigned counter) {
    Value* bound = compare.getOperand(1 - counter);
    const CmpInst::Predicate predicate = counter == 0 ? compare.getPredicate() : compare.getSwappedPredicate();
    SmallSetVector<Value*, 4> values;
    values.insert(compare.getOperand(counter));
    for (unsigned i = 0; i < values.size(); ++i) {
      auto* value = dyn_cast<Instruction>(values[i]);
      if (!value) continue;  // it does not come from the loop
      if (loop_.contains(value)) {
        if (!follows_from_staying(predicate, *value, *bound) && !is_same_at_both_ends(predicate, *value, *bound))
          return false;
      } else if (auto* phi = dyn_cast<PHINode>(value)) {
        values.insert(phi->value_op_begin(), phi->value_op_end());
      }
    }
    return true;
  }

  // `for (i = 0; i < n && …; ++i)`, and then i == n or i < n.
  bool follows_from_staying(CmpInst::Predicate predicate, const Value& value, const Value& bound) const {
    return any_of(tests_, [&](const BranchInst* test) {
      const auto* compare = dyn_cast<ICmpInst>(test->getCondition());
      if (!compare) return false;
      CmpInst::Predicate stay = compare->getPredicate();
      if (compare->getOperand(0) == &bound && compare->getOperand(1) == &value)
        stay = CmpInst::getSwappedPredicate(stay);
      else if (compare->getOperand(0) != &value || compare->getOperand(1) != &bound)
        return false;
      if (!loop_.contains(test->getSuccessor(0))) stay = CmpInst::getInversePredicate(stay);
      return CmpInst::isImpliedTrueByMatchingCmp(stay, predicate) ||
             CmpInst::isImpliedFalseByMatchingCmp(stay, predicate);
    });
  }

  // All is known: whether the value lies on the same side of the bound in round 0 and in the last but one.
  bool is_same_at_both_ends(CmpInst::Predicate predicate, Value& value, const Value& bound) {
    const SCEVAddRecExpr* course = counts(&value);
    const auto* start = course ? dyn_cast<SCEVConstant>(course->getStart()) : nullptr;
    const auto* step = course ? cast<SCEVConstant>(course->getStepRecurrence(evolution_)) : nullptr;
    const auto* rounds = dyn_cast<SCEVConstant>(rounds_);
    const auto* other = dyn_cast<ConstantInt>(&bound);
    if (!start || !rounds || !other || rounds->getAPInt().isZero()) return false;
    // Wide enough for any product; a course that leaves the type's range would turn over there.
    constexpr unsigned kWide = 256;
    const unsigned width = start->getAPInt().getBitWidth();
    if (width > 64 || rounds->getAPInt().getActiveBits() > 64) return false;
    const bool is_signed = !CmpInst::isUnsigned(predicate);
    const auto wide = [&](const APInt& x) { return is_signed ? x.sext(kWide) : x.zext(kWide); };
    const APInt first = wide(start->getAPInt());
    const APInt way = step->getAPInt().sext(kWide) * (rounds->getAPInt().zext(kWide) - 1);
    const APInt final = first + way;
    const bool fits = is_signed ? final.isSignedIntN(width) : !final.isNegative() && final.isIntN(width);
    if (!fits) return false;
    const APInt b = wide(other->getValue());
    if (CmpInst::isEquality(predicate)) return (first.slt(b) && final.slt(b)) || (first.sgt(b) && final.sgt(b));
    const CmpInst::Predicate compare =
        CmpInst::isUnsigned(predicate) ? ICmpInst::getSignedPredicate(predicate) : predicate;
    return ICmpInst::compare(first, b, compare) == ICmpInst::compare(final, b, compare);
  }

  // Computed before the loop.
  std::optional<Spin> last_values() {
    BasicBlock* before = loop_.getLoopPreheader();
    SCEVExpander expander(evolution_, loop_.getHeader()->getDataLayout(), "spin");
    SmallVector<const SCEV*, 2> values;
    for (PHINode* counter : counters_) {
      const SCEVAddRecExpr* course = counts(counter);
      HEDDLE_ASSERT(course && rounds_);
      const SCEV* round = evolution_.getTruncateOrZeroExtend(rounds_, course->getType());
      const SCEV* last = course->evaluateAtIteration(round, evolution_);
      if (!isa<SCEVConstant>(last) && (!before || !expander.isSafeToExpandAt(last, before->getTerminator())))
        return std::nullopt;
      values.push_back(last);
    }
    Spin spin;
    for (const auto& [counter, value] : zip_equal(counters_, values)) {
      const auto* known = dyn_cast<SCEVConstant>(value);
      spin.last.emplace_back(
          counter, known ? known->getValue()
                         : expander.expandCodeFor(value, counter->getType(), before->getTerminator()->getIterator()));
    }
    return spin;
  }

  Loop& loop_;
  Influence& influence_;
  ScalarEvolution& evolution_;
  BasicBlock* latch_;
  const SCEV* rounds_ = nullptr;
  SmallVector<const BranchInst*, 2> tests_;
  SmallVector<PHINode*, 2> counters_;
  std::string name_;  // of the first counter
};

}  // namespace

std::optional<Spin> Spins::find(BasicBlock& head, std::string& why_not) {
  if (!influence_) influence_ = std::make_unique<Influence>(f_, only_pauses_);
  Loop* loop = influence_->loops().getLoopFor(&head);
  if (!loop || loop->getHeader() != &head) return std::nullopt;
  return Look(*loop, *influence_).run(why_not);
}

}  // namespace heddle::frontend
