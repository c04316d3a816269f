// What a program can learn of the real machine without a library function: counters, stack frames, registers.
#pragma once

#include <llvm/IR/Module.h>

#include "frontend/ir/sites.hpp"

namespace heddle::frontend {

// Before simplification: counters become calls of the library's clock, errno is looked up each time that it is used,
// and so is a function that depends on the processor (ifunc, target_clones).
void hide_machine(llvm::Module& module);

// Afterwards: throws UserError for what is left and would differ from run to run.
void refuse_machine(llvm::Module& module, Sites& sites);

}  // namespace heddle::frontend
