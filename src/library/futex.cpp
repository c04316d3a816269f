// futex(2), and waits for an atomic variable. The word that is waited for is the program's; the threads that wait stand
// in a queue beside it (parking.hpp), with a set of bits if the front end has seen a futex that may have one other than
// all bits.
//
// Thread t that waits first enters the queue and then reads the word. Thread u that wakes first changes the word and
// then reads the queue. With fences in between, at least one of them sees the other. In the kernel, a thread that finds
// the word changed has never waited. So a futex wait reads the word also before it enters the queue: if the word has
// changed by then, t never enters, and no thread sees it wait. Executions in which the word changes between the two
// reads are left out. (A word that changes and comes back between the two reads counts as unchanged.) A wait for an
// atomic variable is different: u is not told how many threads it has woken. There, a thread that was woken although it
// does not wait any more wakes another one.
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "library/clocks.hpp"
#include "library/parking.hpp"
#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"
#include "native/names.hpp"

namespace heddle::library {
namespace {

long fails_with(int error) {
  set_error_number(error);
  return -1;
}

uint64_t word_at(Address a) { return atomic_load(a, 4, {Mode::sc, Mode::na, Purpose::other}).lo; }
void assume_word(Address a, uint32_t value) {
  AtomicOrder order{Mode::sc, Mode::na, Purpose::other, Await::equal};
  order.assumed = true;
  atomic_load(a, 4, order, {value, 0});
}

// Whether some futex of the program may have bit sets. Then all waits have them.
bool with_bits() { return rt.image->uses.futex_bits; }

void enter(Address a, uint32_t bits) {
  const Address queue = parking::queue_of(a);
  if (with_bits()) {
    parking::enter_with_bits(queue, a, bits);
  } else {
    parking::enter(queue, a);
  }
  atomic_fence();
}
unsigned wake(Address a, unsigned most, uint32_t bits) {
  const Address queue = parking::queue_of(a);
  return with_bits() ? parking::wake_by_bits(queue, most, bits) : parking::wake(queue, most);
}
// If the thread was woken, it passes the wake-up on to another one that the same wake-up could have chosen.
void leave(Address a) {
  const Address queue = parking::queue_of(a);
  if (!(with_bits() ? parking::leave_with_bits(queue) : parking::leave(queue))) wake(a, 1, mine().woken_by);
}

void leave_where_moved() {
  if (with_bits()) {
    parking::leave_where_moved_with_bits();
  } else {
    parking::leave_where_moved();
  }
}

// For the C++ library, which looks at the word itself.
void wait_enter(const void* object) { enter(address(object), parking::kAnyBit); }
void wait_leave(const void* object) { leave(address(object)); }
void wait_sleep(const void*, bool timed) { parking::sleep(timed); }
bool wait_times_out(clockid_t clock, const timespec* until) {
  if (!parking::times_out()) return false;
  reach(clock, until);
  return true;
}
bool wait_too_long(clockid_t clock, const timespec* until) {
  if (rt.options.timeouts) reach(clock, until);
  return rt.options.timeouts;
}
bool wait_times_out_for(long nanoseconds) {
  if (!parking::times_out()) return false;
  pass(nanoseconds);
  return true;
}
bool wait_too_long_for(long nanoseconds) {
  if (rt.options.timeouts) pass(nanoseconds);
  return rt.options.timeouts;
}
void wait_notify(const void* object, bool all) {
  atomic_fence();
  wake(address(object), all ? parking::kAll : 1, parking::kAnyBit);
}

// A wait that another thread ends by a change of the word, followed by a wake-up that never fails to come: the thread
// waits for the change.
bool wait_for_change(const unsigned* word, unsigned value, bool timed, clockid_t clock, const timespec* until) {
  if (timed && wait_times_out(clock, until)) return false;
  AtomicOrder order{Mode::acq, Mode::na, Purpose::woken, Await::not_equal};
  order.assumed = timed && rt.options.timeouts;  // the other branch has the end of the wait
  atomic_load(address(word), 4, order, {value, 0});
  return true;
}

// The time limit of a plain FUTEX_WAIT is how long, else when.
struct Limit {
  const timespec* time;  // null: none
  int clock;
  bool absolute;
};
long reaches(Limit limit) {
  if (limit.absolute) {
    reach(limit.clock, limit.time);
  } else {
    pass(limit.time);
  }
  return fails_with(ETIMEDOUT);
}

long futex_wait(Address a, uint32_t value, Limit limit, uint32_t bits) {
  const bool limited = limit.time != nullptr;
  if (limited && !is_time(limit.time)) return fails_with(EINVAL);
  if (word_at(a) != value) return fails_with(EAGAIN);
  if (limited && parking::times_out()) return reaches(limit);
  enter(a, bits);
  assume_word(a, value);
  if (limited && rt.concurrent && rt.image->uses.futex_moves && parking::times_out()) {
    leave_where_moved();
    return reaches(limit);
  }
  parking::sleep(limited);
  return 0;
}

long futex_wake(Address a, uint32_t most, uint32_t bits) {
  atomic_fence();
  return wake(a, most >= INT_MAX ? parking::kAll : most, bits);
}

// With FUTEX_CMP_REQUEUE the word must be as it was.
long futex_requeue(Address from, uint32_t wakes, uint32_t moves, Address to, bool compare, uint32_t value) {
  atomic_fence();
  if (compare && word_at(from) != value) return fails_with(EAGAIN);
  const auto all_of = [](uint32_t n) { return n >= INT_MAX ? parking::kAll : n; };
  wakes = all_of(wakes);
  moves = from == to ? 0 : all_of(moves);
  if (moves == 0) return wake(from, wakes, parking::kAnyBit);
  const Address here = parking::queue_of(from), there = parking::queue_of(to);
  return with_bits() ? parking::wake_and_move_with_bits(here, there, to, wakes, moves, parking::kAnyBit)
                     : parking::wake_and_move(here, there, to, wakes, moves);
}

[[noreturn]] void refuse_futex(const char* what) {
  HostScope scope;
  refuse(fmt::format("{} is not supported ({}); use the functions of pthread.h", what, place(rt.site)));
}

long futex(Address a, int operation, uint32_t value, const timespec* limit, Address other, uint32_t value3) {
  if (a % 4 != 0) return fails_with(EINVAL);
  const int clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const auto value2 = static_cast<uint32_t>(address(limit));
  switch (operation & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)) {
    case FUTEX_WAIT: return futex_wait(a, value, {limit, clock, false}, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE: return futex_wake(a, value, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_REQUEUE: return futex_requeue(a, value, value2, other, false, 0);
    case FUTEX_CMP_REQUEUE: return futex_requeue(a, value, value2, other, true, value3);
    case FUTEX_WAIT_BITSET:
      if (value3 == 0) return fails_with(EINVAL);
      return futex_wait(a, value, {limit, clock, true}, value3);
    case FUTEX_WAKE_BITSET: return value3 == 0 ? fails_with(EINVAL) : futex_wake(a, value, value3);
    default: refuse_futex("this futex operation");
  }
}

constexpr int kFirstThread = 4711;  // main's number is that of the process
// Of the path, so that it does not depend on what was explored before. Only threads that are nested deep have paths
// that are too long.
int thread_number() {
  look_who_runs();
  constexpr uint64_t kShort = 1 << 24;
  const auto path = static_cast<uint64_t>(rt.current->path);
  return kFirstThread + static_cast<int>(path < kShort ? path : kShort + index(rt.current->id));
}

long syscall_(long number, long a, long b, long c, long d, long e, long f) {
  switch (number) {
    case SYS_futex:
      return futex(static_cast<Address>(a), static_cast<int>(b), static_cast<uint32_t>(c),
                   static_cast<const timespec*>(pointer(static_cast<Address>(d))), static_cast<Address>(e),
                   static_cast<uint32_t>(f));
    case SYS_gettid: return thread_number();
    case SYS_getpid: return kFirstThread;
    case SYS_sched_yield: return 0;
    default: break;
  }
  HostScope scope;
  refuse(
      fmt::format("syscall({}) is not supported ({}): heddle knows SYS_futex, SYS_gettid, SYS_getpid and "
                  "SYS_sched_yield; leave others out under #ifndef __HEDDLE__",
                  number, place(rt.site)));
}

}  // namespace

std::span<const Row> futex_functions() {
  static const Row table[] = {
      row("__heddle_wait_enter", wait_enter, kTellsThreadsApart | kTellsChanges),
      row("__heddle_wait_leave", wait_leave, kTellsChanges),
      row("__heddle_wait_sleep", wait_sleep, kTellsChanges),
      row("__heddle_wait_times_out", wait_times_out, kTellsChanges),
      row("__heddle_wait_too_long", wait_too_long, kTellsChanges),
      row("__heddle_wait_times_out_for", wait_times_out_for, kTellsChanges | kTakesLimit),
      row("__heddle_wait_too_long_for", wait_too_long_for, kTellsChanges | kTakesLimit),
      row("__heddle_wait_notify", wait_notify, kTellsChanges),
      row("__heddle_wait_for_change", wait_for_change, kTellsChanges),
      row("syscall", syscall_, kTellsThreadsApart | kTellsChanges),
      row("__heddle_syscall_with_bits", syscall_, kTellsThreadsApart | kTellsChanges | kFutexBits),
      row("__heddle_syscall_that_moves", syscall_, kTellsThreadsApart | kTellsChanges | kFutexMoves),
      row("__heddle_syscall_of_any_kind", syscall_, kTellsThreadsApart | kTellsChanges | kFutexBits | kFutexMoves),
      row("gettid", thread_number, kTellsThreadsApart | kNoSideEffects),
  };
  return table;
}

}  // namespace heddle::library
