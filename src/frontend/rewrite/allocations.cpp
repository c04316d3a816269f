#include "frontend/rewrite/allocations.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/InstIterator.h>

#include "frontend/ir/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

bool allocates(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return false;
  static const StringSet<> kNames = {"malloc", "calloc", "realloc", "aligned_alloc", "memalign"};
  const StringRef name = callee->getName();
  return kNames.contains(name) || name.starts_with("_Znwm") || name.starts_with("_Znam");
}

const DIType* unqualified(const DIType* type) {
  while (const auto* derived = dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_restrict_type:
      case dwarf::DW_TAG_atomic_type:
      case dwarf::DW_TAG_typedef: type = derived->getBaseType(); continue;
      default: return type;
    }
  }
  return type;
}

// What the pointer points to; null if that says nothing.
const DIType* pointee(const DIType* pointer) {
  const auto* derived = dyn_cast_or_null<DIDerivedType>(unqualified(pointer));
  if (!derived || derived->getTag() != dwarf::DW_TAG_pointer_type) return nullptr;
  const DIType* type = derived->getBaseType();
  const DIType* plain = unqualified(type);
  if (!plain || isa<DISubroutineType>(plain) || plain->getSizeInBits() <= 8) return nullptr;
  return type;
}

const DIType* constructed_by(const Function& f) {
  const DISubprogram* info = f.getSubprogram();
  const auto* type = info ? dyn_cast_or_null<DICompositeType>(info->getScope()) : nullptr;
  return type && type->getName().split('<').first == info->getName() ? type : nullptr;
}

// Of the n-th parameter, as the program writes it; 0: the result.
const DIType* type_in(const Function& f, unsigned n) {
  const DISubprogram* info = f.getSubprogram();
  const DISubroutineType* type = info ? info->getType() : nullptr;
  if (!type || (n > 0 && type->getTypeArray().size() != f.arg_size() + 1)) return nullptr;
  const DITypeRefArray types = type->getTypeArray();
  return n < types.size() ? types[n] : nullptr;
}

class Allocated {
 public:
  const DIType* type(const CallBase& call) {
    follow(call, 0);
    for (const DIType* t : {constructed_, kept_, returned_, passed_}) {
      if (t && fits(*t, call)) return t;
    }
    return nullptr;
  }

 private:
  static constexpr unsigned kDepth = 4;

  void follow(const Value& pointer, unsigned depth) {
    for (const Use& use : pointer.uses()) {
      const User* user = use.getUser();
      if (const auto* store = dyn_cast<StoreInst>(user); store && use.getOperandNo() == 0) {
        const auto* local = dyn_cast<AllocaInst>(store->getPointerOperand());
        const auto* variable = local ? dyn_cast_or_null<DILocalVariable>(local->getMetadata(kVariable)) : nullptr;
        if (variable && !kept_) kept_ = pointee(variable->getType());
      } else if (const auto* exit = dyn_cast<ReturnInst>(user)) {
        if (!returned_) returned_ = pointee(type_in(*exit->getFunction(), 0));
      } else if (const auto* call = dyn_cast<CallBase>(user); call && call->isArgOperand(&use)) {
        pass(*call, call->getArgOperandNo(&use));
      } else if (isa<PHINode, SelectInst>(user) && depth < kDepth) {
        follow(*user, depth + 1);
      }
    }
  }

  void pass(const CallBase& call, unsigned argument) {
    const Function* callee = call.getCalledFunction();
    if (!callee) return;
    if (argument == 0 && !constructed_) constructed_ = constructed_by(*callee);
    if (!passed_) passed_ = pointee(type_in(*callee, argument + 1));
  }

  // Not if the block is too small for it.
  static bool fits(const DIType& type, const CallBase& call) {
    const uint64_t bytes = unqualified(&type)->getSizeInBits() / 8;
    const auto* size = call.arg_empty() ? nullptr : dyn_cast<ConstantInt>(call.getArgOperand(call.arg_size() - 1));
    const bool plain = call.arg_size() == 1;
    return bytes != 0 && (!plain || !size || bytes <= size->getZExtValue());
  }

  const DIType* constructed_ = nullptr;
  const DIType* kept_ = nullptr;
  const DIType* returned_ = nullptr;
  const DIType* passed_ = nullptr;
};

}  // namespace

void mark_allocations(Function& f) {
  for (Instruction& i : instructions(f)) {
    auto* call = dyn_cast<CallBase>(&i);
    if (!call || !allocates(*call)) continue;
    const auto* said = dyn_cast_or_null<DIType>(call->getMetadata("heapallocsite"));  // by clang, of `new`
    const DIType* type = said ? said : Allocated().type(*call);
    DILocation* at = call->getDebugLoc().get();
    if (!type || !at) continue;
    Metadata* pair[] = {at, const_cast<DIType*>(type)};
    f.getParent()->getOrInsertNamedMetadata(kAllocations)->addOperand(MDNode::get(f.getContext(), pair));
  }
}

AllocatedTypes::AllocatedTypes(Module& module) {
  NamedMDNode* all = module.getNamedMetadata(kAllocations);
  if (!all) return;
  for (const MDNode* pair : all->operands()) {
    const auto* at = cast<DILocation>(pair->getOperand(0));
    types_[{at->getScope(), {at->getLine(), at->getColumn()}}] = cast<DIType>(pair->getOperand(1));
  }
  all->eraseFromParent();
}

const DIType* AllocatedTypes::of(const CallBase& call) const {
  const DILocation* at = call.getDebugLoc().get();
  if (!at || !allocates(call)) return nullptr;
  return types_.lookup({at->getScope(), {at->getLine(), at->getColumn()}});
}

}  // namespace heddle::frontend
