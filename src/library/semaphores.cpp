// Semaphores. The first four bytes of a semaphore are its value.
#include <fmt/format.h>
#include <semaphore.h>

#include <cerrno>
#include <climits>

#include "library/checked.hpp"
#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

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
  };
  return table;
}

}  // namespace heddle::library
