// The made-up time.
#pragma once

#include <ctime>

namespace heddle::library {

bool is_time(const timespec* time);  // of the program; reads it
// The current thread's clock shows this instant, or a later one.
void reach(clockid_t clock, const timespec* time);

}  // namespace heddle::library
