// The block of #include <…> lines at the beginning of a C++ file: clang reads it once and keeps it as a precompiled
// header.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::frontend {

struct Preamble {
  std::string includes;  // the lines without comments; empty if there are none
  std::size_t size = 0;  // of the beginning of the file that they take the place of; it ends with a line
};

// Only comments and blank lines may stand between the lines: whatever else comes first may change what a header means.
// A header in quotes ends the block, because where it is found depends on the folder of the file.
Preamble preamble_of(std::string_view text);

}  // namespace heddle::frontend
