#include "frontend/loops/cuts.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "core/assert.hpp"
#include "frontend/checks/checks.hpp"
#include "frontend/ir/runtime.hpp"
#include "frontend/loops/effects.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

constexpr uint64_t kMaxVariable = 4096;  // bytes; larger ones are taken to be read
constexpr uint64_t kMostCompared = 64;   // bytes
constexpr int kMostSteps = 8;            // of the computation of an address

// The block at whose end, or in which, the use needs its value.
const BasicBlock& block_of(const Use& use) {
  const auto* user = cast<Instruction>(use.getUser());
  const auto* phi = dyn_cast<PHINode>(user);
  return phi ? *phi->getIncomingBlock(use) : *user->getParent();
}

// What only tells, or becomes a time limit (time_limits.cpp), needs no value.
bool needs(const Use& use) {
  const auto* user = cast<Instruction>(use.getUser());
  return !is_keep(*user) && !is_first_round(*user);
}

// All blocks that can be reached from the start of this one without passing `without`.
SmallPtrSet<const BasicBlock*, 16> blocks_from(const BasicBlock& start, const BasicBlock& without) {
  SmallPtrSet<const BasicBlock*, 16> reached{&start};
  SmallVector<const BasicBlock*, 16> open{&start};
  while (!open.empty()) {
    for (const BasicBlock* next : successors(open.pop_back_val())) {
      if (next != &without && reached.insert(next).second) open.push_back(next);
    }
  }
  return reached;
}

bool is_needed(const Instruction& value, const BasicBlock& cut) {
  if (value.hasMetadata(kTime) || all_of(value.uses(), [](const Use& use) { return !needs(use); })) return false;
  const auto after = blocks_from(cut, *value.getParent());  // where it has not been computed again
  return any_of(value.uses(), [&](const Use& use) { return needs(use) && after.contains(&block_of(use)); });
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

// The phi node of the head that the value is, or is at a constant distance from.
const PHINode* counter_of(const Loop& loop, const Value* v) {
  using namespace PatternMatch;
  Value* from = nullptr;
  while (match(v, m_Add(m_Value(from), m_ConstantInt())) || match(v, m_Sub(m_Value(from), m_ConstantInt()))) v = from;
  const auto* phi = dyn_cast<PHINode>(v);
  return phi && phi->getParent() == loop.getHeader() ? phi : nullptr;
}

bool copies(const Instruction& i) {
  const auto* call = dyn_cast<CallInst>(&i);
  return call && is_runtime(call->getCalledFunction()) && is(*call->getCalledFunction(), Entry::copy);
}

// What an instruction does to the bytes of a variable. Of the life of a variable: its bytes have no value any more.
struct PartAccess {
  bool reads = false;
  bool writes = false;
  bool is_life = false;
  uint64_t start = 0, end = 0;
};
using Accesses = DenseMap<const Instruction*, SmallVector<PartAccess, 1>>;

// All accesses of a variable. Where its address goes elsewhere, `escapes` is true: then whatever reads memory may read
// it.
Accesses accesses_of(const AllocaInst& local, uint64_t size, bool& escapes) {
  const DataLayout& layout = local.getDataLayout();
  Accesses all;
  struct Place {
    const Value* address;
    uint64_t start;
    bool is_exact = true;  // else it may be anywhere in the variable
  };
  SmallVector<Place> places = {{&local, 0}};
  while (!places.empty()) {
    const auto [place, start, is_exact] = places.pop_back_val();
    for (const Use& use : place->uses()) {
      const auto* i = cast<Instruction>(use.getUser());
      const unsigned operand = use.getOperandNo();
      const auto bytes = [&, start = start, is_exact = is_exact](Type* type) {
        return is_exact ? std::min(size, start + layout.getTypeStoreSize(type)) : size;
      };
      if (const auto* part = dyn_cast<GetElementPtrInst>(i)) {
        APInt offset(64, start);
        const bool is_known = is_exact && part->accumulateConstantOffset(layout, offset) && offset.ule(size);
        places.push_back({part, is_known ? offset.getZExtValue() : 0, is_known});
      } else if (isa<LoadInst>(i)) {
        all[i].push_back({.reads = true, .start = start, .end = bytes(i->getType())});
      } else if (const auto* store = dyn_cast<StoreInst>(i); store && operand == 1) {
        all[i].push_back({.writes = is_exact, .start = start, .end = bytes(store->getValueOperand()->getType())});
      } else if (isa<MemIntrinsic>(i) || (copies(*i) && (operand == 0 || operand == 2))) {
        const auto* n = dyn_cast<ConstantInt>(cast<CallInst>(i)->getArgOperand(copies(*i) ? 4 : 2));
        const uint64_t end = n && is_exact ? std::min(size, start + n->getZExtValue()) : size;
        if (operand != 0) all[i].push_back({.reads = true, .start = start, .end = end});
        if (operand == 0 && n && is_exact) all[i].push_back({.writes = true, .start = start, .end = end});
      } else if (const auto* marker = dyn_cast<IntrinsicInst>(i); marker && marker->isLifetimeStartOrEnd()) {
        all[i].push_back({.writes = true, .is_life = true, .start = 0, .end = size});
      } else if (const auto* call = dyn_cast<CallBase>(i); call && is_runtime(call->getCalledFunction())) {
        all[i].push_back({.reads = true, .start = 0, .end = size});
      } else if (!is_keep(*i)) {
        escapes = true;
      }
    }
  }
  return all;
}

}  // namespace

Cut cut_at(const Loop& loop, BasicBlock& block) {
  Cut cut{&block, {}};
  for (PHINode& phi : block.phis()) {
    if (!is_first_round(phi) && !phi.hasMetadata(kTime)) cut.state.push_back(&phi);
  }
  if (&block == loop.getHeader()) return cut;
  for (BasicBlock* other : loop.blocks()) {
    for (Instruction& i : *other) {
      if (other == &block || i.getType()->isVoidTy() || is_first_round(i)) continue;
      if (is_needed(i, block)) cut.state.push_back(&i);
    }
  }
  return cut;
}

namespace {

// How much of a round outlives it: values, variables and other memory.
std::size_t cost(const Loop& loop, const Cut& cut) {
  constexpr std::size_t kMoves = 1000;
  std::size_t all = cut.state.size() + (always_moves(loop, cut) ? kMoves : 0);
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& i : *block) {
      const auto* store = dyn_cast<StoreInst>(&i);
      const AllocaInst* local = stored_variable(i);
      SmallVector<LoadInst*> before;
      all += local ? !is_dead(*local, cut) : store && !is_done_anew(loop, cut, *store, before);
    }
  }
  return all;
}

}  // namespace

Cut best_cut(const Loop& loop, const LoopInfo& loops, const DominatorTree& dominators) {
  SmallVector<BasicBlock*, 2> latches;
  loop.getLoopLatches(latches);
  Cut best = cut_at(loop, *loop.getHeader());
  std::size_t least = cost(loop, best);
  // From the head down: what dominates a latch is on one way.
  SmallVector<BasicBlock*, 8> way;
  for (auto* node = dominators.getNode(latches.front()); node && node->getBlock() != loop.getHeader();
       node = node->getIDom())
    way.push_back(node->getBlock());
  for (BasicBlock* block : reverse(way)) {
    const bool is_passed = all_of(latches, [&](const BasicBlock* latch) { return dominators.dominates(block, latch); });
    if (!is_passed || loops.getLoopFor(block) != &loop) continue;
    if (least == 0) break;
    Cut cut = cut_at(loop, *block);
    const std::size_t here = cost(loop, cut);
    if (here >= least) continue;
    best = std::move(cut);
    least = here;
  }
  return best;
}

const Instruction* always_moves(const Loop& loop, const Cut& cut) {
  const auto can_compare = [](const Type* type) {
    return type->isIntegerTy() || type->isPointerTy() || type->isFloatTy() || type->isDoubleTy();
  };
  const auto moves = [&](const Instruction* i) {
    if (!can_compare(i->getType())) return true;
    const PHINode* phi = counter_of(loop, i);
    return phi && all_of(phi->blocks(), [&](const BasicBlock* from) {
             return !loop.contains(from) || always_differs(*phi, phi->getIncomingValueForBlock(from));
           });
  };
  const auto at = find_if(cut.state, moves);
  return at == cut.state.end() ? nullptr : *at;
}

bool is_dead(const AllocaInst& local, const Cut& cut) {
  const auto size = local.getAllocationSize(local.getDataLayout());
  if (!local.isStaticAlloca() || !size || size->getFixedValue() > kMaxVariable) return false;
  const auto n = static_cast<unsigned>(size->getFixedValue());
  bool escapes = false;
  const Accesses accesses = accesses_of(local, n, escapes);
  // Forward from the cut: the bytes that have been written on all ways to the start of a block.
  DenseMap<const BasicBlock*, BitVector> written;
  SmallVector<const BasicBlock*, 16> open{cut.block};
  written[cut.block] = BitVector(n);
  while (!open.empty()) {
    const BasicBlock* block = open.pop_back_val();
    BitVector here = written[block];
    for (const Instruction& i : *block) {
      const auto known = accesses.find(&i);
      if (known == accesses.end()) {
        if (escapes && effect_of(i) >= Effect::reads && !here.all() && !isa<StoreInst>(i)) return false;
        continue;
      }
      for (const PartAccess& a : known->second) {
        if (!a.reads) continue;
        for (auto byte = static_cast<unsigned>(a.start); byte < a.end; ++byte) {
          if (!here.test(byte)) return false;
        }
      }
      for (const PartAccess& a : known->second) {
        if (!a.writes || (escapes && !a.is_life) || a.start >= a.end) continue;  // others may read what has escaped
        here.set(static_cast<unsigned>(a.start), static_cast<unsigned>(a.end));
      }
    }
    for (const BasicBlock* next : successors(block)) {
      const auto [at, is_new] = written.try_emplace(next, here);
      if (!is_new) {
        BitVector both = at->second;
        both &= here;
        if (both == at->second) continue;
        at->second = both;
      }
      open.push_back(next);
    }
  }
  return true;
}

bool can_be_compared(const AllocaInst& local) {
  const auto size = local.getAllocationSize(local.getDataLayout());
  return local.isStaticAlloca() && size && size->getFixedValue() <= kMostCompared;
}

bool stays(const Loop& loop, const Value* v) {
  const auto stays_within = [&](const auto& self, const Value* x, int steps) -> bool {
    const auto* i = dyn_cast<Instruction>(x);
    if (!i || !loop.contains(i)) return true;
    if (isa<PHINode>(i) || effect_of(*i) > Effect::traps || steps == 0) return false;
    return all_of(i->operands(), [&](const Use& u) { return self(self, u.get(), steps - 1); });
  };
  return stays_within(stays_within, v, kMostSteps);
}

bool is_done_anew(const Loop& loop, const Cut& cut, const StoreInst& store, SmallVectorImpl<LoadInst*>& before) {
  if (store.isVolatile() || !stays(loop, store.getPointerOperand())) return false;
  SmallPtrSet<const BasicBlock*, 4> seen;
  for (BasicBlock* block = cut.block; block && seen.insert(block).second; block = block->getSingleSuccessor()) {
    for (Instruction& i : *block) {
      if (&i == &store) return true;
      const Effect effect = effect_of(i);
      if (effect <= Effect::traps) continue;
      auto* load = dyn_cast<LoadInst>(&i);
      if (load && is_same_place(*load, store)) return false;
      if (load && stays(loop, load->getPointerOperand())) {
        before.push_back(load);
        continue;
      }
      const auto* other = dyn_cast<StoreInst>(&i);  // it is looked at by itself
      if (!other || other->isVolatile()) return false;
    }
  }
  return false;
}

bool counts_as_plain(const StoreInst& store) {
  if (!store.isAtomic()) return store.isSimple();
  const auto size = store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  return !store.isVolatile() && !isStrongerThan(store.getOrdering(), AtomicOrdering::Release) && size <= 8;
}

void mark_own(StoreInst& store) {
  HEDDLE_ASSERT(counts_as_plain(store));
  if (store.isAtomic()) store.setMetadata(kStoresOwn, MDNode::get(store.getContext(), {}));
}

const AllocaInst* stored_variable(const Instruction& i) {
  const auto* store = dyn_cast<StoreInst>(&i);
  const auto* memory = dyn_cast<MemIntrinsic>(&i);
  if (!store && !memory && !copies(i)) return nullptr;
  const Value* to = store    ? store->getPointerOperand()
                    : memory ? memory->getRawDest()
                             : cast<CallInst>(i).getArgOperand(0);
  return dyn_cast<AllocaInst>(getUnderlyingObject(to, /*MaxLookup=*/0));
}

}  // namespace heddle::frontend
