// Semaphores and barriers. The first four bytes of a semaphore are its value.
//
// A barrier is what its first words say: how many threads make a round, how many have come in all rounds, and how many
// rounds are over. A thread's round follows from how many have come before it. The last one of a round ends it; if
// there are more threads than a round has, a later round may be over before that.
#include <fmt/format.h>
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <climits>

#include "library/checked.hpp"
#include "library/process_shared.hpp"
#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

constexpr uint64_t kWholeWord = 0xffff'ffff;

int failed_with(int error) {
  set_error_number(error);
  return -1;
}

int sem_init_(void* semaphore, int, unsigned value) {
  if (value > SEM_VALUE_MAX) return failed_with(EINVAL);
  check_room(semaphore, sizeof(sem_t));
  plain_write(address(semaphore), &value, sizeof value);
  return 0;
}
int sem_destroy_(void* semaphore) {
  atomic_load(address(semaphore), 4, {Mode::rlx, Mode::na, Purpose::mutex_destroy});
  return 0;
}

int sem_wait_(void* semaphore) {
  const AtomicOrder order{Mode::acq, Mode::na, Purpose::acquire, Await::not_equal};
  [[maybe_unused]] const uint64_t changes = rt.current->changes;
  atomic_rmw(address(semaphore), 4, RmwOp::sub, {1, 0}, order);
  HEDDLE_ASSERT(rt.current->changes > changes);  // kTellsChanges
  return 0;
}
bool try_take(Address s, unsigned size) {
  uint64_t value = atomic_load(s, size, {Mode::rlx, Mode::na, Purpose::acquire}).lo;
  while (value != 0) {
    const AtomicOrder order{Mode::acq, Mode::rlx, Purpose::acquire};
    [[maybe_unused]] const uint64_t changes = rt.current->changes;
    const uint64_t found = atomic_cas(s, size, {value, 0}, {value - 1, 0}, order).lo;
    HEDDLE_ASSERT(found != value || rt.current->changes > changes || rt.rehearsal != nullptr);  // kTellsChanges
    if (found == value) return true;
    value = found;
  }
  return false;
}
int sem_trywait_(void* semaphore) { return try_take(address(semaphore), 4) ? 0 : failed_with(EAGAIN); }

// A thread that gets it after a wait could as well have come later. So a try that fails stands for all waits that take
// too long.
int take_in_time(void* semaphore) {
  if (!rt.options.timeouts) return sem_wait_(semaphore);
  return try_take(address(semaphore), 4) ? 0 : ETIMEDOUT;
}

int sem_post_(void* semaphore) {
  const Address s = address(semaphore);
  const uint64_t before = atomic_rmw(s, 4, RmwOp::add, {1, 0}, {Mode::rel, Mode::na, Purpose::release}).lo;
  if (before < SEM_VALUE_MAX) return 0;
  atomic_rmw(s, 4, RmwOp::sub, {1, 0}, {Mode::rlx, Mode::na, Purpose::release});
  return failed_with(EOVERFLOW);
}
int sem_getvalue_(void* semaphore, int* out) {
  plain_put(out, static_cast<int>(atomic_load(address(semaphore), 4, {Mode::acq, Mode::na, Purpose::other}).lo));
  return 0;
}

// What the C++ headers of heddle ask for: include/c++.
void count_take(long* count) {
  const AtomicOrder order{Mode::acq, Mode::na, Purpose::acquire, Await::not_equal};
  atomic_rmw(address(count), 8, RmwOp::sub, {1, 0}, order);
}
// What it was before.
long change_count(long* count, RmwOp op, long n, AtomicOrder order) {
  return static_cast<long>(atomic_rmw(address(count), 8, op, {static_cast<uint64_t>(n), 0}, order).lo);
}
bool count_try_take(long* count) { return try_take(address(count), 8); }
void count_give(long* count, long n, long largest) {
  const long before = change_count(count, RmwOp::add, n, {Mode::rel, Mode::na, Purpose::release});
  if (n < 0 || n > largest - before) {
    HostScope scope;
    misuse(fmt::format("the semaphore {{}} of at most {} is released to {}", largest, before + n), address(count));
  }
}
void count_down(long* count, long n) {
  const long before = change_count(count, RmwOp::sub, n, {Mode::acqrel, Mode::na, Purpose::arrive});
  if (n < 0 || n > before) {
    HostScope scope;
    misuse(fmt::format("the latch {{}} is counted down by {}, but stands at {}", n, before), address(count));
  }
}
void count_await_zero(const long* count) {
  atomic_load(address(count), 8, {Mode::acq, Mode::na, Purpose::barrier_wait, Await::equal});
}
long cxx_barrier_arrive(long* to_come, long n) {
  const long before = change_count(to_come, RmwOp::sub, n, {Mode::acqrel, Mode::na, Purpose::arrive});
  if (n <= 0 || n > before) {
    HostScope scope;
    misuse(fmt::format("{} arrive at the barrier {{}}, which waits for {}", n, before), address(to_come));
  }
  return before;
}
void cxx_barrier_wait(const unsigned* phase, unsigned before) {
  atomic_load(address(phase), 4, {Mode::acq, Mode::na, Purpose::barrier_wait, Await::not_equal}, {before, 0});
}

constexpr unsigned kComeOffset = 4;
constexpr unsigned kOverOffset = 8;
constexpr unsigned kBarrierStateOffset = 12;
constexpr uint32_t kBarrierThere = 0xba44;

Address barrier_in_use(const void* barrier) {
  const Address b = address(barrier);
  if (hidden_read4(b + kBarrierStateOffset) != kBarrierThere) {
    misuse("use of the barrier {}, which has not been initialised, or has been destroyed", b);
  }
  return b;
}

// Memory that begins to live is zero: what stands there is of this life.
int barrier_init(void* barrier, const void*, unsigned count) {
  if (count == 0 || count > INT_MAX) return EINVAL;
  check_room(barrier, sizeof(pthread_barrier_t));
  const Address b = address(barrier);
  if (cell::covered(b) && read_memory(b + kBarrierStateOffset, 4).lo == kBarrierThere)
    misuse("the barrier {} is initialised again before it is destroyed", b);
  const uint32_t words[3] = {count, 0, 0};
  plain_write(b, words, sizeof words);
  hidden_write4(b + kBarrierStateOffset, kBarrierThere);
  return 0;
}

int barrier_wait(void* barrier) {
  const Address b = barrier_in_use(barrier);
  const uint32_t count = hidden_read4(b);
  const AtomicOrder come{Mode::acqrel, Mode::na, Purpose::arrive};
  const auto before = static_cast<uint32_t>(atomic_rmw(b + kComeOffset, 4, RmwOp::add, {1, 0}, come).lo);
  const uint32_t round = before / count;
  if (before % count + 1 != count) {
    const AtomicOrder order{Mode::acq, Mode::na, Purpose::barrier_wait};
    atomic_load(b + kOverOffset, 4, order.until(Comparison::greater, kWholeWord, round));
    return 0;
  }
  atomic_rmw(b + kOverOffset, 4, RmwOp::umax, {round + 1, 0}, {Mode::rel, Mode::na, Purpose::arrive});
  return PTHREAD_BARRIER_SERIAL_THREAD;
}
int barrier_destroy(void* barrier) {
  const Address b = barrier_in_use(barrier);
  const Value come = atomic_load(b + kComeOffset, 4, {Mode::acq, Mode::na, Purpose::arrive});
  if (come.lo % hidden_read4(b) != 0) misuse("the barrier {} is destroyed while a thread waits at it", b);
  hidden_write4(b + kBarrierStateOffset, 0);
  return 0;
}

int barrier_attribute_init(int* attribute) {
  plain_put(attribute, 0);
  return 0;
}
int barrier_attribute_destroy(int*) { return 0; }
}  // namespace

std::span<const Row> semaphore_functions() {
  static const Row table[] = {
      row("sem_init", sem_init_),
      row("sem_destroy", sem_destroy_),
      row("sem_wait", sem_wait_, kTellsChanges),
      row("sem_trywait", sem_trywait_, kTellsChanges),
      row("__heddle_take_in_time", take_in_time, kTellsChanges),
      row("sem_post", sem_post_, kTellsChanges),
      row("sem_getvalue", sem_getvalue_, kNoSideEffects),
      row("__heddle_count_take", count_take, kTellsChanges),
      row("__heddle_count_try_take", count_try_take, kTellsChanges),
      row("__heddle_count_give", count_give, kTellsChanges),
      row("__heddle_count_down", count_down, kTellsChanges),
      row("__heddle_count_await_zero", count_await_zero, kTellsChanges),
      row("__heddle_barrier_arrive", cxx_barrier_arrive, kTellsChanges),
      row("__heddle_barrier_wait", cxx_barrier_wait, kTellsChanges),
      row("pthread_barrier_init", barrier_init),
      row("pthread_barrier_destroy", barrier_destroy),
      row("pthread_barrier_wait", barrier_wait),
      row("pthread_barrierattr_init", barrier_attribute_init),
      row("pthread_barrierattr_destroy", barrier_attribute_destroy),
      row("pthread_barrierattr_setpshared", set_process_shared<0, 1>),
      row("pthread_barrierattr_getpshared", get_process_shared<0, 1>),
  };
  return table;
}

}  // namespace heddle::library
