// Atomic accesses that need a lock (library/compiled/atomics.c): of sizes that processors have no instructions for, and
// of members of packed structures, unless they happen to be aligned when the program runs.
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/AtomicOrdering.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "core/assert.hpp"
#include "frontend/rewrite/rewrite.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

class OddAtomics {
 public:
  explicit OddAtomics(Module& module) : module_(module) {}

  void run() {
    for (const StringRef name : {"load", "store", "exchange", "compare_exchange"}) {
      Function* f = module_.getFunction(("__atomic_" + name).str());
      if (f && f->isDeclaration()) lock_calls(*f, ("__heddle_locked_" + name).str());
    }
    SmallVector<Instruction*> unaligned;
    for (Function& f : module_) {
      for (Instruction& i : instructions(f)) {
        if (i.isAtomic() && may_be_unaligned(i)) unaligned.push_back(&i);
      }
    }
    for (Instruction* i : unaligned) lock(*i);
    HEDDLE_ASSERT(none_of(unaligned, [&](Instruction* i) { return may_be_unaligned(*i); }));
  }

 private:
  void lock_calls(Function& f, const std::string& locked) {
    for (User* user : make_early_inc_range(f.users())) {
      auto* call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledFunction() != &f) continue;
      const auto* size = dyn_cast<ConstantInt>(call->getArgOperand(0));
      if (!size) continue;
      if (!is_native_size(size->getZExtValue())) {
        call->setCalledFunction(module_.getOrInsertFunction(locked, f.getFunctionType()));
      } else if (auto* native = isa<InvokeInst>(call) ? changeToCall(cast<InvokeInst>(call)) : cast<CallInst>(call);
                 may_be_unaligned(native->getArgOperand(1), size->getZExtValue())) {
        split(*native, native->getArgOperand(1), size->getZExtValue(), [&](IRBuilder<>& b) -> Value* {
          return b.CreateCall(module_.getOrInsertFunction(locked, f.getFunctionType()),
                              SmallVector<Value*>(native->args()));
        });
      }
    }
  }

  bool may_be_unaligned(Value* address, uint64_t size) const {
    return getKnownAlignment(address, module_.getDataLayout()).value() < size;
  }
  bool may_be_unaligned(Instruction& i) const {
    if (!isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(i)) return false;
    const uint64_t size = size_of(i);
    return is_native_size(size) && alignment_of(i).value() < size && may_be_unaligned(address_of(i), size);
  }
  static Value* address_of(Instruction& i) { return i.getOperand(isa<StoreInst>(i) ? 1 : 0); }
  uint64_t size_of(Instruction& i) const {
    const auto* store = dyn_cast<StoreInst>(&i);
    const auto* cas = dyn_cast<AtomicCmpXchgInst>(&i);
    const Type* type = store ? store->getValueOperand()->getType()
                       : cas ? cas->getCompareOperand()->getType()
                             : i.getType();
    return module_.getDataLayout().getTypeStoreSize(const_cast<Type*>(type));
  }
  static Align alignment_of(Instruction& i) {
    if (const auto* rmw = dyn_cast<AtomicRMWInst>(&i)) return rmw->getAlign();
    if (const auto* cas = dyn_cast<AtomicCmpXchgInst>(&i)) return cas->getAlign();
    return getLoadStoreAlignment(&i);
  }

  // The access is as it was where it is aligned; else it is what `locked` makes.
  template <class Locked>
  void split(Instruction& access, Value* address, uint64_t size, const Locked& locked) {
    IRBuilder<> b(&access);
    Value* rest = b.CreateAnd(b.CreatePtrToInt(address, b.getInt64Ty()), b.getInt64(size - 1));
    Instruction *aligned = nullptr, *unaligned = nullptr;
    SplitBlockAndInsertIfThenElse(b.CreateIsNull(rest), access.getIterator(), &aligned, &unaligned);
    BasicBlock* const after = access.getParent();
    access.moveBefore(aligned);
    b.SetInsertPoint(unaligned);
    Value* other = locked(b);
    if (access.getType()->isVoidTy()) return;
    b.SetInsertPoint(after, after->begin());
    PHINode* result = b.CreatePHI(access.getType(), 2);
    access.replaceAllUsesWith(result);
    result->addIncoming(&access, aligned->getParent());
    result->addIncoming(other, unaligned->getParent());
  }

  void call(IRBuilder<>& b, StringRef name, Value* address, AtomicOrdering order) {
    Value* number = b.getInt32(static_cast<uint32_t>(toCABI(order)));
    b.CreateCall(module_.getOrInsertFunction(name, b.getVoidTy(), b.getPtrTy(), b.getInt32Ty()), {address, number});
  }

  void lock(Instruction& i) {
    Value* const address = address_of(i);
    const auto locked = [&](IRBuilder<>& b, AtomicOrdering order, const auto& access) -> Value* {
      call(b, "__heddle_locked_begin", address, order);
      Value* result = access();
      call(b, "__heddle_locked_end", address, order);
      return result;
    };
    const Align align(size_of(i));
    split(i, address, size_of(i), [&](IRBuilder<>& b) -> Value* {
      if (auto* load = dyn_cast<LoadInst>(&i)) {
        load->setAlignment(align);
        return locked(b, load->getOrdering(), [&] { return b.CreateAlignedLoad(load->getType(), address, Align(1)); });
      }
      if (auto* store = dyn_cast<StoreInst>(&i)) {
        store->setAlignment(align);
        return locked(b, store->getOrdering(),
                      [&] { return b.CreateAlignedStore(store->getValueOperand(), address, Align(1)); });
      }
      if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
        rmw->setAlignment(align);
        return locked(b, rmw->getOrdering(), [&] {
          Value* old = b.CreateAlignedLoad(rmw->getType(), address, Align(1));
          b.CreateAlignedStore(buildAtomicRMWValue(rmw->getOperation(), b, old, rmw->getValOperand()), address,
                               Align(1));
          return old;
        });
      }
      auto& cas = cast<AtomicCmpXchgInst>(i);
      cas.setAlignment(align);
      return locked(b, cas.getMergedOrdering(), [&] { return exchange_if_equal(b, cas); });
    });
  }

  // As plain accesses.
  static Value* exchange_if_equal(IRBuilder<>& b, AtomicCmpXchgInst& cas) {
    Value* const address = cas.getPointerOperand();
    Value* old = b.CreateAlignedLoad(cas.getCompareOperand()->getType(), address, Align(1));
    Value* equal = b.CreateICmpEQ(old, cas.getCompareOperand());
    Instruction* const rest = &*b.GetInsertPoint();
    b.SetInsertPoint(SplitBlockAndInsertIfThen(equal, rest->getIterator(), /*Unreachable=*/false));
    b.CreateAlignedStore(cas.getNewValOperand(), address, Align(1));
    b.SetInsertPoint(rest);
    return b.CreateInsertValue(b.CreateInsertValue(PoisonValue::get(cas.getType()), old, 0), equal, 1);
  }

  Module& module_;
};

}  // namespace

void lock_odd_atomics(Module& module) { OddAtomics(module).run(); }

}  // namespace heddle::frontend
