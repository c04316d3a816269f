// What a future waits with: libstdc++'s file of this name, but that a wait for a duration reads no clock (see
// ../condition_variable).
#pragma once
#pragma GCC system_header

#define __atomic_futex_unsigned __atomic_futex_unsigned_with_clock
#include_next <bits/atomic_futex.h>
#undef __atomic_futex_unsigned

extern "C" bool __heddle_wait_too_long_for(long __nanoseconds);

namespace std {

template <unsigned _Waiter_bit = 0x80000000>
class __atomic_futex_unsigned : public __atomic_futex_unsigned_with_clock<_Waiter_bit> {
  using _Base = __atomic_futex_unsigned_with_clock<_Waiter_bit>;

 public:
  using _Base::_Base;

  // The caller has looked. If it waited, it could as well have looked later: not to find it at once is to wait too
  // long.
  template <typename _Rep, typename _Period>
  bool _M_load_when_equal_for(unsigned __value, memory_order __order, const chrono::duration<_Rep, _Period>& __time) {
    if (__heddle_wait_too_long_for(chrono::duration_cast<chrono::nanoseconds>(__time).count())) return false;
    _Base::_M_load_when_equal(__value, __order);
    return true;
  }
};

}  // namespace std
