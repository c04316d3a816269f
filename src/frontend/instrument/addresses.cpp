// Where the program looks at addresses as numbers, the machine is told: threads that can be exchanged
// (native/symmetry.hpp) have memory at different addresses, and may be exchanged only as long as no thread sees that.
//
// The exchange of two threads maps each of their blocks to the other's. What commutes with it tells nothing, and is
// left alone: accesses through a pointer, == and !=, the way of a pointer through memory and integers and back, offsets
// in a block, and the lowest kSameBits bits, which tagged pointers use. Everything else is reported with the values in
// question, and the machine decides by them:
//
//   order      a comparison of two pointers other than == and !=
//   subtract   a difference of two pointers
//   inspect    an address that has become an integer, where it is used as one. Such integers come from ptrtoint and
//              from memory: so all integers of 64 bits that come from memory or a library function count.
//   inspect_bytes
//              memory whose bytes are looked at in other pieces: memcmp, hashes, vectors, parts of local variables.
//              (Parts of other memory the machine sees by itself.)
//   inspect_place, inspect_copy
//              values and bytes that may get to where they lie across two words of memory, or be parts of words
//
// Integers stay recognisable on their way through memory: what would hide an address (shifting it, putting something in
// its upper bits, moving its bytes by themselves) is a use.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "frontend/instrument/instrument.hpp"
#include "image/region.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

constexpr uint64_t kLowBits = (1u << region::kSameBits) - 1;
constexpr uint64_t kMaxOffset = 1u << 30;  // of what is added to an address
constexpr uint64_t kWord = sizeof(uint64_t);

bool is_below(const Value* v, uint64_t limit, const DataLayout& layout) {
  if (const auto* c = dyn_cast<ConstantInt>(v)) return c->getValue().abs().ult(limit);
  return computeKnownBits(v, layout).getMaxValue().ult(limit);
}

bool is_low_mask(const Value* v) {
  const auto* c = dyn_cast<ConstantInt>(v);
  return c && c->getValue().ule(kLowBits);
}
// Takes away some of the low bits.
bool is_high_mask(const Value* v) {
  const auto* c = dyn_cast<ConstantInt>(v);
  return c && (~c->getValue()).ule(kLowBits);
}

// Whether all that is done with an integer, if it is an address, commutes with an exchange of threads.
class Uses {
 public:
  explicit Uses(const DataLayout& layout) : layout_(layout) {}

  bool are_harmless(const Value& v) {
    seen_.clear();
    return harmless(v);
  }

 private:
  bool harmless(const Value& v) {
    constexpr unsigned kMaxValues = 200;
    if (!seen_.insert(&v).second) return true;
    if (seen_.size() > kMaxValues) return false;
    return all_of(v.uses(), [&](const Use& use) { return harmless_use(use); });
  }

  bool harmless_use(const Use& use) {
    const auto* user = dyn_cast<Instruction>(use.getUser());
    if (!user) return false;
    switch (user->getOpcode()) {
      case Instruction::IntToPtr:
      case Instruction::Store:  // as a value: as an address it would be a pointer
      case Instruction::AtomicCmpXchg: return true;
      case Instruction::AtomicRMW: return cast<AtomicRMWInst>(user)->getOperation() == AtomicRMWInst::Xchg;
      case Instruction::ICmp: return harmless_comparison(cast<ICmpInst>(*user));
      case Instruction::PHI:
      case Instruction::Select:
      case Instruction::Freeze:
      case Instruction::ZExt: return harmless(*user);
      case Instruction::Trunc: return user->getType()->getIntegerBitWidth() <= region::kSameBits || is_half(*user);
      case Instruction::Call:
      case Instruction::Invoke: return harmless_argument(use, cast<CallBase>(*user));
      case Instruction::Ret: return harmless_result(*user->getFunction());
      default: return isa<BinaryOperator>(user) && harmless_arithmetic(use, cast<BinaryOperator>(*user));
    }
  }

  static bool harmless_comparison(const ICmpInst& compare) {
    return compare.isEquality() ||
           (isa<PtrToIntInst>(compare.getOperand(0)) && isa<PtrToIntInst>(compare.getOperand(1)));
  }

  // An address is half of an integer of 128 bits, which is a value from memory again when it is taken out.
  static bool is_half(const Instruction& trunc) {
    return trunc.getOperand(0)->getType()->isIntegerTy(128) && trunc.getType()->isIntegerTy(64);
  }

  bool harmless_arithmetic(const Use& use, const BinaryOperator& op) {
    const Value* const other = op.getOperand(1 - use.getOperandNo());
    const bool left = use.getOperandNo() == 0;
    const bool wide = op.getType()->isIntegerTy(128);
    const auto* shift = dyn_cast<ConstantInt>(other);
    const bool by_half = wide && left && shift && *shift->getValue().getRawData() == 64;
    switch (op.getOpcode()) {
      case Instruction::And: return is_low_mask(other) || (is_high_mask(other) && harmless(op));
      case Instruction::Or: return (wide || is_below(other, kLowBits + 1, layout_)) && harmless(op);
      case Instruction::Xor: return is_below(other, kLowBits + 1, layout_) && harmless(op);
      case Instruction::Add: return !wide && is_below(other, kMaxOffset, layout_) && harmless(op);
      case Instruction::Sub:
        if (isa<PtrToIntInst>(op.getOperand(0)) && isa<PtrToIntInst>(op.getOperand(1))) return true;  // subtract
        return !wide && left && is_below(other, kMaxOffset, layout_) && harmless(op);
      case Instruction::URem:
        return left && shift && shift->getValue().isPowerOf2() && is_below(shift, kLowBits + 2, layout_);
      case Instruction::Shl:
      case Instruction::LShr: return by_half && harmless(op);
      default: return false;
    }
  }

  bool harmless_argument(const Use& use, const CallBase& call) {
    if (!call.isArgOperand(&use)) return false;
    const Function* callee = call.getCalledFunction();
    if (is_runtime(callee)) return true;  // our own
    if (!callee || callee->isDeclaration() || callee->isInterposable()) return false;
    const unsigned n = call.getArgOperandNo(&use);
    return n < callee->arg_size() && callee->getFunctionType() == call.getFunctionType() &&
           harmless(*callee->getArg(n));
  }

  bool harmless_result(const Function& f) {
    if (!f.hasLocalLinkage()) return false;
    return all_of(f.uses(), [&](const Use& use) {
      const auto* call = dyn_cast<CallBase>(use.getUser());
      return call && call->isCallee(&use) && harmless(*call);
    });
  }

  const DataLayout& layout_;
  SmallPtrSet<const Value*, 16> seen_;
};

bool is_fixed(const Value* pointer) { return isa<Constant>(getUnderlyingObject(pointer, 0)); }

// Whether a local variable may hold a pointer, or a part of one.
bool may_hold_address(const AllocaInst& local) {
  SmallVector<const Value*, 8> todo{&local};
  SmallPtrSet<const Value*, 8> seen;
  while (!todo.empty()) {
    const Value* v = todo.pop_back_val();
    if (!seen.insert(v).second) continue;
    for (const User* user : v->users()) {
      if (isa<LoadInst, MemSetInst, ICmpInst, LifetimeIntrinsic>(user)) continue;
      if (isa<GetElementPtrInst, PHINode, SelectInst>(user)) {
        todo.push_back(user);
        continue;
      }
      if (const auto* store = dyn_cast<StoreInst>(user); store && store->getValueOperand() != v) {
        const Type* type = store->getValueOperand()->getType();
        if (type->isIntegerTy() && type->getIntegerBitWidth() < 64) continue;
        if (isa<ConstantData>(store->getValueOperand())) continue;
      }
      if (const auto* copy = dyn_cast<MemTransferInst>(user); copy && is_fixed(copy->getRawSource())) continue;
      return true;
    }
  }
  return false;
}

// The arguments of these, from which address on and how many bytes, are looked at byte by byte.
struct ByteReader {
  StringRef name;
  unsigned first, second, length;
};
constexpr ByteReader kByteReaders[] = {
    {"memcmp", 0, 1, 2},
    {"bcmp", 0, 1, 2},
    {"memchr", 0, 0, 2},
    {"memrchr", 0, 0, 2},
    {"strncmp", 0, 1, 2},
    {"_ZSt11_Hash_bytesPKvmm", 0, 0, 1},
    {"_ZSt15_Fnv_hash_bytesPKvmm", 0, 0, 1},
};

// Functions that print: where the format stands.
struct Printer {
  StringRef name;
  unsigned format;
};
constexpr Printer kPrinters[] = {{"printf", 0},   {"fprintf", 1},  {"dprintf", 1},  {"sprintf", 1},
                                 {"snprintf", 2}, {"asprintf", 1}, {"swprintf", 2}, {"wprintf", 0}};

// Whether a format is known and has no %p.
bool prints_no_address(const Value* format) {
  StringRef text;
  if (!getConstantStringInfo(format, text)) return false;
  for (std::size_t i = text.find('%'); i != StringRef::npos; i = text.find('%', i + 1)) {
    i = text.find_first_not_of("0123456789-+ #'.*$hlLqjzt", i + 1);
    if (i == StringRef::npos) break;
    if (text[i] == 'p' || text[i] == 'n') return false;
  }
  return true;
}

class Watcher {
 public:
  Watcher(Module& module, Runtime& runtime, Sites& sites)
      : layout_(module.getDataLayout()), runtime_(runtime), sites_(sites), uses_(layout_) {}

  // All questions come before all answers, which are uses themselves.
  void look_at(Instruction& i) {
    if (auto* compare = dyn_cast<ICmpInst>(&i)) {
      if (compare->isRelational()) compare_or_subtract(i);
    } else if (auto* integer = dyn_cast<PtrToIntInst>(&i)) {
      if (!is_fixed(integer->getPointerOperand()) && !uses_.are_harmless(*integer)) values_.push_back(integer);
    } else if (i.getOpcode() == Instruction::Sub) {
      compare_or_subtract(i);
    } else if (auto* load = dyn_cast<LoadInst>(&i)) {
      look_at_load(*load);
    } else if (auto* store = dyn_cast<StoreInst>(&i)) {
      look_at_store(*store);
    } else if (auto* copy = dyn_cast<MemTransferInst>(&i)) {
      look_at_copy(*copy);
    } else if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
      if (!keeps_addresses(*rmw) || !uses_.are_harmless(i)) from_memory(i);
    } else if (isa<AtomicCmpXchgInst>(i)) {
      for (User* user : i.users()) {
        if (auto* part = dyn_cast<ExtractValueInst>(user); part && !uses_.are_harmless(*part)) from_memory(*part);
      }
    } else if (auto* half = dyn_cast<TruncInst>(&i)) {
      if (half->getSrcTy()->isIntegerTy(128) && !uses_.are_harmless(i)) from_memory(i);
    } else if (auto* call = dyn_cast<CallBase>(&i)) {
      look_at_call(*call);
    }
  }

  void report() {
    for (Instruction* i : values_) {
      if (i->hasMetadata(kTime)) continue;  // becomes a time limit
      IRBuilder<> b(after(*i));
      b.SetCurrentDebugLocation(i->getDebugLoc());
      inspect(b, *i, bits(b, i, 0));
      if (i->getType()->isIntegerTy(128)) {
        IRBuilder<> second(&*b.GetInsertPoint());
        inspect(second, *i, bits(second, i, 64));
      }
    }
    for (const auto& [i, a, b_] : pairs_) {
      IRBuilder<> b(i);
      if (isa<ICmpInst>(i)) {
        runtime_.call<Entry::order>(b, {a, b_, site(*i)});
      } else {
        runtime_.call<Entry::subtract>(b, {a, b_, site(*i)});
      }
    }
    for (const auto& [i, start, length] : bytes_) {
      IRBuilder<> b(i);
      runtime_.call<Entry::inspect_bytes>(b, {start, b.CreateZExtOrTrunc(length, runtime_.i64), site(*i)});
    }
    for (StoreInst* store : stores_) {
      IRBuilder<> b(store);
      inspect_pieces(b, *store, store->getValueOperand());
    }
    for (const auto& [i, to, from, length] : copies_) {
      IRBuilder<> b(i);
      runtime_.call<Entry::inspect_copy>(b, {to, from, b.CreateZExtOrTrunc(length, runtime_.i64), site(*i)});
    }
    for (const auto& [i, pointer] : shown_) {
      IRBuilder<> b(i);
      runtime_.call<Entry::inspect>(b, {b.CreatePtrToInt(pointer, runtime_.i64), site(*i)});
    }
  }

 private:
  struct Pair {
    Instruction* at;
    Value *a, *b;
  };

  struct Copy {
    Instruction* at;
    Value *to, *from, *length;
  };

  static Instruction* after(Instruction& i) {
    auto* invoke = dyn_cast<InvokeInst>(&i);
    if (!invoke) return i.getNextNode();
    BasicBlock* next = invoke->getNormalDest();
    if (!next->getSinglePredecessor()) next = SplitEdge(i.getParent(), next);
    return &*next->getFirstInsertionPt();
  }

  Value* site(const Instruction& i) { return runtime_.site(sites_.of(i)); }

  // Most integers are none: the program itself can see that.
  void inspect(IRBuilder<>& b, const Instruction& i, Value* v, Value* place = nullptr) {
    v = b.CreateFreeze(v);  // a branch must not depend on what is not initialised
    Value* part = b.CreateLShr(v, region::kCommonBits);
    Value* found = b.CreateICmpEQ(part, ConstantInt::get(runtime_.i64, region::kBase >> region::kCommonBits));
    Instruction* next = &*b.GetInsertPoint();
    MDNode* unlikely = MDBuilder(next->getContext()).createBranchWeights(1, 1 << 20);
    IRBuilder<> cold(SplitBlockAndInsertIfThen(found, next->getIterator(), /*Unreachable=*/false, unlikely));
    cold.SetCurrentDebugLocation(i.getDebugLoc());
    if (place == nullptr) {
      runtime_.call<Entry::inspect>(cold, {v, site(i)});
    } else {
      runtime_.call<Entry::inspect_place>(cold, {place, v, site(i)});
    }
    b.SetInsertPoint(next);
  }

  // All words of what is stored.
  void inspect_pieces(IRBuilder<>& b, StoreInst& store, Value* v) {
    Type* const type = v->getType();
    if (type->isStructTy() || type->isArrayTy()) {
      const unsigned n = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
      for (unsigned e = 0; e < n; ++e) inspect_pieces(b, store, b.CreateExtractValue(v, e));
      return;
    }
    const uint64_t size = layout_.getTypeSizeInBits(type);
    if (size < 64) return;
    if (type->isPtrOrPtrVectorTy()) {
      v = b.CreatePtrToInt(v, layout_.getIntPtrType(type));
    }
    if (!v->getType()->isIntegerTy()) v = b.CreateBitCast(v, b.getIntNTy(size));
    for (uint64_t from = 0; from + 64 <= size; from += 64) {
      Value* const piece = b.CreateTrunc(from == 0 ? v : b.CreateLShr(v, from), runtime_.i64);
      inspect(b, store, piece, store.getPointerOperand());
    }
  }

  Value* bits(IRBuilder<>& b, Value* v, unsigned from) {
    if (!v->getType()->isIntegerTy()) v = b.CreateBitCast(v, runtime_.i64);
    if (from > 0) v = b.CreateLShr(v, from);
    return b.CreateZExtOrTrunc(v, runtime_.i64);
  }

  static Value* pointer_of(Value* v) {
    if (v->getType()->isPointerTy()) return v;
    auto* integer = dyn_cast<PtrToIntInst>(v);
    return integer ? integer->getPointerOperand() : nullptr;
  }

  void compare_or_subtract(Instruction& i) {
    Value* const a = pointer_of(i.getOperand(0));
    Value* const b = pointer_of(i.getOperand(1));
    if (!a || !b || (is_fixed(a) && is_fixed(b))) return;
    if (getUnderlyingObject(a, 0) == getUnderlyingObject(b, 0)) return;
    pairs_.push_back({&i, a, b});
  }

  // A value from memory, or from a library function.
  void from_memory(Instruction& i) {
    const Type* type = i.getType();
    if (type->isIntegerTy(64) || type->isIntegerTy(128) || type->isDoubleTy()) values_.push_back(&i);
  }

  void look_at_load(LoadInst& load) {
    Type* type = load.getType();
    const Value* object = getUnderlyingObject(load.getPointerOperand(), 0);
    if (const uint64_t bytes = layout_.getTypeStoreSize(type); bytes >= kWord && load.getAlign() < kWord) {
      Value* const aligned = ConstantPointerNull::get(PointerType::getUnqual(load.getContext()));
      copies_.push_back({&load, aligned, load.getPointerOperand(), ConstantInt::get(runtime_.i64, bytes)});
    }
    if (type->isPointerTy()) return;
    if (const auto* constant = dyn_cast<GlobalVariable>(object); constant && constant->isConstant()) return;
    if (type->isIntegerTy(64) || type->isIntegerTy(128) || type->isDoubleTy()) {
      if (type->isDoubleTy() ? !only_stored(load) : !uses_.are_harmless(load)) values_.push_back(&load);
      return;
    }
    const auto* local = dyn_cast<AllocaInst>(object);
    const uint64_t size = layout_.getTypeStoreSize(type);
    if (load.isAtomic() || (size >= kWord && only_stored(load))) return;
    if (size > kWord || (local && local_may_hold_address(*local))) {
      bytes_.push_back({&load, load.getPointerOperand(), ConstantInt::get(runtime_.i64, size)});
    }
  }

  void look_at_store(StoreInst& store) {
    const uint64_t size = layout_.getTypeStoreSize(store.getValueOperand()->getType());
    if (store.getAlign() >= kWord || size < kWord || isa<Constant>(store.getValueOperand())) return;
    stores_.push_back(&store);
  }

  void look_at_copy(MemTransferInst& copy) {
    const auto* length = dyn_cast<ConstantInt>(copy.getLength());
    const auto is_aligned = [](MaybeAlign align) { return align && *align >= kWord; };
    if (is_fixed(copy.getRawSource())) return;
    if (length && length->getZExtValue() % kWord == 0 && is_aligned(copy.getDestAlign()) &&
        is_aligned(copy.getSourceAlign())) {
      return;
    }
    copies_.push_back({&copy, copy.getRawDest(), copy.getRawSource(), copy.getLength()});
  }

  static bool only_stored(const Instruction& i) {
    return all_of(i.users(), [](const User* u) { return isa<StoreInst>(u); });
  }

  bool local_may_hold_address(const AllocaInst& local) {
    const auto [it, is_new] = locals_.try_emplace(&local, false);
    if (is_new) it->second = may_hold_address(local);
    return it->second;
  }

  // Whether an address that is in memory stays one.
  bool keeps_addresses(const AtomicRMWInst& rmw) const {
    const Value* operand = rmw.getValOperand();
    switch (rmw.getOperation()) {
      case AtomicRMWInst::Xchg: return true;
      case AtomicRMWInst::Or:
      case AtomicRMWInst::Xor: return is_below(operand, kLowBits + 1, layout_);
      case AtomicRMWInst::And: return is_low_mask(operand) || is_high_mask(operand);
      case AtomicRMWInst::Add:
      case AtomicRMWInst::Sub: return is_below(operand, kMaxOffset, layout_);
      default: return false;
    }
  }

  void look_at_call(CallBase& call) {
    Function* callee = call.getCalledFunction();
    if (isa<IntrinsicInst>(call) || is_runtime(callee)) return;
    if (!callee || callee->isDeclaration()) {
      if (callee && !uses_.are_harmless(call)) from_memory(call);
      for (const ByteReader& r : kByteReaders) {
        if (!callee || callee->getName() != r.name || call.arg_size() <= r.length) continue;
        for (const unsigned n : {r.first, r.second})
          bytes_.push_back({&call, call.getArgOperand(n), call.getArgOperand(r.length)});
      }
    }
    if (callee && callee->getName().starts_with("_ZNSo9_M_insertIPKvE")) show(call, 1);
    if (!call.getFunctionType()->isVarArg()) return;
    for (const Printer& p : kPrinters) {
      if (callee && callee->isDeclaration() && callee->getName() == p.name && call.arg_size() > p.format &&
          prints_no_address(call.getArgOperand(p.format))) {
        return;
      }
    }
    show(call, call.getFunctionType()->getNumParams());
  }

  void show(CallBase& call, unsigned from) {
    for (unsigned n = from; n < call.arg_size(); ++n) {
      Value* v = call.getArgOperand(n);
      if (v->getType()->isPointerTy() && !is_fixed(v)) shown_.emplace_back(&call, v);
    }
  }

  const DataLayout& layout_;
  Runtime& runtime_;
  Sites& sites_;
  Uses uses_;
  DenseMap<const AllocaInst*, bool> locals_;
  SmallVector<Instruction*> values_;
  SmallVector<Pair> pairs_;
  SmallVector<Pair> bytes_;
  SmallVector<StoreInst*> stores_;
  SmallVector<Copy> copies_;
  SmallVector<std::pair<Instruction*, Value*>> shown_;
};

}  // namespace

void watch_addresses(Module& module, Runtime& runtime, Sites& sites) {
  Watcher watcher(module, runtime, sites);
  for (Function& f : module) {
    for (Instruction& i : instructions(f)) watcher.look_at(i);
  }
  watcher.report();
}

}  // namespace heddle::frontend
