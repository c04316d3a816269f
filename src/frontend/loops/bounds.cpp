// How often a loop may go round.
//
// Each head of a cycle burns fuel, so that an endless loop without visible actions is noticed. Beyond that a loop is
// bounded by --unroll; or by its own count, which LLVM knows; or it asks the machine in each round (__heddle_again).
// There it may go round as often as the exploration has set for its place, which begins with little and asks for more
// where something was cut (explore/restarts.hpp).
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "core/assert.hpp"
#include "frontend/loops/loops.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

// A loop without calls looks at nothing that others may change.
bool has_call(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& i) { return isa<CallBase>(i) && !isa<IntrinsicInst>(i); });
  });
}

namespace {

// Where cycles are entered: the targets of back edges, with where these come from.
using Heads = MapVector<BasicBlock*, SmallVector<BasicBlock*, 2>>;

Heads find_heads(Function& f) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> edges;
  FindFunctionBackedges(f, edges);
  Heads heads;
  for (const auto& [from, to] : edges) {
    SmallVector<BasicBlock*, 2>& latches = heads[const_cast<BasicBlock*>(to)];
    if (!is_contained(latches, from)) latches.push_back(const_cast<BasicBlock*>(from));
  }
  return heads;
}

class Loops {
 public:
  Loops(Function& f, Runtime& runtime, Sites& sites, const LoopFacts& facts, MutableArrayRef<Unroll> unroll,
        std::vector<LoopNote>& notes)
      : f_(f),
        runtime_(runtime),
        sites_(sites),
        facts_(facts),
        unroll_(unroll),
        notes_(notes),
        library_info_(Triple(f.getParent()->getTargetTriple())),
        library_(library_info_, &f),
        assumptions_(f),
        dominators_(f),
        loops_(dominators_),
        evolution_(f, library_, assumptions_, dominators_, loops_) {}

  void rewrite() {
    SmallVector<Head> heads;
    for (const auto& [block, latches] : find_heads(f_)) heads.push_back(decide(*block, latches));
    // What is known of a loop is known by its head.
    HEDDLE_ASSERT(all_of(facts_, [&](const auto& known) {
      const LoopFact& fact = known.second;
      return (!fact.waits && !fact.pure && !fact.spin) ||
             any_of(heads, [&](const Head& head) { return head.block == known.first; });
    }));
    for (const Head& head : heads) {
      if (head.rule == Rule::unroll) cut(head);
      if (head.rule == Rule::ask) ask(head);
      burn_fuel(head);
    }
    SmallVector<AllocaInst*> slots;
    for (const Head& head : heads) {
      if (head.slot) slots.push_back(head.slot);
    }
    HEDDLE_ASSERT(all_of(slots, [](const AllocaInst* slot) { return isAllocaPromotable(slot); }));
    DominatorTree dominators(f_);
    PromoteMemToReg(slots, dominators);
  }

 private:
  enum class Rule : uint8_t { none, unroll, ask };

  struct Head {
    BasicBlock* block;
    SmallVector<BasicBlock*, 2> latches;
    SiteId site;
    Rule rule = Rule::none;
    unsigned limit = 0;          // of unroll
    AllocaInst* slot = nullptr;  // the number of rounds, or what __heddle_again remembers
  };

  Head decide(BasicBlock& block, const SmallVector<BasicBlock*, 2>& latches) {
    HEDDLE_ASSERT(!latches.empty());
    const Instruction& branch = *latches.front()->getTerminator();
    const Instruction& at = branch.getDebugLoc() ? branch : *block.getTerminator();
    Head head{.block = &block, .latches = latches, .site = sites_.of(at)};
    const Loop* loop = loops_.getLoopFor(&block);
    if (loop && loop->getHeader() != &block) loop = nullptr;
    const bool calls = !loop || has_call(*loop);
    if (const std::optional<unsigned> limit = bound(at, loop)) {
      head.rule = Rule::unroll;
      head.limit = *limit;
    } else if (calls && !facts_.lookup(&block).spin && !(loop && is_counted(*loop))) {
      head.rule = Rule::ask;
    }
    if (head.rule != Rule::none) head.slot = new_slot(block, loop);
    if (calls) notes_.push_back({head.site, describe(head)});
    return head;
  }

  std::string describe(const Head& head) const {
    const LoopFact fact = facts_.lookup(head.block);
    std::vector<std::string> words;
    if (fact.waits) words.push_back("waits for the value that it reads");
    if (fact.spin) words.push_back("counted spin: rounds are alike; leaves by the condition or after the last one");
    if (fact.pure && !fact.waits) words.push_back("a round that changes nothing waits");
    for (const std::string& variable : fact.moves)
      words.push_back((fact.pure || fact.waits ? "some rounds always change " : "each round changes ") + variable);
    if (!fact.no_spin.empty()) words.push_back("no counted spin: " + fact.no_spin);
    if (!fact.idle.empty()) words.push_back("left out, since it decides no more than pauses: " + join(fact.idle, ", "));
    switch (head.rule) {
      case Rule::none: words.push_back("its count is known"); break;
      case Rule::unroll:
        words.push_back("goes back " + std::to_string(head.limit) + " times at most (--unroll)");
        break;
      case Rule::ask:
        words.push_back(words.empty() ? "goes round: followed more and more often"
                                      : "rounds that change something are followed");
        break;
    }
    return join(words, "; ");
  }

  bool is_counted(const Loop& loop) {
    return !isa<SCEVCouldNotCompute>(evolution_.getSymbolicMaxBackedgeTakenCount(&loop));
  }

  // What --unroll says of the loop.
  std::optional<unsigned> bound(const Instruction& at, const Loop* loop) {
    const SiteId end = sites_.of(at);
    const SiteId start = loop && loop->getStartLoc() ? sites_.of(loop->getStartLoc().get()) : end;
    const Unroll* best = nullptr;  // a place counts for more than a function, and that for more than all loops
    for (Unroll& u : unroll_) {
      if (!u.matches(sites_.table()[end]) && !u.matches(sites_.table()[start])) continue;
      u.used = true;
      if (!best || u.rank() >= best->rank()) best = &u;
    }
    return best ? std::optional(best->rounds) : std::nullopt;
  }

  // A variable that is 0 at each entry of the loop; in a cycle that is no proper loop, at each call of the function.
  AllocaInst* new_slot(BasicBlock& head, const Loop* loop) {
    IRBuilder<> entry(&*f_.getEntryBlock().getFirstInsertionPt());
    AllocaInst* slot = entry.CreateAlloca(runtime_.i64);
    entry.CreateStore(runtime_.size(0), slot);
    if (!loop) return slot;
    for (BasicBlock* from : predecessors(&head)) {
      if (!loop->contains(from)) IRBuilder<>(from->getTerminator()).CreateStore(runtime_.size(0), slot);
    }
    return slot;
  }

  // Cuts the loop when it goes back too often.
  void cut(const Head& head) {
    IRBuilder<> b(&*head.block->getFirstInsertionPt());
    Value* rounds = b.CreateAdd(b.CreateLoad(runtime_.i64, head.slot), runtime_.size(1));
    b.CreateStore(rounds, head.slot);
    Value* over = b.CreateICmpUGT(rounds, runtime_.size(uint64_t{head.limit} + 1));
    Instruction* then = SplitBlockAndInsertIfThen(over, b.GetInsertPoint(), /*Unreachable=*/true);
    IRBuilder<> cold(then);
    runtime_.call<Entry::cut>(cold, {runtime_.site(head.site)});
  }

  void ask(const Head& head) {
    for (BasicBlock* latch : head.latches) {
      BasicBlock* at = isa<IndirectBrInst>(latch->getTerminator()) ? latch : SplitEdge(latch, head.block);
      IRBuilder<> b(at->getTerminator());
      Value* before = b.CreateLoad(runtime_.i64, head.slot);
      b.CreateStore(runtime_.call<Entry::again>(b, {before, runtime_.site(head.site)}), head.slot);
    }
  }

  // if (--__heddle_fuel < 0) __heddle_spin(site);
  void burn_fuel(const Head& head) {
    IRBuilder<> b(&*head.block->getFirstInsertionPt());
    Value* left = b.CreateSub(b.CreateLoad(runtime_.i64, runtime_.fuel()), runtime_.size(1));
    b.CreateStore(left, runtime_.fuel());
    Value* empty = b.CreateICmpSLT(left, runtime_.size(0));
    MDNode* unlikely = MDBuilder(b.getContext()).createBranchWeights(1, 1 << 20);
    Instruction* then = SplitBlockAndInsertIfThen(empty, b.GetInsertPoint(), /*Unreachable=*/false, unlikely);
    IRBuilder<> cold(then);
    runtime_.call<Entry::spin>(cold, {runtime_.site(head.site)});
  }

  Function& f_;
  Runtime& runtime_;
  Sites& sites_;
  const LoopFacts& facts_;
  MutableArrayRef<Unroll> unroll_;
  std::vector<LoopNote>& notes_;
  TargetLibraryInfoImpl library_info_;
  TargetLibraryInfo library_;
  AssumptionCache assumptions_;
  DominatorTree dominators_;
  LoopInfo loops_;
  ScalarEvolution evolution_;
};

}  // namespace

void rewrite_loops(Function& f, Runtime& runtime, Sites& sites, const LoopFacts& facts, MutableArrayRef<Unroll> unroll,
                   std::vector<LoopNote>& notes) {
  if (!find_heads(f).empty()) Loops(f, runtime, sites, facts, unroll, notes).rewrite();
}

}  // namespace heddle::frontend
