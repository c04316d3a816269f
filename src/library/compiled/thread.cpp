// std::thread, std::condition_variable, std::call_once and what happens when a thread ends: the parts that libstdc++
// keeps out of its headers. All of it is made of what pthread.h offers.
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <system_error>
#include <thread>
// The name that include/c++/condition_variable gives to libstdc++'s own class.
#define condition_variable __condition_variable_with_clock
#include <condition_variable>

// As pthread_create. The thread is named after what the object does.
extern "C" int __heddle_thread_create(pthread_t* out, void* (*function)(void*), void* object);
extern "C" void __heddle_sleep(long seconds, long nanoseconds);

namespace {

extern "C" void* heddle_run_thread(void* state) {
  const std::thread::_State_ptr owner(static_cast<std::thread::_State*>(state));
  owner->_M_run();
  return nullptr;
}

}  // namespace

namespace std {

thread::_State::~_State() = default;

void thread::_M_start_thread(_State_ptr state, void (*)()) {
  const int error = __heddle_thread_create(&_M_id._M_thread, heddle_run_thread, state.get());
  if (error != 0) __throw_system_error(error);
  state.release();
}

void thread::join() {
  const int error = joinable() ? pthread_join(_M_id._M_thread, nullptr) : EINVAL;
  if (error != 0) __throw_system_error(error);
  _M_id = id();
}

void thread::detach() {
  const int error = joinable() ? pthread_detach(_M_id._M_thread) : EINVAL;
  if (error != 0) __throw_system_error(error);
  _M_id = id();
}

unsigned thread::hardware_concurrency() noexcept { return static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN)); }

// Called by include/c++/bits/this_thread_sleep.h.
namespace this_thread {
void __sleep_for(chrono::seconds seconds, chrono::nanoseconds rest) { __heddle_sleep(seconds.count(), rest.count()); }
}  // namespace this_thread

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;
void condition_variable::wait(unique_lock<mutex>& lock) { _M_cond.wait(*lock.mutex()); }
void condition_variable::notify_one() noexcept { _M_cond.notify_one(); }
void condition_variable::notify_all() noexcept { _M_cond.notify_all(); }

namespace {

struct LastNotify {
  condition_variable* condition;
  mutex* locked;
};

}  // namespace
}  // namespace std

// Key destructors run after those of thread_local objects.
extern "C" void heddle_at_thread_end(void (*function)(void*), void* argument) {
  pthread_key_t key;
  pthread_key_create(&key, function);
  pthread_setspecific(key, argument);
}

extern "C" void heddle_notify_at_thread_end(void* argument) {
  auto* const last = static_cast<std::LastNotify*>(argument);
  last->locked->unlock();
  last->condition->notify_all();
  delete last;
}

namespace std {

void notify_all_at_thread_exit(condition_variable& condition, unique_lock<mutex> lock) {
  heddle_at_thread_end(heddle_notify_at_thread_end, new LastNotify{&condition, lock.release()});
}

__thread void* __once_callable;
__thread void (*__once_call)();
extern "C" void __once_proxy() { __once_call(); }

}  // namespace std
