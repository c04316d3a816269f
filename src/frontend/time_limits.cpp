// Clocks that are read only to say how long to wait.
//
//   while (!ready) { clock_gettime(CLOCK_REALTIME, &t); t.tv_sec += 1; pthread_cond_timedwait(&c, &m, &t); }
//   while (!m.try_lock_for(1ms)) {}
//
// A wait may reach its time limit at any moment, whatever the limit is. So if all that becomes of the time is a limit,
// a round of such a loop does the same at any time of day, and that it was later in each round is no change: the call
// gets another name, of a function that counts as one without effect.
//
// What is computed from the time may be an argument of a function that takes time limits, and may be compared with what
// is computed from a time of the same round: how the two compare is the same whenever the round begins. It must not
// decide anything else, reach the next round, or memory. If one clock of a function is read for more, all of them may
// be.
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/check.hpp"
#include "frontend/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

class TimeLimits {
 public:
  TimeLimits(Function& f, const CompileRequest& request) : f_(f), request_(request) {}

  void run() {
    SmallVector<CallInst*> clocks;
    for (Instruction& i : instructions(f_)) {
      auto* call = dyn_cast<CallInst>(&i);
      if (call && tells_time(*call)) clocks.push_back(call);
    }
    if (clocks.empty()) return;
    const DominatorTree dominators(f_);
    loops_.analyze(dominators);
    for (CallInst* clock : clocks) {
      if (!clock->getType()->isIntegerTy()) return;
      times_[clock] = loops_.getLoopFor(clock->getParent());
      open_.push_back(clock);
    }
    if (!follow_all()) return;
    MDNode* const mark = MDNode::get(f_.getContext(), {});
    for (const auto& [time, loop] : times_) cast<Instruction>(const_cast<Value*>(time))->setMetadata(kTime, mark);
    for (CallInst* clock : clocks) {
      const Function& f = *clock->getCalledFunction();
      clock->setCalledFunction(f_.getParent()->getOrInsertFunction(("__heddle_for_limit_" + f.getName()).str(),
                                                                   f.getFunctionType(), f.getAttributes()));
    }
  }

 private:
  bool tells_time(const CallInst& call) const {
    const Function* callee = call.getCalledFunction();
    return callee && callee->isDeclaration() && request_.pausing(callee->getName()) == Pausing::tells_time;
  }

  bool follow_all() {
    for (;;) {
      while (!open_.empty()) {
        const Instruction* time = open_.pop_back_val();
        if (!all_of(time->users(), [&](const User* user) { return follow(*time, *cast<Instruction>(user)); }))
          return false;
      }
      // What is now compared with something else than a time.
      for (const ICmpInst* comparison : comparisons_) {
        const auto first = times_.find(comparison->getOperand(0)), second = times_.find(comparison->getOperand(1));
        if (first == times_.end() || second == times_.end())
          add(*comparison, kMixed);
        else if (first->second == kMixed || first->second != second->second)
          return false;
      }
      if (open_.empty()) return true;
    }
  }

  // What becomes of a time. False if that may be more than a limit.
  bool follow(const Instruction& time, const Instruction& user) {
    const Loop* const loop = times_.lookup(&time);
    if (const auto* comparison = dyn_cast<ICmpInst>(&user)) {
      comparisons_.insert(comparison);
      return true;
    }
    if (const auto* branch = dyn_cast<BranchInst>(&user)) return only_chooses(*branch);
    if (isa<PHINode>(user)) return !loops_.isLoopHeader(user.getParent()) && add(user, loop);
    if (isa<BinaryOperator, CastInst, SelectInst, FreezeInst, InsertValueInst, ExtractValueInst>(user) ||
        isa<MinMaxIntrinsic>(user))
      return add(user, loop);
    const auto* call = dyn_cast<CallBase>(&user);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->isDeclaration() && (callee->getName() == kKeep || request_.takes_limit(callee->getName()));
  }

  // Whether both ways come together without having done anything: then the branch only chooses values.
  //
  //   if (t.tv_nsec >= 1000000000) { t.tv_sec++; t.tv_nsec -= 1000000000; }
  bool only_chooses(const BranchInst& branch) {
    const auto first = way_from(*branch.getSuccessor(0)), second = way_from(*branch.getSuccessor(1));
    const auto meets = find_if(first, [&](const BasicBlock* block) { return is_contained(second, block); });
    if (meets == first.end()) return false;
    for (const auto& way : {first, second}) {
      for (const BasicBlock* block : way) {
        // Which bytes of a variable have a value does not depend on the time.
        const auto may_be = [&](const PHINode& phi) { return phi.getName().starts_with(kBook) || add(phi, kMixed); };
        if (!all_of(block->phis(), may_be)) return false;
        if (block == *meets) break;
      }
    }
    return !loops_.isLoopHeader(*meets);
  }

  // The blocks that are passed from this one on, as long as nothing is done and there is no choice but to fail.
  static SmallVector<const BasicBlock*> way_from(const BasicBlock& start) {
    constexpr std::size_t kMost = 12;
    SmallVector<const BasicBlock*> way;
    const auto fails = [](const BasicBlock* block) { return isa<UnreachableInst>(block->getTerminator()); };
    for (const BasicBlock* block = &start; block && way.size() < kMost;) {
      way.push_back(block);
      const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      if (!branch || !all_of(*block, does_nothing)) break;
      const BasicBlock* next = branch->getSuccessor(0);
      if (branch->isConditional()) {
        const BasicBlock* other = branch->getSuccessor(1);
        next = fails(next) ? other : fails(other) ? next : nullptr;
      }
      block = next;
    }
    return way;
  }
  static bool does_nothing(const Instruction& i) {
    const auto* intrinsic = dyn_cast<IntrinsicInst>(&i);
    return is_keep(i) || (intrinsic && intrinsic->isAssumeLikeIntrinsic()) || i.isTerminator() ||
           !(i.mayHaveSideEffects() || i.mayReadFromMemory());
  }

  bool add(const Instruction& time, const Loop* loop) {
    if (time.getType()->isPointerTy()) return false;
    const auto [it, is_new] = times_.try_emplace(&time, loop);
    const bool changes = !is_new && it->second != loop && it->second != kMixed;
    if (changes) it->second = kMixed;
    if (is_new || changes) open_.push_back(&time);
    return true;
  }

  // Times of several loops, or of before and in one; and what depends on how a time compares with something else.
  inline static const Loop* const kMixed = reinterpret_cast<const Loop*>(~uintptr_t{0});

  Function& f_;
  const CompileRequest& request_;
  LoopInfo loops_;
  DenseMap<const Value*, const Loop*> times_;  // with the loop in whose round the clock was read
  SmallVector<const Instruction*> open_;
  SmallSetVector<const ICmpInst*, 4> comparisons_;
};

}  // namespace

void find_time_limits(Function& f, const CompileRequest& request) { TimeLimits(f, request).run(); }

}  // namespace heddle::frontend
