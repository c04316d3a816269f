// Drives clang as a program: source text in, LLVM bitcode out. What it has made is kept for the next run, if there is a
// cache.
#pragma once

#include <string>
#include <vector>

#include "frontend/clang/cache.hpp"

namespace heddle::frontend {

enum class Language { c, cxx, llvm };

// The folder of heddle.h: beside the installed program, else where heddle was built.
std::string include_folder();

// By the extension. Throws UserError for a name that is none of the three.
Language language_of(const std::string& file);

// Throws UserError unless each file can be read.
void require_files(const std::vector<std::string>& files);

// A file to compile.
struct ClangJob {
  std::string file;               // absolute if `directory` is given
  std::vector<std::string> args;  // the user's
  std::string directory{};        // where clang runs; empty: here
};

// The bitcode of each C or C++ file (empty for the others), in order; compiles several at once. Clang's diagnostics go
// to stderr, file after file, those that it gave in an earlier run too. Throws UserError when a file does not compile.
std::vector<std::string> run_clang(const std::vector<ClangJob>& jobs, const Cache& cache);

}  // namespace heddle::frontend
