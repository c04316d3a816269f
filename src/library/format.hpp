// printf's formats. The format and the strings that it names are read by checked accesses, then each conversion is done
// by the C library on private copies; what %n asks for is written by a checked access.
#pragma once

#include <cstdarg>
#include <optional>
#include <string_view>

namespace heddle::library {

// The text, or nothing if printf would return -1. It lasts until the thread formats again.
std::optional<std::string_view> format(const char* text, va_list arguments);

// A va_list that the program passes on is its memory: on both machines a pointer to it arrives.
struct Arguments {
  explicit Arguments(const void* of_program);
  va_list list;
};

}  // namespace heddle::library
