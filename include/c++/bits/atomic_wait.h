// Waits for an atomic variable, in place of libstdc++'s file of this name: there a thread spins for a while before it
// asks the kernel, which adds nothing to what a program can do. The names are those that libstdc++'s headers use.
#pragma once
#pragma GCC system_header

#include <bits/c++config.h>
#include <bits/functional_hash.h>
#include <bits/gthr.h>
#include <bits/std_mutex.h>
#include <sched.h>

#include <ext/numeric_traits.h>

#define __cpp_lib_atomic_wait 201907L

// The thread waits from the first call on. Then it looks once more, and leaves or sleeps.
extern "C" void __heddle_wait_enter(const void* __object);
extern "C" void __heddle_wait_leave(const void* __object);
extern "C" void __heddle_wait_sleep(const void* __object, bool __timed);
extern "C" void __heddle_wait_notify(const void* __object, bool __all);

namespace std {
namespace __detail {

using __platform_wait_t = int;

inline void __thread_yield() noexcept { sched_yield(); }
inline void __thread_relax() noexcept { sched_yield(); }

template <typename _Tp>
bool __atomic_compare(const _Tp& __a, const _Tp& __b) noexcept {
  if constexpr (sizeof(_Tp) == 1) {
    return __builtin_bit_cast(unsigned char, __a) == __builtin_bit_cast(unsigned char, __b);
  } else if constexpr (sizeof(_Tp) == 2) {
    return __builtin_bit_cast(unsigned short, __a) == __builtin_bit_cast(unsigned short, __b);
  } else if constexpr (sizeof(_Tp) == 4) {
    return __builtin_bit_cast(unsigned, __a) == __builtin_bit_cast(unsigned, __b);
  } else if constexpr (sizeof(_Tp) == 8) {
    return __builtin_bit_cast(unsigned long, __a) == __builtin_bit_cast(unsigned long, __b);
  } else {
    return __builtin_memcmp(&__a, &__b, sizeof(_Tp)) == 0;
  }
}

}  // namespace __detail

template <typename _Tp, typename _Ready>
void __atomic_wait_address(const _Tp* __object, _Ready __ready) noexcept {
  while (!__ready()) {
    __heddle_wait_enter(__object);
    if (__ready()) {
      __heddle_wait_leave(__object);
      return;
    }
    __heddle_wait_sleep(__object, false);
  }
}

template <typename _Tp, typename _Load>
void __atomic_wait_address_v(const _Tp* __object, _Tp __old, _Load __load) noexcept {
  std::__atomic_wait_address(__object, [&] { return !__detail::__atomic_compare(__old, __load()); });
}

template <typename _Ready>
void __atomic_wait_address_bare(const __detail::__platform_wait_t* __object, _Ready __ready) noexcept {
  std::__atomic_wait_address(__object, __ready);
}

template <typename _Tp>
void __atomic_notify_address(const _Tp* __object, bool __all) noexcept {
  __heddle_wait_notify(__object, __all);
}
inline void __atomic_notify_address_bare(const __detail::__platform_wait_t* __object, bool __all) noexcept {
  __heddle_wait_notify(__object, __all);
}

}  // namespace std
