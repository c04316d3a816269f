#include "frontend/rewrite/peeks.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "frontend/ir/clang_names.hpp"
#include "frontend/ir/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

// Whether the place is a variable of this very type, and no part of a structure.
bool is_scalar_variable(const Value* place, const Type* type) {
  const auto* local = dyn_cast<AllocaInst>(place);
  const auto* global = dyn_cast<GlobalVariable>(place);
  return (local && local->getAllocatedType() == type) || (global && global->getValueType() == type);
}

// The store of a bit-field: (load & constant) | bits, stored to where it was loaded from. Each bit of the load is
// masked away or goes back to its place. The address is computed once, which tells it from s.f = (s.f & 7) | 8, and no
// assignment of C or C++ has two operators.
bool is_bit_field_store(const LoadInst& load) {
  using namespace PatternMatch;
  Value* const place = const_cast<Value*>(load.getPointerOperand());
  if (!load.getType()->isIntegerTy() || !load.hasOneUse() || is_scalar_variable(place, load.getType())) return false;
  const auto* clear = cast<Instruction>(*load.user_begin());
  const APInt* kept = nullptr;
  if (!match(clear, m_c_And(m_Specific(&load), m_APInt(kept))) || !clear->hasOneUse()) return false;
  const auto* set = cast<Instruction>(*clear->user_begin());
  Value* bits = nullptr;
  if (!match(set, m_c_Or(m_Specific(clear), m_Value(bits)))) return false;
  if (!MaskedValueIsZero(bits, *kept, SimplifyQuery(load.getDataLayout()))) return false;
  return any_of(set->users(), [&](const User* u) {
    const auto* store = dyn_cast<StoreInst>(u);
    return store && store->getPointerOperand() == place && store->getParent() == load.getParent();
  });
}

// Whether an object of this type may have bytes without a value; none if there is no telling.
std::optional<bool> is_structure(const DIType* type) {
  while (const auto* derived = dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_typedef:
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_atomic_type: type = derived->getBaseType(); break;
      default: return derived->getTag() == dwarf::DW_TAG_ptr_to_member_type;
    }
  }
  if (const auto* basic = dyn_cast_or_null<DIBasicType>(type))
    return basic->getEncoding() == dwarf::DW_ATE_complex_float;
  if (!type) return std::nullopt;
  return is_contained({dwarf::DW_TAG_structure_type, dwarf::DW_TAG_class_type, dwarf::DW_TAG_union_type},
                      type->getTag());
}

// Whether the function that the instruction comes from, which clang may have inlined, returns a structure.
bool returns_structure(const Instruction& i) {
  const DILocation* const place = i.getDebugLoc().get();
  const DISubprogram* const f = place ? place->getScope()->getSubprogram() : i.getFunction()->getSubprogram();
  const auto* type = f ? f->getType() : nullptr;
  const DITypeRefArray types = type ? type->getTypeArray() : DITypeRefArray();
  return types.size() == 0 || is_structure(types[0]).value_or(true);
}

// A place that a structure is loaded from as registers have it: of a variable, or a part of which the source has no
// type.
bool is_of_registers(const Value* place) {
  const auto* part = dyn_cast<GetElementPtrInst>(place);
  const auto* whole = part ? dyn_cast<StructType>(part->getSourceElementType()) : nullptr;
  return isa<AllocaInst>(getUnderlyingObject(place, 0)) || (whole && whole->isLiteral());
}

// Clang has inlined what must always be. The store of a parameter, which comes from no place of the source, is left of
// a call, and the store of a result, which comes from another function than the load.
bool is_inlined_handover(const LoadInst& load, const StoreInst& store) {
  const DILocation* const from = load.getDebugLoc().get();
  const DILocation* const to = store.getDebugLoc().get();
  if (!to) {
    const auto* parameter = dyn_cast<AllocaInst>(getUnderlyingObject(store.getPointerOperand(), 0));
    return parameter && !parameter->getAllocatedType()->isSingleValueType();
  }
  return from && from->getInlinedAt() != to->getInlinedAt() && returns_structure(load);
}

// Whether the value, of a load, goes to other functions and nowhere else, in a place that may have no value. Clang
// says `noundef` of all arguments that are values to the source; it says it of results in C++ only.
bool is_handed_over(const Value& v, const LoadInst& load) {
  return !v.use_empty() && all_of(v.uses(), [&](const Use& use) {
    const auto* user = cast<Instruction>(use.getUser());
    if (const auto* call = dyn_cast<CallBase>(user)) {
      return call->isArgOperand(&use) && !call->isInlineAsm() && !isa<IntrinsicInst>(call) &&
             !call->paramHasAttr(call->getArgOperandNo(&use), Attribute::NoUndef);
    }
    if (isa<ReturnInst>(user)) return returns_structure(load);
    if (const auto* store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() == &v && is_inlined_handover(load, *store);
    return isa<CastInst, InsertValueInst, ExtractValueInst>(user) && is_handed_over(*user, load);
  });
}

// v[i] = x of a vector: load, insertelement, store.
bool is_element_store(const LoadInst& load) {
  return load.getType()->isVectorTy() &&
         all_of(load.users(), [&](const User* u) { return isa<InsertElementInst>(u) && u->getOperand(0) == &load; });
}

// std::vector<bool> sets bits in words that were not written before.
bool is_bit_of_vector(const LoadInst& load) {
  if (!is_in_vector_bool(load) || !load.hasOneUse()) return false;
  const auto* change = dyn_cast<BinaryOperator>(*load.user_begin());
  return change && change->hasOneUse() && isa<StoreInst>(*change->user_begin());
}

bool is_peek(const LoadInst& load) {
  // (void)x; says that the variable is not used.
  if (load.use_empty()) return isa<AllocaInst>(load.getPointerOperand());
  return is_bit_field_store(load) || (is_of_registers(load.getPointerOperand()) && is_handed_over(load, load)) ||
         is_element_store(load) || is_bit_of_vector(load);
}

// Whether nothing is ever written there, as far as one can see: what clang has in the place of a structure that it
// need not make.
bool is_never_written(const AllocaInst& local) {
  return all_of(local.users(), [&](const User* u) {
    const auto* copy = dyn_cast<MemTransferInst>(u);
    const auto* intrinsic = dyn_cast<IntrinsicInst>(u);
    return isa<LoadInst>(u) || (copy && copy->getRawDest() != &local) ||
           (intrinsic && intrinsic->isLifetimeStartOrEnd());
  });
}

// What clang itself keeps in variables may be read without a value: the result of a function that ends without one, the
// slots of its cleanups. A scalar of the source that is no variable has its value from the beginning. Without debug
// information clang's variables are not told from others.
bool is_clangs_own(const AllocaInst& local) {
  if (!local.hasName()) return true;  // ours, or we know nothing of it
  if (!local.getFunction()->getSubprogram() || local.getMetadata(kVariable)) return false;
  return local.getAllocatedType()->isSingleValueType() || is_never_written(local);
}

}  // namespace

void mark_peeks(Function& f) {
  DenseSet<const Value*> variables;
  for (Instruction& i : instructions(f)) {
    for (DbgVariableRecord& record : filterDbgVars(i.getDbgRecordRange())) variables.insert(record.getAddress());
  }
  MDNode* const yes = MDNode::get(f.getContext(), {});
  for (Instruction& i : instructions(f)) {
    auto* load = dyn_cast<LoadInst>(&i);
    if (load && !load->isAtomic() && is_peek(*load)) load->setMetadata(kPeek, yes);
    auto* local = dyn_cast<AllocaInst>(&i);
    if (local && !variables.contains(local) && is_clangs_own(*local)) local->setMetadata(kUnset, yes);
  }
}

}  // namespace heddle::frontend
