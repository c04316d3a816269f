// For a program that is to run under a debugger.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::frontend {

// Variables that have become registers are also kept on the stack, each in a place of its own: a debugger then finds
// them in every frame, also where a register has been used for something else since. After the instrumentation, which
// would take these places for memory of the program.
void keep_variables_on_stack(llvm::Module& module);

}  // namespace heddle::frontend
