// Links the parts of the library that a program needs with it.
#pragma once

#include <llvm/IR/Module.h>

#include <span>

#include "image/library_part.hpp"

namespace heddle::frontend {

// Defines what the module leaves undefined and a part defines, and what those definitions need in turn. Of a part that
// is not needed nothing but its list of symbols is read, and only what is needed of one that is.
void link_parts(llvm::Module& module, std::span<const LibraryPart> parts);

}  // namespace heddle::frontend
