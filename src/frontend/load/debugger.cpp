#include "frontend/load/debugger.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <map>

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

// What a record says of a variable: it, or a part of it, has this value; or it lies where this value points to.
struct Meaning {
  Value* value = nullptr;
  bool is_address = false;
  uint64_t offset = 0;  // of the part, in bytes
};

std::optional<Meaning> meaning_of(DbgVariableRecord& record) {
  if (!record.isDbgValue() || record.isKillLocation() || record.getNumVariableLocationOps() != 1) return std::nullopt;
  Meaning meaning{record.getVariableLocationOp(0)};
  const DIExpression& expression = *record.getExpression();
  if (expression.isDeref()) {
    meaning.is_address = true;
    return meaning;
  }
  const auto fragment = expression.getFragmentInfo();
  if (expression.getNumElements() != (fragment ? 3 : 0)) return std::nullopt;
  if (fragment) meaning.offset = fragment->OffsetInBits / 8;
  return meaning;
}

class StackCopies {
 public:
  explicit StackCopies(Function& f) : f_(f), dominators_(f), debug_(*f.getParent()) {}

  void run() {
    SmallVector<DbgVariableRecord*> records;
    for (Instruction& i : instructions(f_)) {
      for (DbgVariableRecord& record : filterDbgVars(i.getDbgRecordRange())) records.push_back(&record);
    }
    for (DbgVariableRecord* record : records) keep(*record);
  }

 private:
  using Key = std::tuple<const DILocalVariable*, const DILocation*, bool>;

  void keep(DbgVariableRecord& record) {
    const std::optional<Meaning> meaning = meaning_of(record);
    if (!meaning) return;
    Instruction* at = record.getMarker()->MarkedInstr;
    if (isa<PHINode>(at) || at->isEHPad()) {
      const auto first = at->getParent()->getFirstInsertionPt();
      if (first == at->getParent()->end()) return;
      at = &*first;
    }
    const auto* made = dyn_cast<Instruction>(meaning->value);
    if (made && !dominators_.dominates(made, at)) return;
    const DataLayout& layout = f_.getDataLayout();
    const uint64_t size = layout.getTypeStoreSize(meaning->value->getType());
    const uint64_t whole =
        meaning->is_address ? layout.getPointerSize() : record.getVariable()->getSizeInBits().value_or(0) / 8;
    if (meaning->value->getType()->isMetadataTy() || meaning->offset + size > whole) return;
    IRBuilder<> b(at);
    b.SetCurrentDebugLocation(DebugLoc());  // no line of its own
    Value* place = b.CreatePtrAdd(slot(record, meaning->is_address, whole), b.getInt64(meaning->offset));
    b.CreateAlignedStore(meaning->value, place, Align(1), /*isVolatile=*/true);
    record.eraseFromParent();
  }

  AllocaInst* slot(const DbgVariableRecord& record, bool is_address, uint64_t size) {
    DILocalVariable* const variable = record.getVariable();
    AllocaInst*& slot = slots_[{variable, record.getDebugLoc().getInlinedAt(), is_address}];
    if (slot != nullptr) return slot;
    BasicBlock& entry = f_.getEntryBlock();
    IRBuilder<> b(&entry, entry.getFirstInsertionPt());
    b.SetCurrentDebugLocation(DebugLoc());
    slot = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), size));
    slot->setAlignment(Align(16));
    b.CreateMemSet(slot, b.getInt8(0), size, Align(16));
    const SmallVector<uint64_t, 1> load = {dwarf::DW_OP_deref};
    debug_.insertDeclare(slot, variable, debug_.createExpression(is_address ? ArrayRef(load) : ArrayRef<uint64_t>()),
                         record.getDebugLoc().get(), &*entry.getFirstInsertionPt());
    return slot;
  }

  Function& f_;
  DominatorTree dominators_;
  DIBuilder debug_;
  std::map<Key, AllocaInst*> slots_;
};

}  // namespace

void keep_variables_on_stack(Module& module) {
  for (Function& f : module) {
    if (!f.isDeclaration() && f.getSubprogram()) StackCopies(f).run();
  }
}

}  // namespace heddle::frontend
