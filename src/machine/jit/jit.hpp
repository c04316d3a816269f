// From a compiled Program to an Image that the native machine can run.
#pragma once

#include <functional>
#include <string_view>

#include "frontend/compile.hpp"
#include "machine/image.hpp"

namespace heddle {

// The address of a function or variable that the program uses and does not define, by its link name; null if the
// machine does not know it.
using Resolver = std::function<void*(std::string_view)>;

// Throws UserError if the program uses something that the resolver does not know.
Image load(Program program, const Resolver& resolve);

}  // namespace heddle
