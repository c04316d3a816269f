// From the text of a litmus file to a litmus test.
//
//   text ── lexer ──► tokens ── parser ──► Test (ast.hpp) ── translate ──► Litmus
#pragma once

#include <string>
#include <string_view>

#include "litmus/litmus.hpp"

namespace heddle::litmus {

// Throws UserError: "FILE:LINE:COL: what; what to do".
Litmus parse(std::string_view text, const std::string& file);

}  // namespace heddle::litmus
