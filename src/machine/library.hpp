// The functions and data that a program may use from outside: models of library functions, and native library functions
// that neither block, nor start threads, nor touch the world.
#pragma once

#include <string_view>

namespace heddle {

// The address behind a symbol of the program; null if the program may not use it. To be called before the NativeMachine
// is made: it notes what the program uses.
void* resolve(std::string_view symbol);

}  // namespace heddle
