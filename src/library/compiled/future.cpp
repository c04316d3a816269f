// <future>: what libstdc++ keeps out of its headers.
#include <chrono>
#include <ctime>
#include <future>
#include <string>

extern "C" bool __heddle_wait_for_change(const unsigned* word, unsigned value, bool timed, clockid_t clock,
                                         const timespec* until);
extern "C" void heddle_at_thread_end(void (*function)(void*), void* argument);

namespace std {
namespace {

struct Futures final : error_category {
  const char* name() const noexcept override { return "future"; }
  string message(int value) const override {
    switch (static_cast<future_errc>(value)) {
      case future_errc::promise_already_satisfied: return "Promise already satisfied";
      case future_errc::future_already_retrieved: return "Future already retrieved";
      case future_errc::no_state: return "No associated state";
      case future_errc::broken_promise: return "Broken promise";
      default: return "Unknown error";
    }
  }
};

}  // namespace
}  // namespace std

[[clang::no_destroy]] constinit const std::Futures heddle_future_category;

namespace std {

const error_category& future_category() noexcept { return heddle_future_category; }

future_error::~future_error() noexcept = default;
const char* future_error::what() const noexcept { return logic_error::what(); }
void __throw_future_error(int code) { throw future_error(make_error_code(future_errc(code))); }

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

void __future_base::_State_baseV2::_Make_ready::_S_run(void* argument) {
  const unique_ptr<_Make_ready> self(static_cast<_Make_ready*>(argument));
  if (const auto state = self->_M_shared_state.lock()) {
    state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
  }
}
void __future_base::_State_baseV2::_Make_ready::_M_set() { heddle_at_thread_end(_S_run, this); }

// The header changes the word before it wakes those that wait for that.
namespace {

bool wait_for_change(const unsigned* word, unsigned value, bool timed, clockid_t clock, chrono::seconds seconds,
                     chrono::nanoseconds nanoseconds) {
  const timespec until{seconds.count(), static_cast<long>(nanoseconds.count())};
  return __heddle_wait_for_change(word, value, timed, clock, &until);
}

}  // namespace

bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned* word, unsigned value, bool timed,
                                                       chrono::seconds seconds, chrono::nanoseconds nanoseconds) {
  return wait_for_change(word, value, timed, CLOCK_REALTIME, seconds, nanoseconds);
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* word, unsigned value, bool timed,
                                                              chrono::seconds seconds,
                                                              chrono::nanoseconds nanoseconds) {
  return wait_for_change(word, value, timed, CLOCK_MONOTONIC, seconds, nanoseconds);
}
void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned*) {}

}  // namespace std
