// Which loads are no use of what they load, so that they may find bytes without a value, and which variables are
// clang's own. Both are told by what code does and what LLVM says of it, not by the names that clang gives.
#pragma once

#include <llvm/IR/Instructions.h>

namespace heddle::frontend {

// Right after clang, with its debug records: each such load is marked kPeek, each such variable kUnset. No load may
// have a kKeep yet.
void mark_peeks(llvm::Function& f);

}  // namespace heddle::frontend
