// Local variables of which all uses are known: loads, stores, fills and copies through offsets from the variable
// itself. No other thread can use them, so that they stay native, and most become registers. Two things can still be
// wrong with an access, and a test goes before each of which they cannot be ruled out:
//
//   life             an i1 beside the variable is set where its life begins and cleared where it ends
//   initialisation   beside each byte of the variable stands a byte that is 0 until it is written. A copy carries these
//                    along; only a load of nothing but unwritten bytes is an error, as in shadow memory
//
// The optimiser makes registers of these too, and mostly constants of the registers.
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/StackLifetime.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "core/assert.hpp"
#include "frontend/checks/checks.hpp"
#include "frontend/ir/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// Larger ones belong where there is room.
constexpr uint64_t kMaxSize = 1 << 14;

bool is_copy_call(const Instruction& i) {
  const auto* call = dyn_cast<CallInst>(&i);
  return call && is_runtime(call->getCalledFunction()) && is(*call->getCalledFunction(), Entry::copy);
}
// A copy, as an instruction or as a call of the runtime.
struct Copy {
  Value* to;
  Value* from;
  Value* length;
  Value* to_init = nullptr;  // null: none, or in shadow memory
  Value* from_init = nullptr;
};
Copy copy_of(Instruction& i) {
  if (auto* copy = dyn_cast<MemTransferInst>(&i)) return {copy->getRawDest(), copy->getRawSource(), copy->getLength()};
  const auto& call = cast<CallInst>(i);
  const auto given = [&](unsigned a) {
    Value* v = call.getArgOperand(a);
    return isa<ConstantPointerNull>(v) ? nullptr : v;
  };
  return {call.getArgOperand(0), call.getArgOperand(2), call.getArgOperand(4), given(1), given(3)};
}

struct Access {
  enum Kind : uint8_t { load, store, fill, copy_to, copy_from } kind;
  Instruction* at;
  Value* pointer;

  bool reads() const { return kind == load || kind == copy_from; }
};

struct Range {
  uint64_t start, end;
  bool operator<=(const Range& o) const { return o.start <= start && end <= o.end; }
};

struct Local {
  AllocaInst* variable = nullptr;
  uint64_t size = 0;
  SmallVector<Access, 8> accesses;
  SmallVector<IntrinsicInst*, 2> starts, ends;
  SmallVector<Instruction*, 2> atomics;
  SmallVector<Instruction*, 2> keeps;
  SmallVector<ICmpInst*, 2> null_tests;
  // What is to be done:
  SmallVector<Access, 2> maybe_dead;
  SmallVector<Instruction*, 4> maybe_unset;  // loads
  bool wants_zero = false;                   // something may read it before it is written
  bool wants_init = false;
  AllocaInst* init = nullptr;
};

// Whether it is an atomic access that may be misaligned, which is an error of its own.
bool may_be_misaligned(Instruction& i, Value* address) {
  if (!i.isAtomic()) return false;
  const auto* cas = dyn_cast<AtomicCmpXchgInst>(&i);
  const auto* rmw = dyn_cast<AtomicRMWInst>(&i);
  Type* const type = cas ? cas->getCompareOperand()->getType() : rmw ? rmw->getType() : getLoadStoreType(&i);
  const DataLayout& layout = i.getDataLayout();
  return getKnownAlignment(address, layout).value() < layout.getTypeStoreSize(type);
}

// Whether the use is one of those that can be followed; notes it.
bool note(Use& use, Local& local, SmallVectorImpl<Value*>& more) {
  auto* i = cast<Instruction>(use.getUser());
  if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(i) && may_be_misaligned(*i, use.get())) return false;
  if (isa<GetElementPtrInst>(i)) {
    if (i->getType()->isVectorTy()) return false;
    more.push_back(i);
    return true;
  }
  if (isa<LoadInst>(i)) return local.accesses.push_back({Access::load, i, use.get()}), true;
  if (isa<StoreInst>(i)) {
    if (use.getOperandNo() != StoreInst::getPointerOperandIndex()) return false;
    return local.accesses.push_back({Access::store, i, use.get()}), true;
  }
  if (isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i)) {
    if (use.getOperandNo() != 0) return false;
    return local.atomics.push_back(i), true;
  }
  if (auto* test = dyn_cast<ICmpInst>(i)) {
    const bool known = test->isEquality() && isa<ConstantPointerNull>(test->getOperand(1 - use.getOperandNo()));
    if (known) local.null_tests.push_back(test);
    return known;
  }
  if (isa<MemSetInst>(i)) return local.accesses.push_back({Access::fill, i, use.get()}), true;
  if (isa<MemTransferInst>(i)) {
    return local.accesses.push_back({use.getOperandNo() == 0 ? Access::copy_to : Access::copy_from, i, use.get()}),
           true;
  }
  if (is_copy_call(*i)) {
    return local.accesses.push_back({use.getOperandNo() == 0 ? Access::copy_to : Access::copy_from, i, use.get()}),
           true;
  }
  if (is_keep(*i)) return local.keeps.push_back(i), true;
  auto* intrinsic = dyn_cast<IntrinsicInst>(i);
  if (!intrinsic) return false;
  switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::lifetime_start: return local.starts.push_back(intrinsic), true;
    case Intrinsic::lifetime_end: return local.ends.push_back(intrinsic), true;
    case Intrinsic::objectsize: return true;
    default: return false;
  }
}

std::optional<Local> follow(AllocaInst& variable, const DataLayout& layout) {
  if (!variable.isStaticAlloca() || is_own(variable)) return {};
  Local local;
  local.variable = &variable;
  local.size = variable.getAllocationSize(layout)->getFixedValue();
  if (local.size > kMaxSize) return {};
  SmallVector<Value*, 8> pointers = {&variable};
  while (!pointers.empty()) {
    for (Use& use : pointers.pop_back_val()->uses()) {
      if (!note(use, local, pointers)) return {};
    }
  }
  return local;
}

// What clang itself keeps in variables may be read without a value (rewrite/peeks.hpp). Variables that no pass before
// ours has seen are ours.
bool may_be_unset(const AllocaInst& variable) {
  return variable.getMetadata(kUnset) || (!variable.hasName() && !variable.getMetadata(kVariable));
}

class Settler {
 public:
  Settler(Function& f, const DominatorTree& dominators, Settle which)
      : f_(f),
        dominators_(dominators),
        which_(which),
        layout_(f.getDataLayout()),
        runtime_(*f.getParent()),
        i8_(Type::getInt8Ty(f.getContext())) {}

  bool run() {
    find();
    hide_others();
    if (locals_.empty()) return changed_;
    // All decisions first: what follows adds blocks and instructions that the analyses do not know.
    judge_lives();
    for (Local& local : locals_) judge_values(local);
    for (Local& local : locals_) begin(local);
    for (Local& local : locals_) keep_books(local);
    for (Instruction* copy : copies_) settle_copy(*copy);
    if (which_ == Settle::all) {
      for (Local& local : locals_) local.variable->setName(kOwn + local.variable->getName());
    }
    return true;
  }

 private:
  void find() {
    SmallVector<AllocaInst*> variables;
    for (Instruction& i : f_.getEntryBlock()) {
      if (auto* variable = dyn_cast<AllocaInst>(&i)) variables.push_back(variable);
    }
    for (AllocaInst* variable : variables) {
      if (which_ == Settle::scalars && !may_become_register(*variable)) continue;
      std::optional<Local> local = follow(*variable, layout_);
      if (!local) continue;
      for (Instruction* keep : local->keeps) keep->eraseFromParent();
      for (ICmpInst* test : local->null_tests) {
        test->replaceAllUsesWith(ConstantInt::getBool(f_.getContext(), test->getPredicate() == ICmpInst::ICMP_NE));
        test->eraseFromParent();
      }
      changed_ |= !local->keeps.empty() || !local->null_tests.empty();
      local->keeps.clear();
      local->null_tests.clear();
      if (which_ == Settle::scalars) {
        if (!isAllocaPromotable(variable)) continue;
      } else if (!local->atomics.empty()) {
        for (Instruction* i : local->atomics) lower_atomic(*i);
        local = follow(*variable, layout_);
        HEDDLE_ASSERT(local && local->atomics.empty());
      }
      for (const Access& access : local->accesses) drop_order(*access.at);
      locals_.push_back(std::move(*local));
    }
    for (Local& local : locals_) {
      by_variable_[local.variable] = &local;
      for (const Access& access : local.accesses) {
        if (access.kind == Access::copy_to || access.kind == Access::copy_from) copies_.insert(access.at);
      }
    }
  }

  // From SROA and mem2reg, which would make registers of some of them: of a variable, for example, whose address was in
  // one that becomes a register.
  void hide_others() {
    for (Instruction& i : f_.getEntryBlock()) {
      auto* variable = dyn_cast<AllocaInst>(&i);
      if (!variable || is_own(*variable) || by_variable_.contains(variable)) continue;
      if (which_ == Settle::scalars && !variable->getAllocatedType()->isSingleValueType()) continue;
      if (any_of(variable->users(), [](const User* u) { return is_keep(*cast<Instruction>(u)); })) continue;
      IRBuilder<>(after(variable)).CreateCall(runtime_.keep(), {variable});
      changed_ = true;
    }
  }

  // A first look, cheaper than following all uses.
  static bool may_become_register(const AllocaInst& variable) {
    if (!variable.getAllocatedType()->isSingleValueType()) return false;
    return all_of(variable.users(), [](const User* u) { return isa<LoadInst, StoreInst, CallInst, ICmpInst>(u); });
  }

  static void lower_atomic(Instruction& i) {
    if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
      lowerAtomicRMWInst(rmw);
    } else {
      lowerAtomicCmpXchgInst(cast<AtomicCmpXchgInst>(&i));
    }
  }
  static void drop_order(Instruction& i) {
    if (auto* load = dyn_cast<LoadInst>(&i)) load->setAtomic(AtomicOrdering::NotAtomic);
    if (auto* store = dyn_cast<StoreInst>(&i)) store->setAtomic(AtomicOrdering::NotAtomic);
  }

  void judge_lives() {
    SmallVector<const AllocaInst*> marked;
    for (const Local& local : locals_) {
      if (!local.starts.empty()) marked.push_back(local.variable);
    }
    if (marked.empty()) return;
    StackLifetime lives(f_, marked, StackLifetime::LivenessType::Must);
    lives.run();
    for (Local& local : locals_) {
      if (local.starts.empty()) continue;
      for (const Access& access : local.accesses) {
        if (!dominators_.isReachableFromEntry(access.at->getParent())) continue;
        if (!lives.isAliveAfter(local.variable, access.at)) local.maybe_dead.push_back(access);
      }
    }
  }

  Value* length_of(const Access& access) {
    switch (access.kind) {
      case Access::load: return runtime_.size(layout_.getTypeStoreSize(access.at->getType()));
      case Access::store:
        return runtime_.size(layout_.getTypeStoreSize(cast<StoreInst>(access.at)->getValueOperand()->getType()));
      case Access::fill: return cast<MemSetInst>(access.at)->getLength();
      case Access::copy_to:
      case Access::copy_from: break;
    }
    return copy_of(*access.at).length;
  }

  // The bytes that an access touches, if that is a constant.
  std::optional<Range> range_of(const Access& access) {
    APInt offset(64, 0);
    const Value* base = access.pointer->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
    const auto* length = dyn_cast<ConstantInt>(length_of(access));
    if (base != access.pointer && !isa<AllocaInst>(base)) return {};
    if (!isa<AllocaInst>(base) || !length || offset.isNegative()) return {};
    return Range{offset.getZExtValue(), offset.getZExtValue() + length->getZExtValue()};
  }

  // Writes that certainly give a value to a range that is known.
  bool sets(const Access& access) {
    if (access.kind == Access::store) {
      const auto* value = dyn_cast<LoadInst>(cast<StoreInst>(access.at)->getValueOperand());
      return !value || !value->getMetadata(kPeek);
    }
    if (access.kind == Access::fill) return true;
    if (access.kind != Access::copy_to) return false;
    const auto* from = dyn_cast_or_null<GlobalVariable>(variable_of(copy_of(*access.at).from));
    return from && from->isConstant();
  }

  // If a write comes before a read on every way from the beginning of the function, then also on every way from the
  // beginning of the variable's life, provided that there is only one such place and the write comes after it.
  void judge_values(Local& local) {
    SmallVector<std::pair<Range, Instruction*>, 8> writes;
    SmallVector<Range, 2> copied;  // may lose its value again
    for (const Access& access : local.accesses) {
      if (!access.reads() && !sets(access)) copied.push_back(range_of(access).value_or(Range{0, local.size}));
    }
    if (local.starts.size() <= 1) {
      for (const Access& access : local.accesses) {
        const auto range = !access.reads() && sets(access) ? range_of(access) : std::nullopt;
        if (!range) continue;
        if (local.starts.empty() || dominators_.dominates(local.starts[0], access.at))
          writes.emplace_back(*range, access.at);
      }
    }
    const bool exempt = may_be_unset(*local.variable);
    for (const Access& access : local.accesses) {
      if (!access.reads()) continue;
      const Range range = range_of(access).value_or(Range{0, local.size});
      const bool lasting = none_of(copied, [&](const Range& c) { return c.start < range.end && range.start < c.end; });
      const auto has_set = [&](const auto& w) {
        return range <= w.first && dominators_.dominates(w.second, access.at);
      };
      if (lasting && any_of(writes, has_set)) continue;
      local.wants_zero = true;
      const bool use = access.kind == Access::load && !access.at->getMetadata(kPeek);
      if (use && !exempt) local.maybe_unset.push_back(access.at);
      local.wants_init |= use ? !exempt : which_ == Settle::all;
    }
  }

  // -- Rewriting.

  static Instruction* after(Instruction* i) { return i->getNextNode(); }

  AllocaInst* add_variable(Type* type, const Twine& name) {
    IRBuilder<> b(&*f_.getEntryBlock().begin());
    return b.CreateAlloca(type, nullptr, kBook + name);
  }

  template <Entry e>
  void forbid(Value* bad, Instruction& at) {
    MDNode* unlikely = MDBuilder(f_.getContext()).createUnlikelyBranchWeights();
    IRBuilder<> cold(SplitBlockAndInsertIfThen(bad, &at, /*Unreachable=*/true, unlikely));
    cold.SetCurrentDebugLocation(at.getDebugLoc());
    runtime_.call<e>(cold, {runtime_.site(kNoSite)});
  }

  Type* bytes_of(Type* type) {
    return IntegerType::get(f_.getContext(), static_cast<unsigned>(8 * layout_.getTypeStoreSize(type)));
  }

  // Unset at the beginning of each life. The variable itself is zero then: what is copied without being looked at is
  // the same in every execution.
  void begin(Local& local) {
    if (!local.wants_zero) return;
    Type* type = local.variable->getAllocatedType();
    const bool scalar = which_ == Settle::scalars;
    if (local.wants_init)
      local.init = add_variable(scalar ? bytes_of(type) : ArrayType::get(i8_, local.size), local.variable->getName());
    const auto reset = [&](Instruction* at) {
      IRBuilder<> b(at);
      if (scalar) {
        b.CreateStore(Constant::getNullValue(type), local.variable);
        if (local.init) b.CreateStore(Constant::getNullValue(bytes_of(type)), local.init);
      } else {
        b.CreateMemSet(local.variable, b.getInt8(0), local.size, local.variable->getAlign());
        if (local.init) b.CreateMemSet(local.init, b.getInt8(0), local.size, Align(1));
      }
    };
    for (IntrinsicInst* start : local.starts) reset(after(start));
    if (local.starts.empty() || !local.maybe_dead.empty()) reset(at_entry(local));
    if (!local.init) return;
    for (const Access& access : local.accesses) {
      if (access.kind != Access::load || !access.at->getMetadata(kPeek)) continue;
      IRBuilder<> b(access.at);
      carried_[access.at] = b.CreateAlignedLoad(bytes_of(access.at->getType()), init_at(b, access.pointer), Align(1));
    }
  }

  void keep_books(Local& local) {
    if (!local.maybe_dead.empty()) check_lives(local);
    if (!local.init) return;
    for (Instruction* load : local.maybe_unset) {
      IRBuilder<> b(load);
      Type* bytes = bytes_of(load->getType());
      Value* set = b.CreateAlignedLoad(bytes, init_at(b, cast<LoadInst>(load)->getPointerOperand()), Align(1));
      forbid<Entry::uninitialised>(b.CreateIsNull(set), *load);
    }
    for (const Access& access : local.accesses) {
      if (access.kind == Access::store) {
        auto* store = cast<StoreInst>(access.at);
        IRBuilder<> b(after(store));
        Type* bytes = bytes_of(store->getValueOperand()->getType());
        Value* carried = carried_.lookup(store->getValueOperand());
        HEDDLE_ASSERT(!carried || carried->getType() == bytes);
        const unsigned bits = bytes->getIntegerBitWidth();
        Value* set = carried ? carried : ConstantInt::get(bytes, APInt::getSplat(bits, APInt(8, 1)));
        b.CreateAlignedStore(set, init_at(b, access.pointer), Align(1));
      } else if (access.kind == Access::fill) {
        IRBuilder<> b(after(access.at));
        b.CreateMemSet(init_at(b, access.pointer), b.getInt8(1), cast<MemSetInst>(access.at)->getLength(), Align(1));
      }
    }
  }

  // The first place of the function after the variable and before all accesses.
  Instruction* at_entry(const Local& local) {
    HEDDLE_ASSERT(local.variable->getParent() == &f_.getEntryBlock());
    BasicBlock::iterator i = f_.getEntryBlock().begin();
    while (isa<AllocaInst>(i)) ++i;
    return i->comesBefore(local.variable) ? after(local.variable) : &*i;
  }

  void check_lives(Local& local) {
    Type* flag = Type::getInt1Ty(f_.getContext());
    AllocaInst* alive = add_variable(flag, local.variable->getName());
    const auto set = [&](Instruction* at, bool value) {
      IRBuilder<> b(at);
      b.CreateStore(b.getInt1(value), alive);
    };
    set(at_entry(local), false);
    for (IntrinsicInst* start : local.starts) set(after(start), true);
    for (IntrinsicInst* end : local.ends) set(after(end), false);
    for (const Access& access : local.maybe_dead) {
      IRBuilder<> b(access.at);
      forbid<Entry::out_of_scope>(b.CreateNot(b.CreateLoad(flag, alive)), *access.at);
    }
  }

  // Where the byte for the first byte of an access stands.
  Value* init_at(IRBuilder<>& b, Value* pointer) {
    const auto* variable = cast<AllocaInst>(variable_of(pointer));
    const Local* local = by_variable_.lookup(variable);
    if (!local || !local->init) return nullptr;
    return which_ == Settle::scalars ? local->init : b.CreatePtrAdd(local->init, offset_in(b, pointer, layout_));
  }

  // Copies between settled variables, and from constants, stay copies. The runtime does the others.
  void settle_copy(Instruction& i) {
    const Copy copy = copy_of(i);
    const auto is_settled = [&](Value* pointer) {
      const auto* variable = dyn_cast_or_null<AllocaInst>(variable_of(pointer));
      return variable && (is_own(*variable) || by_variable_.contains(variable));
    };
    const auto init_of = [&](IRBuilder<>& b, Value* pointer, Value* before) {
      const auto* variable = dyn_cast_or_null<AllocaInst>(variable_of(pointer));
      return before || !variable ? before : init_at(b, pointer);
    };
    const auto* constant = dyn_cast_or_null<GlobalVariable>(variable_of(copy.from));
    IRBuilder<> b(&i);
    Value* length = b.CreateZExtOrTrunc(copy.length, runtime_.i64);
    Value* to_init = init_of(b, copy.to, copy.to_init);
    Value* from_init = init_of(b, copy.from, copy.from_init);
    if (is_settled(copy.to) && (is_settled(copy.from) || (constant && constant->isConstant()))) {
      if (to_init && from_init) b.CreateMemMove(to_init, Align(1), from_init, Align(1), length);
      if (to_init && !from_init) b.CreateMemSet(to_init, b.getInt8(1), length, Align(1));
      if (isa<MemTransferInst>(i)) return;
      b.CreateMemMove(copy.to, MaybeAlign(), copy.from, MaybeAlign(), length);
    } else {
      Value* none = ConstantPointerNull::get(runtime_.ptr);
      runtime_.call<Entry::copy>(b, {copy.to, to_init ? to_init : none, copy.from, from_init ? from_init : none, length,
                                     runtime_.site(kNoSite)});
    }
    i.eraseFromParent();
  }

  Function& f_;
  const DominatorTree& dominators_;
  const Settle which_;
  const DataLayout& layout_;
  Runtime runtime_;
  Type* i8_;
  std::vector<Local> locals_;
  DenseMap<const AllocaInst*, Local*> by_variable_;
  SetVector<Instruction*> copies_;
  DenseMap<const Value*, Value*> carried_;
  bool changed_ = false;
};

}  // namespace

bool settle_locals(Function& f, const DominatorTree& dominators, Settle which) {
  return Settler(f, dominators, which).run();
}

}  // namespace heddle::frontend
