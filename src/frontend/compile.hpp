// The front end: C, C++ or LLVM files in, one instrumented and optimised module out.
//
//   clang ──► link ──► mark ──► simplify ──► instrument ──► optimise      (then load/load.hpp)
//
// Nothing of LLVM shows in this header.
#pragma once

#include <string>

#include "frontend/program/program.hpp"
#include "frontend/program/request.hpp"

namespace heddle {

// Throws UserError. What clang says goes to stderr as it is.
Program compile(const CompileRequest& request);

// The module as LLVM assembly, for debugging.
std::string print_ir(const Program& program);

}  // namespace heddle
