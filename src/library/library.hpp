// The functions and data that a program may use from outside.
#pragma once

#include <string_view>

#include "image/image.hpp"
#include "image/pausing.hpp"

namespace heddle::library {

// What stands behind a symbol of the program; the address is null if the program may not use it.
Symbol resolve(std::string_view symbol);

// The flags of a function's row (table.hpp); 0 if there is none.
unsigned flags(std::string_view name);

// For the front end: it stops the thread if its one argument, a number, is 0.
bool assumes(std::string_view name);
// What it has to do with time.
Pausing pausing(std::string_view name);
// Whether it changes nothing but what it tells the machine.
bool tells_changes(std::string_view name);
// Whether numbers that it is told may be a time limit, and are nothing else.
bool takes_limit(std::string_view name);
// Whether it gives back a mutex, which others may take now.
bool gives_back(std::string_view name);
bool frees(std::string_view name);

}  // namespace heddle::library
