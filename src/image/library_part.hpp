// A part of the library that is compiled with the program: functions of one matter, as LLVM bitcode.
#pragma once

#include <string_view>

namespace heddle {

struct LibraryPart {
  std::string_view name;  // of its source file, for messages
  std::string_view bitcode;
};

}  // namespace heddle
