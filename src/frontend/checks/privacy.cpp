#include "frontend/checks/privacy.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

#include "frontend/checks/checks.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

Privacy::Privacy(Function& f) {
  for (Instruction& i : instructions(f)) {
    auto* local = dyn_cast<AllocaInst>(&i);
    if (!local) continue;
    known_.insert(local);
    if (!is_own(*local)) escaping_.push_back(local);
  }
}

bool Privacy::is_private(const Value* pointer) const {
  const auto* local = dyn_cast<AllocaInst>(getUnderlyingObject(pointer, 0));
  return local && is_own(*local);
}

bool Privacy::is_private_or_constant(const Value* pointer) const {
  const auto* global = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer, 0));
  return (global && global->isConstant()) || is_private(pointer);
}

}  // namespace heddle::frontend
