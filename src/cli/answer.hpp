// What a command has to say at its end.
#pragma once

#include <string>

namespace heddle::cli {

struct Answer {
  int status = 0;    // ExitStatus
  std::string text;  // for stdout, to be written when nothing can go wrong any more
};

}  // namespace heddle::cli
