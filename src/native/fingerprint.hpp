// What an execution has come to, as text that is the same whenever the same steps have been taken: to hold the machine
// that has gone back (undo.hpp) against one that has started anew.
#pragma once

#include <string>

namespace heddle {

std::string fingerprint();

}  // namespace heddle
