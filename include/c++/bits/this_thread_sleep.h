// libstdc++'s file of this name, made to call a function of the library instead of nanosleep() in a loop, which would
// ask each time whether a signal came: there are none, and without them a sleep is only a pause.
#pragma once
#pragma GCC system_header

#include <bits/c++config.h>
#if __cplusplus >= 201103L
#include <time.h>

#include <cerrno>
#endif
#pragma push_macro("_GLIBCXX_USE_NANOSLEEP")
#undef _GLIBCXX_USE_NANOSLEEP
#include_next <bits/this_thread_sleep.h>
#pragma pop_macro("_GLIBCXX_USE_NANOSLEEP")
