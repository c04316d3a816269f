// Drives clang as a program: source text in, LLVM bitcode out, nothing on disk.
#pragma once

#include <string>
#include <vector>

namespace heddle::frontend {

enum class Language { c, cxx, llvm };

// The folder of heddle.h: beside the installed program, else where heddle was built.
std::string include_folder();

// By the extension. Throws UserError for a name that is none of the three.
Language language_of(const std::string& file);

// Throws UserError unless each file can be read.
void require_files(const std::vector<std::string>& files);

// The bitcode of each C or C++ file (empty for the others), in order; compiles several at once. Clang's diagnostics go
// to stderr, file after file. Throws UserError when a file does not compile.
std::vector<std::string> run_clang(const std::vector<std::string>& files, const std::vector<std::string>& user_args);

}  // namespace heddle::frontend
