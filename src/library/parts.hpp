// The library functions that are compiled with the program: compiled/, as LLVM bitcode inside of heddle.
#pragma once

#include <span>

#include "image/library_part.hpp"

namespace heddle::library {

std::span<const LibraryPart> parts();

}  // namespace heddle::library
