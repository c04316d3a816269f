// LLVM's pass managers as heddle uses them: before the instrumentation, where no access of memory may be moved,
// merged or dropped, and after it.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace heddle::frontend {

// Inlines, brings private variables into registers, folds constants. Every access of memory that another thread
// may see is still there afterwards, in its place. Only main stays visible from outside.
void simplify(llvm::Module& module, llvm::TargetMachine& target);

// default<O2> over instrumented code.
void optimise(llvm::Module& module, llvm::TargetMachine& target);

}  // namespace heddle::frontend
