#include "frontend/rewrite/mark.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "frontend/assembly/assembly.hpp"
#include "frontend/checks/checks.hpp"
#include "frontend/ir/runtime.hpp"
#include "frontend/rewrite/allocations.hpp"
#include "frontend/rewrite/peeks.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// What lets a pass drop a call, or move it.
AttributeMask promises() {
  AttributeMask mask;
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree,
                                   Attribute::Speculatable, Attribute::NoCallback}) {
    mask.addAttribute(kind);
  }
  return mask;
}

// A library function that reads memory, strlen or memcmp, does so even if its result is unused. One that promises to
// leave memory alone may go, and so may one of ours.
void loosen_declaration(Function& f) {
  const bool ours = is_runtime(&f) || f.getName().starts_with("__heddle_");
  if (!f.isIntrinsic() && !ours && !f.doesNotAccessMemory()) f.removeFnAttrs(promises());
}
// To the code generator, too, memcmp is a function like any other.
void loosen(CallBase& call) {
  call.removeFnAttr(Attribute::NoInline);
  if (!call.hasFnAttr(Attribute::Builtin)) call.addFnAttr(Attribute::NoBuiltin);
  const Function* callee = call.getCalledFunction();
  if (callee && callee->isDeclaration() && (callee->isIntrinsic() || callee->doesNotAccessMemory())) return;
  call.removeFnAttrs(promises());
}

// Attributes that clang gives at -O0, or that license O2 to drop what we look for.
void loosen(Function& f) {
  f.removeFnAttrs(promises());
  for (Attribute::AttrKind kind : {Attribute::NoInline, Attribute::OptimizeNone, Attribute::MustProgress}) {
    f.removeFnAttr(kind);
  }
  f.addFnAttr(Attribute::NullPointerIsValid);
  f.addFnAttr("disable-tail-calls", "true");  // endless recursion must not become an endless loop
}

void move_lines_to_allocas(Instruction& i, bool keep_variables) {
  for (DbgVariableRecord& record : filterDbgVars(i.getDbgRecordRange())) {
    if (!record.isDbgDeclare()) continue;
    auto* const local = dyn_cast_or_null<AllocaInst>(record.getAddress());
    if (!local) continue;
    local->setDebugLoc(record.getDebugLoc());
    if (record.getExpression()->getNumElements() == 0) local->setMetadata(kVariable, record.getVariable());
  }
  if (!keep_variables) i.dropDbgRecords();
}

// What is volatile may be meant as atomic; then it is.
void drop_volatile(Instruction& i, bool relaxed) {
  if (isa<LoadInst, StoreInst>(i) && i.isVolatile() && !i.isAtomic()) {
    const DataLayout& layout = i.getDataLayout();
    Type* const type = getLoadStoreType(&i);
    const uint64_t size = layout.getTypeStoreSize(type);
    const bool whole = type->isIntOrPtrTy() || type->isFloatingPointTy();
    if (relaxed && whole && isPowerOf2_64(size) && size <= 16 && getLoadStoreAlignment(&i).value() >= size) {
      if (auto* load = dyn_cast<LoadInst>(&i)) load->setAtomic(AtomicOrdering::Monotonic);
      if (auto* store = dyn_cast<StoreInst>(&i)) store->setAtomic(AtomicOrdering::Monotonic);
    } else {
      i.setMetadata(kVolatile, MDNode::get(i.getContext(), {}));
    }
  }
  if (auto* load = dyn_cast<LoadInst>(&i)) load->setVolatile(false);
  if (auto* store = dyn_cast<StoreInst>(&i)) store->setVolatile(false);
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) rmw->setVolatile(false);
  if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&i)) cas->setVolatile(false);
  if (auto* mem = dyn_cast<MemIntrinsic>(&i)) mem->setVolatile(ConstantInt::getFalse(i.getContext()));
}

// Which local variables become registers at once, so that nothing of their loads needs to be kept.
class Registers {
 public:
  bool contains(const AllocaInst& local) {
    const auto [it, fresh] = known_.try_emplace(&local, false);
    if (fresh) it->second = isAllocaPromotable(&local);
    return it->second;
  }

 private:
  DenseMap<const AllocaInst*, bool> known_;
};

// Whether nothing is lost with the load: no other thread sees the memory, and it is plainly there.
bool may_go(const LoadInst& load, Registers& registers) {
  if (const auto* local = dyn_cast<AllocaInst>(load.getPointerOperand())) return registers.contains(*local);
  const DataLayout& layout = load.getDataLayout();
  APInt offset(64, 0);
  const Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto* global = dyn_cast<GlobalVariable>(base);
  if (!global || !global->isConstant() || global->isDeclaration()) return false;
  const uint64_t size = layout.getTypeAllocSize(global->getValueType());
  const uint64_t length = layout.getTypeStoreSize(load.getType());
  return length <= size && offset.ule(size - length);
}

void keep(LoadInst& load) {
  IRBuilder<> b(load.getNextNode());
  CallInst* call = b.CreateCall(Runtime(*load.getModule()).keep(), {&load});
  if (load.getType()->isPointerTy()) call->addParamAttr(0, Attribute::NoCapture);
}

// Whether the load could as well be made just before the store: nothing in between can write what it reads.
bool can_wait(const LoadInst& load, const StoreInst& store, Registers& registers) {
  if (load.getParent() != store.getParent()) return false;
  for (const Instruction* i = load.getNextNode(); i != &store; i = i->getNextNode()) {
    const auto* other = dyn_cast<StoreInst>(i);
    const auto* local = other ? dyn_cast<AllocaInst>(other->getPointerOperand()) : nullptr;
    if (i->mayHaveSideEffects() && !(local && registers.contains(*local))) return false;
    if (i->isAtomic()) return false;
  }
  return true;
}

// to[i] = from[i] of bytes is how a program copies what may have holes, and no use of the byte.
void find_byte_copies(Function& f, Registers& registers) {
  SmallVector<StoreInst*> found;
  for (Instruction& i : instructions(f)) {
    auto* store = dyn_cast<StoreInst>(&i);
    if (!store || !store->isSimple() || !store->getValueOperand()->getType()->isIntegerTy(8)) continue;
    const auto* load = dyn_cast<LoadInst>(store->getValueOperand());
    if (!load || !load->isSimple() || !load->hasOneUse()) continue;
    if (isa<AllocaInst>(store->getPointerOperand()) || isa<AllocaInst>(load->getPointerOperand())) continue;
    if (can_wait(*load, *store, registers)) found.push_back(store);
  }
  for (StoreInst* store : found) {
    auto* load = cast<LoadInst>(store->getValueOperand());
    IRBuilder<> b(store);
    b.SetCurrentDebugLocation(load->getDebugLoc());
    b.CreateMemCpy(store->getPointerOperand(), Align(1), load->getPointerOperand(), Align(1), 1);
    store->eraseFromParent();
    load->eraseFromParent();
  }
}

void trap_before(Instruction& i) {
  Runtime runtime(*i.getModule());
  IRBuilder<> b(&i);
  runtime.call<Entry::trap>(b, {runtime.site(kNoSite)});
}

// The operand of a barrier of AArch64 says which accesses it orders: 1 loads, 2 stores, in its lowest two bits.
AtomicOrdering barrier(const IntrinsicInst& call) {
  const auto* option = dyn_cast<ConstantInt>(call.getArgOperand(0));
  const uint64_t which = option ? option->getZExtValue() & 3 : 3;
  if (which == 1) return AtomicOrdering::Acquire;
  if (which == 2) return AtomicOrdering::Release;
  return AtomicOrdering::SequentiallyConsistent;
}

// Whether it is gone.
bool lower_intrinsic(IntrinsicInst& call) {
  IRBuilder<> b(&call);
  switch (call.getIntrinsicID()) {
    case Intrinsic::trap:
    case Intrinsic::ubsantrap:
    case Intrinsic::debugtrap: trap_before(call); break;
    case Intrinsic::x86_sse2_mfence: b.CreateFence(AtomicOrdering::SequentiallyConsistent); break;
    case Intrinsic::x86_sse_sfence: b.CreateFence(AtomicOrdering::Release); break;
    case Intrinsic::x86_sse2_lfence: b.CreateFence(AtomicOrdering::Acquire); break;
    case Intrinsic::aarch64_dmb:
    case Intrinsic::aarch64_dsb: b.CreateFence(barrier(call)); break;
    case Intrinsic::aarch64_hint:
    case Intrinsic::aarch64_isb:
    case Intrinsic::x86_sse2_pause:
    case Intrinsic::prefetch: break;
    default:
      if (!isa<DbgInfoIntrinsic>(call)) return false;
  }
  call.eraseFromParent();
  return true;
}

// std::allocator<char> and <wchar_t>: constructors and destructors that live in libstdc++.so and do nothing.
bool is_empty_library_function(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return false;
  StringRef name = callee->getName();
  if (!name.consume_front("_ZNSaI") || !(name.consume_front("c") || name.consume_front("w"))) return false;
  return is_contained({"EC1Ev", "EC2Ev", "EC1ERKS_", "EC2ERKS_", "ED1Ev", "ED2Ev"}, name);
}

void drop(CallBase& call) {
  auto* invoke = dyn_cast<InvokeInst>(&call);
  CallInst* plain = invoke ? changeToCall(invoke) : cast<CallInst>(&call);
  plain->eraseFromParent();
}

// LLVM copies a by-value argument where no pass sees it, and it is gone when the call has returned. A copy in the open
// is an access like any other; the function gets its address. Only functions of the library want the argument where the
// ABI puts it, and va_arg.
void copy_by_value_arguments(CallBase& call) {
  for (unsigned a = 0; a < call.arg_size(); ++a) {
    if (!call.isByValArgument(a)) continue;
    const DataLayout& layout = call.getDataLayout();
    Type* type = call.getParamByValType(a);
    const Align align = call.getParamAlign(a).value_or(layout.getABITypeAlign(type));
    IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
    AllocaInst* copy = entry.CreateAlloca(type, nullptr, "byval");
    copy->setAlignment(align);
    IRBuilder<> b(&call);
    b.CreateLifetimeStart(copy, b.getInt64(layout.getTypeAllocSize(type)));
    b.CreateMemCpy(copy, align, call.getArgOperand(a), align, layout.getTypeAllocSize(type));
    call.setArgOperand(a, copy);
    if (Instruction* const next = after(call)) IRBuilder<>(next).CreateLifetimeEnd(copy, nullptr);
    const Function* callee = call.getCalledFunction();
    const bool named = a < call.getFunctionType()->getNumParams();
    if (named && (!callee || !callee->isDeclaration())) call.removeParamAttr(a, Attribute::ByVal);
  }
}

bool may_trap(const BinaryOperator& division) {
  if (!division.isIntDivRem() || !division.getType()->isIntegerTy()) return false;
  const auto* divisor = dyn_cast<ConstantInt>(division.getOperand(1));
  return !divisor || divisor->isZero() || divisor->isMinusOne();
}

// To an optimiser a division says that its divisor is not 0, and one whose result is not used says nothing at all. A
// test in the open stays.
void check_division(BinaryOperator& division) {
  Runtime runtime(*division.getModule());
  IRBuilder<> b(&division);
  Value* divisor = division.getOperand(1);
  Type* type = division.getType();
  Value* bad = b.CreateICmpEQ(divisor, ConstantInt::get(type, 0));
  if (division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem) {
    Value* least = ConstantInt::get(type, APInt::getSignedMinValue(type->getIntegerBitWidth()));
    Value* overflow = b.CreateAnd(b.CreateICmpEQ(division.getOperand(0), least),
                                  b.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)));
    bad = b.CreateOr(bad, overflow);
  }
  Instruction* end = SplitBlockAndInsertIfThen(bad, &division, /*Unreachable=*/true);
  IRBuilder<> cold(end);
  cold.SetCurrentDebugLocation(division.getDebugLoc());
  runtime.call<Entry::division>(cold, {runtime.site(kNoSite)});
}

// if (!condition) __heddle_assumption(); the same for what is assumed of a pointer's alignment.
void check_assumption(AssumeInst& assume) {
  IRBuilder<> b(&assume);
  Value* bad = b.CreateNot(assume.getArgOperand(0));
  for (unsigned i = 0; i < assume.getNumOperandBundles(); ++i) {
    const OperandBundleUse bundle = assume.getOperandBundleAt(i);
    if (bundle.getTagName() != "align" || bundle.Inputs.size() < 2) continue;
    Value* place = b.CreatePtrToInt(bundle.Inputs[0], b.getInt64Ty());
    if (bundle.Inputs.size() > 2) place = b.CreateSub(place, b.CreateZExtOrTrunc(bundle.Inputs[2], b.getInt64Ty()));
    Value* align = b.CreateZExtOrTrunc(bundle.Inputs[1], b.getInt64Ty());
    bad = b.CreateOr(bad, b.CreateIsNotNull(b.CreateAnd(place, b.CreateSub(align, b.getInt64(1)))));
  }
  const auto* constant = dyn_cast<ConstantInt>(bad);
  if (!constant || !constant->isZero()) {
    Runtime runtime(*assume.getModule());
    IRBuilder<> cold(SplitBlockAndInsertIfThen(bad, &assume, /*Unreachable=*/true));
    cold.SetCurrentDebugLocation(assume.getDebugLoc());
    runtime.call<Entry::assumption>(cold, {runtime.site(kNoSite)});
  }
  assume.eraseFromParent();
}

// The padding of a long double of x86 has a value, and always the same one: atomic accesses compare it.
void fill_padding(StoreInst& store) {
  IRBuilder<> b(store.getNextNode());
  Value* padding = b.CreatePtrAdd(store.getPointerOperand(), b.getInt64(10));
  b.CreateAlignedStore(b.getIntN(48, 0), padding, Align(2));
}

bool is_reachable_by_mistake(const UnreachableInst& end) {
  const auto* before = dyn_cast_or_null<CallInst>(end.getPrevNode());
  return !before || !before->doesNotReturn();
}

// Clang looks at the guard of a function's static variable before it calls __cxa_guard_acquire. The call does all that
// is needed, and leaves the machine free to keep more than two states in the guard.
bool is_guard_check(const LoadInst& load) {
  return load.isAtomic() && load.getType()->isIntegerTy(8) && load.getPointerOperand()->getName().starts_with("_ZGV");
}

void mark(Function& f, const MarkOptions& options) {
  loosen(f);
  mark_peeks(f);
  const bool keep_volatile = f.callsFunctionThatReturnsTwice();
  for (unsigned a = 0; a < f.arg_size(); ++a) f.removeParamAttr(a, Attribute::ByVal);
  Registers registers;
  if (!keep_volatile) find_byte_copies(f, registers);
  SmallVector<BinaryOperator*> divisions;
  SmallVector<AssumeInst*> assumptions;
  SmallVector<IntrinsicInst*> intrinsics;
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    move_lines_to_allocas(i, options.keep_variables);
    if (!keep_volatile) drop_volatile(i, options.volatile_is_relaxed);
    if (auto* call = dyn_cast<CallBase>(&i)) {
      loosen(*call);
      copy_by_value_arguments(*call);
    }
    if (auto* assume = dyn_cast<AssumeInst>(&i)) {
      assumptions.push_back(assume);
    } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(&i)) {
      if (!lower_intrinsic(*intrinsic)) intrinsics.push_back(intrinsic);
    } else if (auto* call = dyn_cast<CallInst>(&i); call && call->isInlineAsm()) {
      lower_assembly(*call);
    } else if (auto* library = dyn_cast<CallBase>(&i); library && is_empty_library_function(*library)) {
      drop(*library);
    } else if (auto* end = dyn_cast<UnreachableInst>(&i)) {
      if (is_reachable_by_mistake(*end)) trap_before(*end);
    } else if (auto* fence = dyn_cast<FenceInst>(&i)) {
      if (fence->getSyncScopeID() == SyncScope::SingleThread) fence->eraseFromParent();
    } else if (auto* check = dyn_cast<LoadInst>(&i); check && is_guard_check(*check)) {
      check->replaceAllUsesWith(ConstantInt::getNullValue(check->getType()));
      check->eraseFromParent();
    } else if (auto* load = dyn_cast<LoadInst>(&i); load && !load->isAtomic()) {
      if (!may_go(*load, registers)) keep(*load);
    } else if (auto* store = dyn_cast<StoreInst>(&i); store && store->getValueOperand()->getType()->isX86_FP80Ty()) {
      fill_padding(*store);
    } else if (auto* division = dyn_cast<BinaryOperator>(&i); division && may_trap(*division)) {
      divisions.push_back(division);
    }
  }
  mark_allocations(f);
  for (BinaryOperator* division : divisions) check_division(*division);
  for (AssumeInst* assume : assumptions) check_assumption(*assume);
  for (IntrinsicInst* intrinsic : intrinsics) lower_masked(*intrinsic);
  mark_temporaries(f);
  end_locals_on_unwinding(f);
}

}  // namespace

void mark(Module& module, const MarkOptions& options) {
  for (Function& f : module) {
    if (f.isDeclaration()) loosen_declaration(f);
  }
  for (Function& f : module) {
    if (!f.isDeclaration()) mark(f, options);
  }
}

}  // namespace heddle::frontend
