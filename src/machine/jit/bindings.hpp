// The functions and variables of machine/abi.hpp by name, for the linker.
#pragma once

#include <span>

namespace heddle {

struct Binding {
  const char* name;
  void* address;
};

std::span<const Binding> runtime_bindings();

}  // namespace heddle
