// Which memory of a function only its own thread can reach.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace heddle::frontend {

// Local variables that are settled (checks.hpp): their accesses have been checked already. Decided once, before the
// instrumentation itself adds variables.
class Privacy {
 public:
  explicit Privacy(llvm::Function& f);

  // The others, which go to the arena.
  llvm::ArrayRef<llvm::AllocaInst*> escaping() const { return escaping_; }
  // The pointer can only point into private memory.
  bool is_private(const llvm::Value* pointer) const;
  // ... or into constants.
  bool is_private_or_constant(const llvm::Value* pointer) const;
  // A variable of the program's, not one that the instrumentation has added.
  bool knows(const llvm::AllocaInst& local) const { return known_.contains(&local); }

 private:
  llvm::SmallVector<llvm::AllocaInst*> escaping_;
  llvm::SmallPtrSet<const llvm::AllocaInst*, 8> known_;
};

}  // namespace heddle::frontend
