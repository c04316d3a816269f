// The made-up time.
#pragma once

#include <cstdint>
#include <ctime>

namespace heddle::library {

bool is_time(const timespec* time);  // of the program; reads it
// The current thread's clock shows this instant, or a later one.
void reach(clockid_t clock, timespec time);
void reach(clockid_t clock, const timespec* time);
// The current thread's clock goes on by so many nanoseconds; if they are less than none, not at all.
void pass(int64_t nanoseconds);
void pass(const timespec* time);

}  // namespace heddle::library
