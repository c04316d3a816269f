// Condition variables: pthread_cond_t and cnd_t. The first word of one is the queue of those that wait (parking.hpp).
#include <fmt/format.h>
#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "library/checked.hpp"
#include "library/clocks.hpp"
#include "library/mutex.hpp"
#include "library/parking.hpp"
#include "library/process_shared.hpp"
#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"
#include "native/names.hpp"

namespace heddle::library {
namespace {

constexpr unsigned kClockOffset = 40;
constexpr unsigned kStateOffset = 44;
constexpr uint32_t kGone = 0xdead;
static_assert(sizeof(pthread_cond_t) >= kStateOffset + 4 && sizeof(cnd_t) >= kStateOffset + 4);

Address condition_in_use(const void* condition) {
  const auto c = address(condition);
  if (hidden_read4(c + kStateOffset) == kGone) {
    misuse("use of the condition variable {}, which has been destroyed", c);
  }
  return c;
}

void initialise_condition(void* condition, clockid_t clock) {
  const Address c = address(condition);
  const uint64_t no_waiter = 0;
  plain_write(c, &no_waiter, sizeof no_waiter);
  hidden_write4(c + kClockOffset, static_cast<uint32_t>(clock));
  hidden_write4(c + kStateOffset, 0);
}

// Those that wait for the same condition variable must have come with the same mutex. Each of them can be asked: it
// waits, so it has done nothing else since.
void require_same_mutex(Address c, Address m) {
  for (const ThreadId t : rt.threads) {
    const OfThread& other = state.of[t];
    if (t == rt.current->id || other.queue != c || other.waits_with == m) continue;
    HostScope scope;
    fail(ErrorKind::mutex,
         fmt::format("the condition variable {} is used with {}, while {} waits for it with {}", names::describe(c),
                     names::describe(m), who(t), names::describe(other.waits_with)),
         t);
  }
}

Address condition_to_wait_for(void* condition, void* mutex) {
  const Address c = condition_in_use(condition);
  if (!holds_mutex(mutex))
    misuse("a wait for a condition variable with the mutex {}, which this thread does not hold{}", address(mutex));
  return c;
}

void wait_on(void* condition, void* mutex, bool timed) {
  const Address c = condition_to_wait_for(condition, mutex);
  const Address m = address(mutex);
  parking::enter(c, c);
  mine().waits_with = m;
  require_same_mutex(c, m);
  unlock_mutex(mutex);
  parking::sleep(timed);
  lock_mutex(mutex);
  HEDDLE_ASSERT(holds_mutex(mutex));
}

void condition_wait(void* condition, void* mutex) { wait_on(condition, mutex, false); }

// Waits are in parts, for compiled/conditions.c, compiled/clocks.c and include/c++/condition_variable. A thread that no
// other one is going to wake need not be seen waiting: it only gives the mutex back and takes it again, which a loop
// can see (frontend/loops/rounds.cpp).
bool condition_wakes_for_nothing(void* condition, void* mutex) {
  condition_to_wait_for(condition, mutex);
  return rt.options.spurious_wakeups && choose(2) == 1;
}
bool condition_times_out(void* condition, void* mutex, long nanoseconds) {
  condition_to_wait_for(condition, mutex);
  if (!parking::times_out()) return false;
  pass(nanoseconds);
  return true;
}
void condition_wait_in_time(void* condition, void* mutex) { wait_on(condition, mutex, true); }
bool condition_is_late(long nanoseconds) {
  if (!parking::times_out()) return false;
  pass(nanoseconds);
  return true;
}
bool condition_is_late_at(clockid_t clock, long seconds, long nanoseconds) {
  if (!parking::times_out()) return false;
  reach(clock, {seconds, nanoseconds});
  return true;
}

clockid_t condition_clock(const void* condition) {
  return static_cast<clockid_t>(hidden_read4(condition_in_use(condition) + kClockOffset));
}

int notify_one(void* condition) {
  parking::wake(condition_in_use(condition), 1);
  return 0;
}
int notify_all(void* condition) {
  parking::wake(condition_in_use(condition), parking::kAll);
  return 0;
}

// The clock in a pthread_condattr_t, which has four bytes.
constexpr int kClockShift = 1;
int condition_init(void* condition, const int* attribute) {
  check_room(condition, sizeof(pthread_cond_t));
  initialise_condition(condition, attribute == nullptr ? CLOCK_REALTIME : plain_get(attribute) >> kClockShift);
  return 0;
}
int condition_destroy(void* condition) {
  const Address c = condition_in_use(condition);
  if (parking::waiting_in(atomic_load(c, 8, {Mode::acq, Mode::na, Purpose::notify})) != 0) {
    misuse("the condition variable {} is destroyed while a thread waits for it", c);
  }
  hidden_write4(c + kStateOffset, kGone);
  return 0;
}

int condition_attribute_init(int* attribute) {
  plain_put(attribute, CLOCK_REALTIME);
  return 0;
}
int condition_attribute_destroy(int*) { return 0; }
int set_clock(int* attribute, clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  plain_put(attribute, (plain_get(attribute) & 1) | clock << kClockShift);
  return 0;
}
int get_clock(const int* attribute, clockid_t* clock) {
  plain_put(clock, plain_get(attribute) >> kClockShift);
  return 0;
}
int cnd_init_(void* condition) {
  check_room(condition, sizeof(cnd_t));
  initialise_condition(condition, CLOCK_REALTIME);
  return thrd_success;
}
void cnd_destroy_(void* condition) { condition_destroy(condition); }

}  // namespace

std::span<const Row> condition_functions() {
  static const Row table[] = {
      row("pthread_cond_init", condition_init),
      row("pthread_cond_destroy", condition_destroy),
      row("__heddle_condition_wakes_for_nothing", condition_wakes_for_nothing, kTellsChanges),
      row("__heddle_condition_wait", condition_wait, kTellsThreadsApart | kTellsChanges),
      row("__heddle_condition_clock", condition_clock, kNoSideEffects),
      row("__heddle_condition_times_out", condition_times_out, kTellsChanges | kTakesLimit),
      row("__heddle_condition_wait_in_time", condition_wait_in_time, kTellsThreadsApart | kTellsChanges),
      row("__heddle_condition_is_late", condition_is_late, kTellsChanges | kTakesLimit),
      row("__heddle_condition_is_late_at", condition_is_late_at, kTellsChanges | kTakesLimit),
      row("pthread_cond_signal", notify_one, kTellsChanges),
      row("pthread_cond_broadcast", notify_all, kTellsChanges),
      row("pthread_condattr_init", condition_attribute_init),
      row("pthread_condattr_destroy", condition_attribute_destroy),
      row("pthread_condattr_setclock", set_clock),
      row("pthread_condattr_getclock", get_clock),
      row("pthread_condattr_setpshared", set_process_shared<0, 1>),
      row("pthread_condattr_getpshared", get_process_shared<0, 1>),
      row("cnd_init", cnd_init_),
      row("cnd_destroy", cnd_destroy_),
      row("cnd_signal", notify_one, kTellsChanges),
      row("cnd_broadcast", notify_all, kTellsChanges),
  };
  return table;
}

}  // namespace heddle::library
