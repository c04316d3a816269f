// The text that an execution prints. It is held back: an exploration runs the program many times, and only the text of
// the reported execution is of interest.
#pragma once

#include <string>

#include "native/threads.hpp"

namespace heddle::output {

struct State {
  HostVector<char> text;
  uint64_t left_out = 0;  // bytes beyond the limit
};
extern State state;

// Adds to the text, up to a limit; the rest is counted.
void print(const char* text, std::size_t size);

// The text, with a last line that says what is missing.
std::string shown();

// For the whole run: text that goes to std::cout, std::cerr and std::clog on a fibre is held back, too, if asked for.
void begin(bool standard_streams);
void end();
// Back to the state before main; the formats of the standard streams, too.
void reset();
// Those formats may be changed at any time: they are kept after each mark (undo.hpp).
void keep_formats();

}  // namespace heddle::output
