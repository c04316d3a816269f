// Clocks that are read only to say how long to wait.
//
//   while (!ready) { clock_gettime(CLOCK_REALTIME, &t); t.tv_sec += 1; pthread_cond_timedwait(&c, &m, &t); }
//   while (!m.try_lock_for(1ms)) {}
//
// A wait may reach its time limit at any moment, whatever the limit is. So if all that becomes of the time is a limit,
// a round of such a loop does the same at any time of day, and that it was later in each round is no change: the call
// gets another name, of a function that counts as one without effect.
//
// What is computed from the time may be an argument of a function that takes time limits, and nothing else. It must not
// decide what is done, reach the next round, or memory. That a limit is one at all (from 0 to 999,999,999 nanoseconds)
// must be plain. If one clock of the program is read for more, all of them may be: a thread might notice how long
// another one has waited.
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LazyValueInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include <cerrno>
#include <memory>

#include "frontend/checks/checks.hpp"
#include "frontend/loops/effects.hpp"
#include "frontend/loops/loops.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kEndOfTime = ~uint64_t{0} >> 1;  // no clock shows it

const Function* library_function(const Instruction& i) {
  const auto* call = dyn_cast<CallBase>(&i);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() ? callee : nullptr;
}

// Whether what it returns depends on whether a limit is one.
bool tells_of_limit(const Instruction& i) {
  const Function* callee = library_function(i);
  return callee && (callee->getName() == "__heddle_is_limit" || callee->getName() == "__heddle_reach_limit");
}

class TimeLimits {
 public:
  TimeLimits(Function& f, const CompileRequest& request) : f_(f), request_(request) {}

  // False if the time may be used for something else.
  bool find() {
    for (Instruction& i : instructions(f_)) {
      const Function* callee = library_function(i);
      if (!callee || request_.pausing(callee->getName()) != Pausing::tells_time) continue;
      auto* clock = dyn_cast<CallInst>(&i);
      if (!clock || !clock->getType()->isIntegerTy(64) || any_of(clock->args(), is_place)) return false;
      clocks_.push_back(clock);
    }
    if (clocks_.empty()) return true;
    DominatorTree dominators(f_);
    loops_.analyze(dominators);
    settle_limits();
    for (const CallInst* clock : clocks_) add(*clock);
    while (!open_.empty()) {
      const Instruction* time = open_.pop_back_val();
      if (!all_of(time->users(), [&](const User* user) { return follow(*cast<Instruction>(user)); })) return false;
    }
    return true;
  }

  void rename() {
    MDNode* const mark = MDNode::get(f_.getContext(), {});
    for (const Instruction* time : times_) const_cast<Instruction*>(time)->setMetadata(kTime, mark);
    for (CallInst* clock : clocks_) {
      const Function& f = *clock->getCalledFunction();
      clock->setCalledFunction(f_.getParent()->getOrInsertFunction(("__heddle_for_limit_" + f.getName()).str(),
                                                                   f.getFunctionType(), f.getAttributes()));
    }
  }

 private:
  // Where the time is written to as well.
  static bool is_place(const Value* argument) {
    return argument->getType()->isPointerTy() && !isa<ConstantPointerNull>(argument);
  }

  // What functions say of a limit, where it is plain that it is one. That is right whatever else becomes of the time.
  void settle_limits() {
    MDBuilder metadata(f_.getContext());
    for (CallInst* clock : clocks_)
      clock->setMetadata(LLVMContext::MD_range, metadata.createRange(APInt(64, 0), APInt(64, kEndOfTime)));
    write_remainders();
    AssumptionCache assumptions(f_);
    LazyValueInfo values(&assumptions, &f_.getDataLayout());
    const ConstantRange valid(APInt(64, 0), APInt(64, kSecond));
    for (Instruction& i : make_early_inc_range(instructions(f_))) {
      if (!tells_of_limit(i)) continue;
      const bool asks = i.getType()->isIntegerTy(1);
      Value* nanoseconds = i.getOperand(asks ? 0 : 2);
      if (!valid.contains(values.getConstantRange(nanoseconds, &i, /*UndefAllowed=*/false))) continue;
      i.replaceAllUsesWith(ConstantInt::get(i.getType(), asks ? 1 : ETIMEDOUT));
      if (asks) i.eraseFromParent();
    }
  }

  // x - x / n * n, as std::chrono has it.
  void write_remainders() {
    using namespace PatternMatch;
    for (Instruction& i : instructions(f_)) {
      Value *x = nullptr, *n = nullptr;
      if (!match(&i, m_Sub(m_Value(x), m_c_Mul(m_SDiv(m_Deferred(x), m_Value(n)), m_Deferred(n))))) continue;
      if (!isa<ConstantInt>(n)) continue;
      IRBuilder<> b(&i);
      i.replaceAllUsesWith(b.CreateSRem(x, n));
    }
  }

  // What becomes of a time. False if that may be more than a limit.
  bool follow(const Instruction& user) {
    if (const auto* branch = dyn_cast<BranchInst>(&user)) return only_chooses(*branch);
    if (isa<PHINode>(user)) return !loops_.isLoopHeader(user.getParent()) && add(user);
    if (user.isIntDivRem() && !isa<ConstantInt>(user.getOperand(1))) return false;  // it may fail
    if (isa<BinaryOperator, CastInst, ICmpInst, SelectInst, FreezeInst, InsertValueInst, ExtractValueInst>(user) ||
        isa<MinMaxIntrinsic>(user))
      return add(user);
    if (tells_of_limit(user)) return add(user);  // if it is settled, this is not asked
    const Function* callee = library_function(user);
    return callee && (callee->getName() == kKeep || request_.takes_limit(callee->getName()));
  }

  // Whether both ways come together without having done anything: then the branch only chooses values.
  //
  //   if (t.tv_nsec >= 1000000000) { t.tv_sec++; t.tv_nsec -= 1000000000; }
  bool only_chooses(const BranchInst& branch) {
    const auto first = way_from(*branch.getSuccessor(0)), second = way_from(*branch.getSuccessor(1));
    const auto meets = find_if(first, [&](const BasicBlock* block) { return is_contained(second, block); });
    if (meets == first.end() || loops_.isLoopHeader(*meets)) return false;
    for (const auto& way : {first, second}) {
      for (const BasicBlock* block : way) {
        const auto may_be = [&](const PHINode& phi) { return is_initialised(phi) || add(phi); };
        if (!all_of(block->phis(), may_be)) return false;
        if (block == *meets) break;
      }
    }
    return true;
  }

  // Whether it says that a variable has a value, on both ways.
  static bool is_initialised(const PHINode& phi) {
    const auto is_none = [](const Value* v) {
      const auto* constant = dyn_cast<Constant>(v);
      return constant && constant->isNullValue();
    };
    return phi.getName().starts_with(kBook) && none_of(phi.incoming_values(), is_none);
  }

  // The blocks that are passed from this one on, as long as nothing is done and there is no choice.
  static SmallVector<const BasicBlock*> way_from(const BasicBlock& start) {
    SmallVector<const BasicBlock*> way;
    for (const BasicBlock* block = &start; block && !is_contained(way, block);) {
      way.push_back(block);
      const auto does_nothing = [](const Instruction& i) { return effect_of(i) <= Effect::traps; };
      block = all_of(*block, does_nothing) ? block->getSingleSuccessor() : nullptr;
    }
    return way;
  }

  bool add(const Instruction& time) {
    if (time.getType()->isPointerTy()) return false;
    if (times_.insert(&time).second) open_.push_back(&time);
    return true;
  }

  Function& f_;
  const CompileRequest& request_;
  LoopInfo loops_;
  SmallVector<CallInst*> clocks_;
  SmallPtrSet<const Instruction*, 16> times_;
  SmallVector<const Instruction*> open_;
};

}  // namespace

void find_time_limits(Module& module, const CompileRequest& request) {
  std::vector<std::unique_ptr<TimeLimits>> all;
  for (Function& f : module) {
    if (f.isDeclaration()) continue;
    all.push_back(std::make_unique<TimeLimits>(f, request));
    if (!all.back()->find()) return;
  }
  for (const auto& limits : all) limits->rename();
}

}  // namespace heddle::frontend
