// Rewrites that come before the question which memory is private: library calls that are atomic accesses in disguise,
// variable arguments, futexes that may have bit sets.
#include <linux/futex.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <sys/syscall.h>

#include <optional>

#include "core/error.hpp"
#include "frontend/checks/checks.hpp"
#include "frontend/rewrite/rewrite.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

// A call such as __atomic_fetch_add_4(p, v, order) or __atomic_load(size, p, out, order).
struct AtomicCall {
  CallInst* call;
  StringRef operation;  // "load", "fetch_add", …
  uint64_t size = 0;
  unsigned first = 0;  // the argument that is the address

  Value* argument(unsigned i) const { return call->getArgOperand(first + i); }
  bool generic() const { return first == 1; }
};

[[noreturn]] void refuse(const Instruction& i, Sites& sites, const std::string& what) {
  throw UserError(sites.where(i) + ": " + what);
}

std::optional<AtomicCall> parse(CallInst& call, Sites& sites) {
  const Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return {};
  StringRef name = callee->getName();
  if (!name.consume_front("__atomic_")) return {};
  AtomicCall a{&call, name};
  if (const auto [operation, digits] = name.rsplit('_'); !digits.getAsInteger(10, a.size)) {
    a.operation = operation;
  } else if (is_contained({"load", "store", "exchange", "compare_exchange"}, name)) {
    a.first = 1;
    const auto* size = dyn_cast<ConstantInt>(call.getArgOperand(0));
    if (!size) refuse(call, sites, "an atomic access whose size is not a constant is not supported");
    a.size = size->getZExtValue();
  } else {
    return {};
  }
  return is_native_size(a.size) ? std::optional(a) : std::nullopt;
}

AtomicOrdering order(const AtomicCall& a, unsigned argument, Sites& sites) {
  const auto* value = dyn_cast<ConstantInt>(a.argument(argument));
  if (!value)
    refuse(*a.call, sites, "an unaligned atomic access whose memory order is not a constant is not supported");
  switch (value->getZExtValue()) {
    case 0: return AtomicOrdering::Monotonic;
    case 1:
    case 2: return AtomicOrdering::Acquire;
    case 3: return AtomicOrdering::Release;
    case 4: return AtomicOrdering::AcquireRelease;
    default: return AtomicOrdering::SequentiallyConsistent;
  }
}

std::optional<AtomicRMWInst::BinOp> rmw_operation(StringRef name) {
  if (name == "exchange") return AtomicRMWInst::Xchg;
  if (name == "fetch_add") return AtomicRMWInst::Add;
  if (name == "fetch_sub") return AtomicRMWInst::Sub;
  if (name == "fetch_and") return AtomicRMWInst::And;
  if (name == "fetch_or") return AtomicRMWInst::Or;
  if (name == "fetch_xor") return AtomicRMWInst::Xor;
  if (name == "fetch_nand") return AtomicRMWInst::Nand;
  return {};
}

// The other side of a generic call is ordinary memory, of any alignment.
Value* load_operand(IRBuilder<>& b, const AtomicCall& a, Type* type, unsigned argument) {
  return a.generic() ? b.CreateAlignedLoad(type, a.argument(argument), Align(1)) : a.argument(argument);
}

Value* compare_exchange(IRBuilder<>& b, const AtomicCall& a, Type* type, Align align, Sites& sites) {
  Value* expected = b.CreateAlignedLoad(type, a.argument(1), Align(1));
  Value* desired = load_operand(b, a, type, 2);
  const AtomicOrdering failure = AtomicCmpXchgInst::getStrongestFailureOrdering(order(a, 4, sites));
  AtomicCmpXchgInst* cas = b.CreateAtomicCmpXchg(a.argument(0), expected, desired, align, order(a, 3, sites), failure);
  Value* seen = b.CreateExtractValue(cas, 0);
  Value* done = b.CreateExtractValue(cas, 1);
  Value* result = b.CreateZExtOrTrunc(done, a.call->getType());
  b.SetInsertPoint(SplitBlockAndInsertIfThen(b.CreateNot(done), a.call, /*Unreachable=*/false));
  b.CreateAlignedStore(seen, a.argument(1), Align(1));
  return result;
}

void lower_atomic_call(const AtomicCall& a, Sites& sites) {
  IRBuilder<> b(a.call);
  Type* type = b.getIntNTy(static_cast<unsigned>(8 * a.size));
  const Align align(a.size);
  Value* result = nullptr;
  if (a.operation == "load") {
    LoadInst* load = b.CreateAlignedLoad(type, a.argument(0), align);
    load->setAtomic(order(a, a.generic() ? 2 : 1, sites));
    if (a.generic()) b.CreateAlignedStore(load, a.argument(1), Align(1));
    result = load;
  } else if (a.operation == "store") {
    Value* value = load_operand(b, a, type, 1);
    b.CreateAlignedStore(value, a.argument(0), align)->setAtomic(order(a, 2, sites));
  } else if (a.operation == "compare_exchange") {
    result = compare_exchange(b, a, type, align, sites);
  } else if (const auto operation = rmw_operation(a.operation)) {
    Value* value = load_operand(b, a, type, 1);
    AtomicOrdering o = order(a, a.generic() ? 3 : 2, sites);
    result = b.CreateAtomicRMW(*operation, a.argument(0), value, align, o);
    if (a.generic()) b.CreateAlignedStore(result, a.argument(2), Align(1));
  } else {
    return;  // an unknown function: reported with the other undefined ones
  }
  if (!a.call->getType()->isVoidTy()) a.call->replaceAllUsesWith(result);
  a.call->eraseFromParent();
}

bool lower_is_lock_free(CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || callee->getName() != "__atomic_is_lock_free") return false;
  const auto* size = dyn_cast<ConstantInt>(call.getArgOperand(0));
  const bool yes = size && is_native_size(size->getZExtValue());
  call.replaceAllUsesWith(ConstantInt::get(call.getType(), yes));
  call.eraseFromParent();
  return true;
}

// va_start fills the list natively, where the machine does not see it: fill a private one and copy.
void lower_variable_arguments(IntrinsicInst& call, Runtime& runtime) {
#if defined(__x86_64__)
  constexpr uint64_t kListSize = 24;
#elif defined(__aarch64__)
  constexpr uint64_t kListSize = 32;
#endif
  IRBuilder<> b(&call);
  if (call.getIntrinsicID() == Intrinsic::vastart) {
    IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
    AllocaInst* list = entry.CreateAlloca(ArrayType::get(entry.getInt8Ty(), kListSize), nullptr, kOwn);
    list->setAlignment(Align(16));
    CallInst* start = b.CreateIntrinsic(Intrinsic::vastart, {runtime.ptr}, {list});
    start->addParamAttr(0, Attribute::NoCapture);
    b.CreateMemCpy(call.getArgOperand(0), Align(8), list, Align(16), kListSize);
  } else if (call.getIntrinsicID() == Intrinsic::vacopy) {
    b.CreateMemCpy(call.getArgOperand(0), Align(8), call.getArgOperand(1), Align(8), kListSize);
  } else if (call.getIntrinsicID() != Intrinsic::vaend) {
    return;
  }
  call.eraseFromParent();
}

// The name of the library that says what this call of syscall may be: a futex with a bit set other than
// FUTEX_BITSET_MATCH_ANY, one that moves threads to another word, or both.
StringRef syscall_name(const Use& use) {
  constexpr StringRef kAnyKind = "__heddle_syscall_of_any_kind";
  const auto* user = dyn_cast<CallBase>(use.getUser());
  if (!user || !user->isCallee(&use)) return kAnyKind;
  const CallBase& call = *user;
  if (call.arg_size() < 3) return "syscall";
  const auto constant = [&](unsigned i) {
    const auto* c = i < call.arg_size() ? dyn_cast<ConstantInt>(call.getArgOperand(i)) : nullptr;
    return c ? std::optional(static_cast<uint32_t>(c->getZExtValue())) : std::nullopt;
  };
  const auto number = constant(0), operation = constant(2), bits = constant(6);
  if (number && number != SYS_futex) return "syscall";
  if (!operation) return kAnyKind;
  switch (*operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAKE_BITSET: return bits == FUTEX_BITSET_MATCH_ANY ? "syscall" : "__heddle_syscall_with_bits";
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: return "__heddle_syscall_that_moves";
    default: return "syscall";
  }
}

}  // namespace

void name_syscalls(Module& module) {
  Function* f = module.getFunction("syscall");
  if (!f || !f->isDeclaration()) return;
  for (Use& use : make_early_inc_range(f->uses())) {
    const StringRef name = syscall_name(use);
    if (name == f->getName()) continue;
    use.set(module.getOrInsertFunction(name, f->getFunctionType(), f->getAttributes()).getCallee());
  }
}

// All of them, or none: a wait whose result is used may be that of the serial thread unless another one is.
void name_barrier_waits(Module& module) {
  Function* f = module.getFunction("pthread_barrier_wait");
  if (!f || !f->isDeclaration()) return;
  const auto is_unused = [&](const Use& use) {
    const auto* call = dyn_cast<CallBase>(use.getUser());
    return call && call->isCallee(&use) && call->use_empty();
  };
  if (all_of(f->uses(), is_unused)) f->setName("__heddle_barrier_pass");
}

void lower_calls(Function& f, Runtime& runtime, Sites& sites) {
  SmallVector<CallInst*> calls;
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    // An __atomic_* function does not throw, whatever its declaration says.
    if (auto* invoke = dyn_cast<InvokeInst>(&i)) {
      const Function* callee = invoke->getCalledFunction();
      if (callee && callee->isDeclaration() && callee->getName().starts_with("__atomic_")) {
        calls.push_back(changeToCall(invoke));
      }
    } else if (auto* call = dyn_cast<CallInst>(&i)) {
      calls.push_back(call);
    }
  }
  for (CallInst* call : calls) {
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(call)) {
      lower_variable_arguments(*intrinsic, runtime);
    } else if (!lower_is_lock_free(*call)) {
      if (const auto atomic = parse(*call, sites)) lower_atomic_call(*atomic, sites);
    }
  }
}

}  // namespace heddle::frontend
