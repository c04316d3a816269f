// From a compiled Program to an Image that the native machine can run.
#pragma once

#include <functional>
#include <string_view>

#include "frontend/program/program.hpp"
#include "image/image.hpp"

namespace heddle {

// Looks a symbol up by its link name.
using Resolver = std::function<Symbol(std::string_view)>;

// Throws UserError if the program uses something that the resolver does not know.
Image load(Program program, const Resolver& resolve);

}  // namespace heddle
