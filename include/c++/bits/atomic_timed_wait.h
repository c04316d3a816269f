// Waits for an atomic variable with a time limit, in place of libstdc++'s file of this name (see atomic_wait.h).
#pragma once
#pragma GCC system_header

#include <bits/atomic_wait.h>
#include <bits/chrono.h>
#include <time.h>

// Whether the time limit is reached: a choice; or always, unless with --no-timeouts.
extern "C" bool __heddle_wait_times_out(clockid_t __clock, const timespec* __until);
extern "C" bool __heddle_wait_too_long(clockid_t __clock, const timespec* __until);
// The same after so long, whatever the time is.
extern "C" bool __heddle_wait_times_out_for(long __nanoseconds);
extern "C" bool __heddle_wait_too_long_for(long __nanoseconds);

namespace std {
namespace __detail {

template <typename _Clock>
constexpr clockid_t __clock_of = is_same_v<_Clock, chrono::steady_clock> ? CLOCK_MONOTONIC : CLOCK_REALTIME;

template <typename _Clock, typename _Duration>
timespec __timespec_of(const chrono::time_point<_Clock, _Duration>& __until) {
  const auto __ns = chrono::ceil<chrono::nanoseconds>(__until.time_since_epoch()).count();
  return {static_cast<time_t>(__ns / 1'000'000'000), static_cast<long>(__ns % 1'000'000'000)};
}
template <typename _Clock, typename _Duration>
bool __times_out(const chrono::time_point<_Clock, _Duration>& __until) {
  const timespec __time = __timespec_of(__until);
  return __heddle_wait_times_out(__clock_of<_Clock>, &__time);
}
template <typename _Clock, typename _Duration>
bool __too_long(const chrono::time_point<_Clock, _Duration>& __until) {
  const timespec __time = __timespec_of(__until);
  return __heddle_wait_too_long(__clock_of<_Clock>, &__time);
}

}  // namespace __detail

namespace __detail {

template <typename _Tp, typename _Ready, typename _TimesOut>
bool __wait_in_time(const _Tp* __object, _Ready __ready, _TimesOut __times_out) noexcept {
  for (;;) {
    if (__ready()) return true;
    if (__times_out()) return false;
    __heddle_wait_enter(__object);
    if (__ready()) {
      __heddle_wait_leave(__object);
      return true;
    }
    __heddle_wait_sleep(__object, true);
  }
}

}  // namespace __detail

template <typename _Tp, typename _Ready, typename _Clock, typename _Duration>
bool __atomic_wait_address_until(const _Tp* __object, _Ready __ready,
                                 const chrono::time_point<_Clock, _Duration>& __until) noexcept {
  return __detail::__wait_in_time(__object, __ready, [&] { return __detail::__times_out(__until); });
}
template <typename _Tp, typename _Load, typename _Clock, typename _Duration>
bool __atomic_wait_address_until_v(const _Tp* __object, _Tp&& __old, _Load&& __load,
                                   const chrono::time_point<_Clock, _Duration>& __until) noexcept {
  return std::__atomic_wait_address_until(
      __object, [&] { return !__detail::__atomic_compare(__old, __load()); }, __until);
}
template <typename _Ready, typename _Clock, typename _Duration>
bool __atomic_wait_address_until_bare(const __detail::__platform_wait_t* __object, _Ready __ready,
                                      const chrono::time_point<_Clock, _Duration>& __until) noexcept {
  return std::__atomic_wait_address_until(__object, __ready, __until);
}

template <typename _Tp, typename _Ready, typename _Rep, typename _Period>
bool __atomic_wait_address_for(const _Tp* __object, _Ready __ready,
                               const chrono::duration<_Rep, _Period>& __time) noexcept {
  const long __ns = chrono::duration_cast<chrono::nanoseconds>(__time).count();
  return __detail::__wait_in_time(__object, __ready, [=] { return __heddle_wait_times_out_for(__ns); });
}
template <typename _Tp, typename _Load, typename _Rep, typename _Period>
bool __atomic_wait_address_for_v(const _Tp* __object, _Tp&& __old, _Load&& __load,
                                 const chrono::duration<_Rep, _Period>& __time) noexcept {
  return std::__atomic_wait_address_for(__object, [&] { return !__detail::__atomic_compare(__old, __load()); }, __time);
}
template <typename _Ready, typename _Rep, typename _Period>
bool __atomic_wait_address_for_bare(const __detail::__platform_wait_t* __object, _Ready __ready,
                                    const chrono::duration<_Rep, _Period>& __time) noexcept {
  return std::__atomic_wait_address_for(__object, __ready, __time);
}

}  // namespace std
