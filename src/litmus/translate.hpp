// From the tree of a litmus test to a script.
#pragma once

#include "litmus/ast.hpp"

namespace heddle::litmus {

// Throws UserError when something does not fit: a name that is not there, more registers than a script has.
Litmus translate(const Test& test, const std::string& file);

}  // namespace heddle::litmus
