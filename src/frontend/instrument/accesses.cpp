// Every access of memory that another thread may see becomes a call of the runtime; atomic accesses of private memory
// become plain ones.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "frontend/instrument/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

RmwOp operation(const AtomicRMWInst& rmw, Sites& sites) {
  switch (rmw.getOperation()) {
    case AtomicRMWInst::Xchg: return RmwOp::xchg;
    case AtomicRMWInst::Add: return RmwOp::add;
    case AtomicRMWInst::Sub: return RmwOp::sub;
    case AtomicRMWInst::And: return RmwOp::band;
    case AtomicRMWInst::Nand: return RmwOp::nand;
    case AtomicRMWInst::Or: return RmwOp::bor;
    case AtomicRMWInst::Xor: return RmwOp::bxor;
    case AtomicRMWInst::Max: return RmwOp::smax;
    case AtomicRMWInst::Min: return RmwOp::smin;
    case AtomicRMWInst::UMax: return RmwOp::umax;
    case AtomicRMWInst::UMin: return RmwOp::umin;
    case AtomicRMWInst::UIncWrap: return RmwOp::uinc_wrap;
    case AtomicRMWInst::UDecWrap: return RmwOp::udec_wrap;
    case AtomicRMWInst::FAdd: return RmwOp::fadd;
    case AtomicRMWInst::FSub: return RmwOp::fsub;
    case AtomicRMWInst::FMax: return RmwOp::fmax;
    case AtomicRMWInst::FMin: return RmwOp::fmin;
    default: break;
  }
  throw UserError(sites.where(rmw) + ": this atomic operation (" +
                  AtomicRMWInst::getOperationName(rmw.getOperation()).str() + ") is not supported");
}

class Rewriter {
 public:
  Rewriter(Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy)
      : f_(f), runtime_(runtime), sites_(sites), privacy_(privacy), layout_(f.getDataLayout()) {}

  void rewrite(Instruction& i) {
    IRBuilder<> b(&i);
    if (auto* load = dyn_cast<LoadInst>(&i)) {
      rewrite_load(b, *load);
    } else if (auto* store = dyn_cast<StoreInst>(&i)) {
      rewrite_store(b, *store);
    } else if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
      rewrite_rmw(b, *rmw);
    } else if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&i)) {
      rewrite_cas(b, *cas);
    } else if (auto* fence = dyn_cast<FenceInst>(&i)) {
      runtime_.call<Entry::fence>(b, {runtime_.mode(mode_of(fence->getOrdering())), site(i)});
      i.eraseFromParent();
    } else if (auto* memory = dyn_cast<MemIntrinsic>(&i)) {
      rewrite_block(b, *memory);
    } else if (auto* call = dyn_cast<CallInst>(&i); call && is_runtime(call->getCalledFunction())) {
      complete(*call);
    }
  }

 private:
  Value* site(const Instruction& i) { return runtime_.site(sites_.of(i)); }

  void replace(Instruction& i, Value* by) {
    i.replaceAllUsesWith(by);
    i.eraseFromParent();
  }

  // Values that travel in a 64-bit register.
  bool fits_register(Type* type) const {
    const uint64_t bytes = layout_.getTypeStoreSize(type);
    if (bytes > 8 || !isPowerOf2_64(bytes)) return false;
    return type->isIntegerTy() || type->isPointerTy() || type->getPrimitiveSizeInBits() == 8 * bytes;
  }

  Value* to_bits(IRBuilder<>& b, Value* v) {
    Type* type = v->getType();
    HEDDLE_ASSERT(fits_register(type));
    if (type->isPointerTy()) return b.CreatePtrToInt(v, runtime_.i64);
    if (!type->isIntegerTy()) v = b.CreateBitCast(v, b.getIntNTy(type->getPrimitiveSizeInBits()));
    return b.CreateZExt(v, runtime_.i64);
  }

  Value* from_bits(IRBuilder<>& b, Value* bits, Type* type) {
    HEDDLE_ASSERT(fits_register(type) &&
                  bits->getType()->getIntegerBitWidth() >= layout_.getTypeStoreSizeInBits(type).getFixedValue());
    if (type->isPointerTy()) return b.CreateIntToPtr(bits, type);
    if (type->isIntegerTy()) return b.CreateTrunc(bits, type);
    return b.CreateBitCast(b.CreateTrunc(bits, b.getIntNTy(type->getPrimitiveSizeInBits())), type);
  }

  // A private place for a value that does not fit a register.
  AllocaInst* scratch(Type* type) {
    IRBuilder<> b(&*f_.getEntryBlock().getFirstInsertionPt());
    return b.CreateAlloca(type);
  }

  AllocaInst* spill(IRBuilder<>& b, Value* v) {
    AllocaInst* place = scratch(v->getType());
    b.CreateStore(v, place);
    return place;
  }

  uint64_t atomic_size(const Instruction& i, Type* type) {
    const uint64_t bytes = layout_.getTypeStoreSize(type);
    if (bytes <= 16 && isPowerOf2_64(bytes) && (bytes == 16 || fits_register(type))) return bytes;
    throw UserError(sites_.where(i) + ": an atomic access of " + std::to_string(bytes) + " bytes is not supported");
  }

  void rewrite_load(IRBuilder<>& b, LoadInst& load) {
    if (load.isAtomic() ? privacy_.is_private(load.getPointerOperand())
                        : privacy_.is_private_or_constant(load.getPointerOperand())) {
      load.setAtomic(AtomicOrdering::NotAtomic);
      return;
    }
    if (load.isAtomic()) tell_comparison(b, load);
    replace(load, load.isAtomic() ? atomic_load(b, load) : plain_load(b, load));
  }

  // If all uses of the value are comparisons with one number.
  void tell_comparison(IRBuilder<>& b, const Instruction& read) {
    const Type* type = read.getType();
    if (read.use_empty() || !(type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64))) return;
    const Constant* with = nullptr;
    SmallSetVector<const Instruction*, 4> values;
    values.insert(&read);
    for (unsigned i = 0; i < values.size(); ++i) {
      const Instruction* value = values[i];
      for (const User* user : value->users()) {
        if (const auto* phi = dyn_cast<PHINode>(user)) values.insert(phi);
        if (isa<PHINode>(user) || is_keep(*cast<Instruction>(user))) continue;
        const auto* compare = dyn_cast<ICmpInst>(user);
        if (!compare || !compare->isEquality()) return;
        const Value* other = compare->getOperand(compare->getOperand(0) == value ? 1 : 0);
        if (!isa<ConstantInt, ConstantPointerNull>(other) || (with && with != other)) return;
        with = cast<Constant>(other);
      }
    }
    if (!with) return;
    const auto* number = dyn_cast<ConstantInt>(with);
    runtime_.call<Entry::compares>(b, {runtime_.size(number ? number->getZExtValue() : 0)});
  }

  Value* atomic_load(IRBuilder<>& b, LoadInst& load) {
    Type* type = load.getType();
    const uint64_t size = atomic_size(load, type);
    Value* mode = runtime_.mode(mode_of(load.getOrdering()));
    if (size == 16) {
      AllocaInst* out = scratch(type);
      runtime_.call<Entry::load16>(b, {load.getPointerOperand(), out, mode, site(load)});
      return b.CreateLoad(type, out);
    }
    Value* p = load.getPointerOperand();
    Value* bits = size == 8 ? runtime_.call<Entry::load>(b, {p, runtime_.constant(size), mode, site(load)})
                            : runtime_.call<Entry::load_narrow>(b, {p, runtime_.constant(size), mode, site(load)});
    return from_bits(b, bits, type);
  }

  Value* plain_load(IRBuilder<>& b, LoadInst& load) {
    Type* type = load.getType();
    const uint64_t size = layout_.getTypeStoreSize(type);
    Value* p = load.getPointerOperand();
    if (!fits_register(type)) {
      AllocaInst* out = scratch(type);
      if (load.getMetadata(kPeek)) {
        runtime_.call<Entry::memcpy>(b, {out, p, runtime_.size(size), site(load)});
      } else {
        runtime_.call<Entry::plain_load>(b, {p, out, runtime_.size(size), site(load)});
      }
      return b.CreateLoad(type, out);
    }
    return from_bits(b, plain_bits(b, load, p, size), type);
  }

  Value* plain_bits(IRBuilder<>& b, const LoadInst& load, Value* p, uint64_t size) {
    HEDDLE_ASSERT(size == 1 || size == 2 || size == 4 || size == 8);
    if (load.getMetadata(kPeek)) return runtime_.call<Entry::plain_peek>(b, {p, runtime_.constant(size), site(load)});
    switch (size) {
      case 1: return runtime_.call<Entry::plain_load1>(b, {p, site(load)});
      case 2: return runtime_.call<Entry::plain_load2>(b, {p, site(load)});
      case 4: return runtime_.call<Entry::plain_load4>(b, {p, site(load)});
      default: return runtime_.call<Entry::plain_load8>(b, {p, site(load)});
    }
  }

  void rewrite_store(IRBuilder<>& b, StoreInst& store) {
    Value* p = store.getPointerOperand();
    if (privacy_.is_private(p)) {
      store.setAtomic(AtomicOrdering::NotAtomic);
      return;
    }
    Value* v = store.getValueOperand();
    if (store.isAtomic()) {
      const uint64_t size = atomic_size(store, v->getType());
      Value* mode = runtime_.mode(mode_of(store.getOrdering()));
      if (store.hasMetadata(kStoresOwn))
        mode = runtime_.constant(static_cast<int>(mode_of(store.getOrdering())) | abi::kOwn);
      if (size == 16) {
        runtime_.call<Entry::store16>(b, {p, spill(b, v), mode, site(store)});
      } else {
        runtime_.call<Entry::store>(b, {p, runtime_.constant(size), to_bits(b, v), mode, site(store)});
      }
    } else {
      const uint64_t size = layout_.getTypeStoreSize(v->getType());
      if (fits_register(v->getType())) {
        runtime_.call_sized<Entry::plain_store1, Entry::plain_store2, Entry::plain_store4, Entry::plain_store8>(
            size, b, {p, to_bits(b, v), site(store)});
      } else {
        runtime_.call<Entry::plain_store>(b, {p, spill(b, v), runtime_.size(size), site(store)});
      }
    }
    store.eraseFromParent();
  }

  void rewrite_rmw(IRBuilder<>& b, AtomicRMWInst& rmw) {
    Value* p = rmw.getPointerOperand();
    if (privacy_.is_private(p)) {
      lowerAtomicRMWInst(&rmw);
      return;
    }
    Type* type = rmw.getType();
    const uint64_t size = atomic_size(rmw, type);
    const bool real = type->isFloatingPointTy() && AtomicRMWInst::isFPOperation(rmw.getOperation());
    if (AtomicRMWInst::isFPOperation(rmw.getOperation()) && !(real && (size == 4 || size == 8))) {
      throw UserError(sites_.where(rmw) + ": atomic arithmetic on this floating-point type is not supported");
    }
    const int unused = rmw.getMetadata(kUnused) ? abi::kResultUnused : 0;
    Value* op = runtime_.constant(static_cast<int>(operation(rmw, sites_)) | unused);
    Value* mode = runtime_.mode(mode_of(rmw.getOrdering()));
    if (size == 16) {
      AllocaInst* old = scratch(type);
      runtime_.call<Entry::rmw16>(b, {p, op, spill(b, rmw.getValOperand()), old, mode, site(rmw)});
      replace(rmw, b.CreateLoad(type, old));
      return;
    }
    tell_comparison(b, rmw);
    Value* operand = to_bits(b, rmw.getValOperand());
    Value* bits = size == 8
                      ? runtime_.call<Entry::rmw>(b, {p, runtime_.constant(size), op, operand, mode, site(rmw)})
                      : runtime_.call<Entry::rmw_narrow>(b, {p, runtime_.constant(size), op, operand, mode, site(rmw)});
    replace(rmw, from_bits(b, bits, type));
  }

  void rewrite_cas(IRBuilder<>& b, AtomicCmpXchgInst& cas) {
    Value* p = cas.getPointerOperand();
    if (privacy_.is_private(p)) {
      lowerAtomicCmpXchgInst(&cas);
      return;
    }
    Type* type = cas.getCompareOperand()->getType();
    const uint64_t size = atomic_size(cas, type);
    Value* mode = runtime_.mode(mode_of(cas.getSuccessOrdering()));
    Value* fail_mode = runtime_.mode(mode_of(cas.getFailureOrdering()));
    Value* weak = runtime_.constant(cas.isWeak());
    Value* old = nullptr;
    Value* success = nullptr;
    if (size == 16) {
      AllocaInst* out = scratch(type);
      success = runtime_.call<Entry::cas16>(b, {p, spill(b, cas.getCompareOperand()), spill(b, cas.getNewValOperand()),
                                                out, mode, fail_mode, weak, site(cas)});
      old = b.CreateLoad(type, out);
    } else {
      Value* result =
          runtime_.call<Entry::cas>(b, {p, runtime_.constant(size), to_bits(b, cas.getCompareOperand()),
                                        to_bits(b, cas.getNewValOperand()), mode, fail_mode, weak, site(cas)});
      old = from_bits(b, b.CreateExtractValue(result, 0), type);
      success = b.CreateExtractValue(result, 1);
    }
    Value* pair = b.CreateInsertValue(PoisonValue::get(cas.getType()), old, 0);
    replace(cas, b.CreateInsertValue(pair, b.CreateIsNotNull(success), 1));
  }

  void rewrite_block(IRBuilder<>& b, MemIntrinsic& memory) {
    Value* dst = memory.getRawDest();
    Value* length = b.CreateZExtOrTrunc(memory.getLength(), runtime_.i64);
    if (auto* set = dyn_cast<MemSetInst>(&memory)) {
      if (privacy_.is_private(dst)) return;
      Value* byte = b.CreateZExt(set->getValue(), runtime_.i32);
      runtime_.call<Entry::memset>(b, {dst, byte, length, site(memory)});
    } else {
      Value* src = cast<MemTransferInst>(memory).getRawSource();
      if (privacy_.is_private(dst) && privacy_.is_private_or_constant(src)) return;
      if (isa<MemMoveInst>(memory)) {
        runtime_.call<Entry::memmove>(b, {dst, src, length, site(memory)});
      } else {
        runtime_.call<Entry::memcpy>(b, {dst, src, length, site(memory)});
      }
    }
    memory.eraseFromParent();
  }

  // Calls that earlier passes have put in without a site.
  void complete(CallInst& call) {
    const Function& callee = *call.getCalledFunction();
    for (const Entry e : {Entry::copy, Entry::trap, Entry::division, Entry::assumption, Entry::out_of_bounds,
                          Entry::uninitialised, Entry::out_of_scope}) {
      if (is(callee, e)) call.setArgOperand(call.arg_size() - 1, site(call));
    }
  }

  Function& f_;
  Runtime& runtime_;
  Sites& sites_;
  const Privacy& privacy_;
  const DataLayout& layout_;
};

// Whether it may write what it has read, so that it is better to know what that was: in a loop, the round may have
// changed nothing then.
bool may_be_still(const AtomicRMWInst& rmw) {
  switch (rmw.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Xor: return false;
    default: return true;
  }
}

}  // namespace

void mark_unused_results(Module& module) {
  for (Function& f : module) {
    if (f.isDeclaration()) continue;
    const DominatorTree dominators(f);
    const LoopInfo loops(dominators);
    for (Instruction& i : instructions(f)) {
      const auto* rmw = dyn_cast<AtomicRMWInst>(&i);
      if (!rmw || !rmw->use_empty() || rmw->getOperation() == AtomicRMWInst::Xchg) continue;
      if (may_be_still(*rmw) && loops.getLoopFor(i.getParent())) continue;
      i.setMetadata(kUnused, MDNode::get(f.getContext(), {}));
    }
  }
}

void rewrite_accesses(Function& f, Runtime& runtime, Sites& sites, const Privacy& privacy) {
  SmallVector<Instruction*> accesses;
  for (Instruction& i : instructions(f)) {
    if (i.mayReadOrWriteMemory()) accesses.push_back(&i);
  }
  Rewriter rewriter(f, runtime, sites, privacy);
  for (Instruction* i : accesses) rewriter.rewrite(*i);
}

}  // namespace heddle::frontend
