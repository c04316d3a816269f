#include "frontend/mark.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "frontend/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// Attributes that clang gives at -O0, or that license O2 to drop what we look for.
void loosen(Function& f) {
  for (Attribute::AttrKind kind : {Attribute::NoInline, Attribute::OptimizeNone, Attribute::MustProgress}) {
    f.removeFnAttr(kind);
  }
  f.addFnAttr(Attribute::NullPointerIsValid);
  f.addFnAttr("disable-tail-calls", "true");  // endless recursion must not become an endless loop
}

void move_lines_to_allocas(Instruction& i) {
  for (DbgVariableRecord& record : filterDbgVars(i.getDbgRecordRange())) {
    if (!record.isDbgDeclare()) continue;
    if (auto* local = dyn_cast_or_null<AllocaInst>(record.getAddress())) local->setDebugLoc(record.getDebugLoc());
  }
  i.dropDbgRecords();
}

void drop_volatile(Instruction& i) {
  if (auto* load = dyn_cast<LoadInst>(&i)) load->setVolatile(false);
  if (auto* store = dyn_cast<StoreInst>(&i)) store->setVolatile(false);
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) rmw->setVolatile(false);
  if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&i)) cas->setVolatile(false);
  if (auto* mem = dyn_cast<MemIntrinsic>(&i)) mem->setVolatile(ConstantInt::getFalse(i.getContext()));
}

// load, and ("bf.clear"), or ("bf.set"), store: see CGExpr's bit-field stores. Reading a bit-field has no "bf.set".
bool is_bit_field_store(const LoadInst& load) {
  if (!load.getName().starts_with("bf.load")) return false;
  for (const User* clear : load.users()) {
    if (!clear->getName().starts_with("bf.clear")) continue;
    for (const User* set : clear->users()) {
      if (set->getName().starts_with("bf.set")) return true;
    }
  }
  return false;
}

// Whether the load can only be of memory that no other thread sees. What it says of a pointer that came
// through a variable is "no", long before the variable is in a register.
bool is_certainly_private(const LoadInst& load) {
  const Value* object = getUnderlyingObject(load.getPointerOperand(), 0);
  const auto* global = dyn_cast<GlobalVariable>(object);
  return isa<AllocaInst>(object) || (global && global->isConstant());
}

void keep(LoadInst& load) {
  Module& m = *load.getModule();
  Function* f = m.getFunction(kKeep);
  if (!f) {
    f = Function::Create(FunctionType::get(Type::getVoidTy(m.getContext()), true), Function::ExternalLinkage, kKeep, m);
    f->addFnAttr(kRuntimeAttribute);
    f->setDoesNotThrow();
    f->setWillReturn();
    f->setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Mod));
  }
  IRBuilder<> b(load.getNextNode());
  CallInst* call = b.CreateCall(f, {&load});
  if (load.getType()->isPointerTy()) call->addParamAttr(0, Attribute::NoCapture);
}

// What an instruction without operands does, if it is one that we know, of x86-64 or AArch64.
enum class Assembly { unknown, nothing, fence, load_fence, store_fence };

Assembly meaning(StringRef text) {
  std::string word;
  for (char c : text) {
    if (!isSpace(c) && c != ';') word += toLower(c);
  }
  const auto is = [&](std::initializer_list<StringRef> words) { return is_contained(words, word); };
  if (is({"", "pause", "repnop", "repznop", "nop", "yield", "isb", "isbsy", "wfe", "sev", "sevl"}))
    return Assembly::nothing;
  if (is({"mfence", "dmbish", "dmbsy", "dsbish", "dsbsy"})) return Assembly::fence;
  if (is({"lfence", "dmbishld", "dmbld", "dsbishld", "dsbld"})) return Assembly::load_fence;
  if (is({"sfence", "dmbishst", "dmbst", "dsbishst", "dsbst"})) return Assembly::store_fence;
  return Assembly::unknown;
}

// The argument that an output of an empty assembly statement is tied to: asm("" : "+r"(x)). Null: there is none.
Value* tied_argument(const CallInst& call, const InlineAsm::ConstraintInfoVector& constraints, unsigned output) {
  unsigned argument = 0;
  for (unsigned c = 0; c < constraints.size(); ++c) {
    if (constraints[c].Type == InlineAsm::isClobber) continue;
    if (constraints[c].Type == InlineAsm::isOutput && !constraints[c].isIndirect) continue;
    if (static_cast<int>(c) == constraints[output].MatchingInput) return call.getArgOperand(argument);
    ++argument;
  }
  return nullptr;
}

// Replaces a statement that only restrains the compiler. Leaves others for the instrumentation to refuse: the
// code may turn out to be unused.
void lower_assembly(CallInst& call) {
  const auto* assembly = cast<InlineAsm>(call.getCalledOperand());
  const Assembly what = meaning(assembly->getAsmString());
  if (what == Assembly::unknown) return;
  IRBuilder<> b(&call);
  if (!call.getType()->isVoidTy()) {
    const InlineAsm::ConstraintInfoVector constraints = assembly->ParseConstraints();
    SmallVector<Value*, 4> outputs;
    for (unsigned c = 0; c < constraints.size(); ++c) {
      if (constraints[c].Type == InlineAsm::isOutput && !constraints[c].isIndirect) {
        outputs.push_back(tied_argument(call, constraints, c));
      }
    }
    Value* result = PoisonValue::get(call.getType());
    const bool one = !call.getType()->isStructTy();
    for (unsigned i = 0; i < outputs.size(); ++i) {
      Type* wanted = one ? call.getType() : call.getType()->getStructElementType(i);
      if (!outputs[i] || outputs[i]->getType() != wanted) return;
      result = one ? outputs[i] : b.CreateInsertValue(result, outputs[i], i);
    }
    call.replaceAllUsesWith(result);
  }
  if (what == Assembly::fence) b.CreateFence(AtomicOrdering::SequentiallyConsistent);
  if (what == Assembly::load_fence) b.CreateFence(AtomicOrdering::Acquire);
  if (what == Assembly::store_fence) b.CreateFence(AtomicOrdering::Release);
  call.eraseFromParent();
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

void lower_intrinsic(IntrinsicInst& call) {
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
      if (!isa<DbgInfoIntrinsic>(call)) return;
  }
  call.eraseFromParent();
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

// LLVM copies a by-value argument where no pass sees it. A copy in the open is an access like any other.
void copy_by_value_arguments(CallBase& call) {
  for (unsigned a = 0; a < call.arg_size(); ++a) {
    if (!call.isByValArgument(a)) continue;
    const DataLayout& layout = call.getDataLayout();
    Type* type = call.getParamByValType(a);
    const Align align = call.getParamAlign(a).value_or(layout.getABITypeAlign(type));
    IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
    AllocaInst* copy = entry.CreateAlloca(type);
    copy->setAlignment(align);
    IRBuilder<> b(&call);
    b.CreateMemCpy(copy, align, call.getArgOperand(a), align, layout.getTypeAllocSize(type));
    call.setArgOperand(a, copy);
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

bool is_reachable_by_mistake(const UnreachableInst& end) {
  const auto* before = dyn_cast_or_null<CallInst>(end.getPrevNode());
  return !before || !before->doesNotReturn();
}

// Clang looks at the guard of a function's static variable before it calls __cxa_guard_acquire. The call does all that
// is needed, and leaves the machine free to keep more than two states in the guard.
bool is_guard_check(const LoadInst& load) {
  return load.isAtomic() && load.getType()->isIntegerTy(8) && load.getPointerOperand()->getName().starts_with("_ZGV");
}

void mark(Function& f) {
  loosen(f);
  const bool keep_volatile = f.callsFunctionThatReturnsTwice();
  SmallVector<BinaryOperator*> divisions;
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    move_lines_to_allocas(i);
    if (!keep_volatile) drop_volatile(i);
    if (auto* call = dyn_cast<CallBase>(&i)) {
      call->removeFnAttr(Attribute::NoInline);
      copy_by_value_arguments(*call);
    }
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(&i)) {
      lower_intrinsic(*intrinsic);
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
      if (is_bit_field_store(*load)) load->setMetadata(kPeek, MDNode::get(f.getContext(), {}));
      if (!is_certainly_private(*load)) keep(*load);
    } else if (auto* division = dyn_cast<BinaryOperator>(&i); division && may_trap(*division)) {
      divisions.push_back(division);
    }
  }
  for (BinaryOperator* division : divisions) check_division(*division);
}

}  // namespace

void mark(Module& module) {
  for (Function& f : module) {
    if (!f.isDeclaration()) mark(f);
  }
}

}  // namespace heddle::frontend
