// Barriers and latches. Arrivals commute (graph/meetings.hpp) unless Assumption::arrivals is dropped. Then they are
// read-modify-writes of a counter, as follows.
//
// A latch is its counter. A pthread barrier is what its first words say: how many threads make a round, how many have
// come in all rounds, and how many rounds are over. A thread's round follows from how many have come before it. The
// last one of a round ends it; if there are more threads than a round has, a later round may be over before that.
//
// The serial thread of a round is the last one to come. Where arrivals commute, it is any: the first that finds the
// number of its round in the third word. That is asked only if the program uses what some pthread_barrier_wait returns
// (name_barrier_waits).
//
// The completion of a std::barrier (include/c++/barrier) is run by the first thread of those that have arrived. If it
// looks which thread runs it, arrivals do not commute any more (elected).
#include <fmt/format.h>
#include <pthread.h>

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

// Meetings.

uint64_t arrive(Address at, uint64_t places, uint64_t n, bool for_the_last_time = false) {
  for_real("arrives at a barrier or latch");
  const auto describe = [&](Action& x) {
    x.purpose = Purpose::arrive;
    x.operand = {n, for_the_last_time ? n : 0};
    x.expected = {places, 0};
  };
  const uint64_t phase = take(*rt.current, ActionKind::arrive, at, describe).result.lo;
  change();
  return phase;
}
bool leave(Address at, uint64_t places, uint64_t phase, bool elects = false) {
  for_real("waits at a barrier or latch");
  const auto describe = [&](Action& x) {
    x.purpose = Purpose::barrier_wait;
    x.operand = {phase, 0};
    x.expected = {places, 0};
    x.elects = elects;
  };
  return take(*rt.current, ActionKind::leave, at, describe).result.lo != 0;
}
// The phase in which the next ones arrive, and how many have.
Value look(Address at, uint64_t places) {
  for_real("looks at a barrier or latch");
  const auto describe = [&](Action& x) {
    x.purpose = Purpose::arrive;
    x.expected = {places, 0};
  };
  return take(*rt.current, ActionKind::look, at, describe).result;
}

// The number of places is what the object of the program holds at first, which is never changed. If its constructor has
// written it by an action, it may not be known.
bool commute(const long* places) {
  if (!rt.arrivals) return false;
  const Address a = address(places);
  if (cell::covered(a) && (*cell::at(a) & cell::kTracked) != 0) count_arrivals();
  return true;
}
uint64_t places_of(const long* places) {
  return hidden_read4(address(places)) | static_cast<uint64_t>(hidden_read4(address(places) + 4)) << 32;
}

// What the C++ headers of heddle ask for: include/c++.

// -1 if arrivals do not commute.
long cxx_arrive(const long* places, long n, int for_the_last_time) {
  if (!commute(places)) return -1;
  if (n <= 0) count_arrivals();
  return static_cast<long>(
      arrive(address(places), places_of(places), static_cast<uint64_t>(n), for_the_last_time != 0));
}
int cxx_leave(const long* places, long phase) {
  if (!commute(places)) return 0;
  leave(address(places), places_of(places), static_cast<uint64_t>(phase));
  places_of(places);  // it is used as long as a thread has not left
  return 1;
}
int cxx_elect(const long* places, long phase) {
  return rt.current->elected = leave(address(places), places_of(places), static_cast<uint64_t>(phase), true);
}
void cxx_completed() { rt.current->elected = false; }
void cxx_count_arrivals() {
  if (rt.arrivals) count_arrivals();
}

void count_down(long* count, long n) {
  if (commute(count) && n >= 0) {
    const uint64_t places = places_of(count);
    if (n == 0) return;
    // More than there are places, or in another phase: the counter tells what is wrong.
    if (static_cast<uint64_t>(n) > places || arrive(address(count), places, static_cast<uint64_t>(n)) != 0)
      count_arrivals();
    return;
  }
  cxx_count_arrivals();
  const AtomicOrder order{Mode::rel, Mode::na, Purpose::arrive};
  const auto before =
      static_cast<long>(atomic_rmw(address(count), 8, RmwOp::sub, {static_cast<uint64_t>(n), 0}, order).lo);
  if (n < 0 || n > before) {
    HostScope scope;
    misuse(fmt::format("the latch {{}} is counted down by {}, but stands at {}", n, before), address(count));
  }
}
void count_await_zero(const long* count) {
  if (cxx_leave(count, 0) != 0) return;
  atomic_load(address(count), 8, {Mode::acq, Mode::na, Purpose::barrier_wait, Await::equal});
}
bool count_is_zero(const long* count) {
  if (!commute(count)) return atomic_load(address(count), 8, {Mode::acq, Mode::na}).lo == 0;
  const uint64_t places = places_of(count);
  return places == 0 || look(address(count), places).lo != 0;
}
long cxx_barrier_arrive(long* to_come, long n) {
  const AtomicOrder order{Mode::acqrel, Mode::na, Purpose::arrive};
  const auto before =
      static_cast<long>(atomic_rmw(address(to_come), 8, RmwOp::sub, {static_cast<uint64_t>(n), 0}, order).lo);
  if (n <= 0 || n > before) {
    HostScope scope;
    misuse(fmt::format("{} arrive at the barrier {{}}, which waits for {}", n, before), address(to_come));
  }
  return before;
}
void cxx_barrier_wait(const unsigned* phase, unsigned before) {
  atomic_load(address(phase), 4, {Mode::acq, Mode::na, Purpose::barrier_wait, Await::not_equal}, {before, 0});
}

// Barriers of pthread.

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

// Returns the round.
uint64_t pass_barrier(Address b) {
  const uint32_t count = hidden_read4(b);
  const uint64_t round = arrive(b + kComeOffset, count, 1);
  leave(b + kComeOffset, count, round);
  barrier_in_use(pointer(b));  // it is used as long as a thread has not left
  return round;
}

int barrier_wait(void* barrier) {
  const Address b = barrier_in_use(barrier);
  if (rt.arrivals) {
    const uint64_t round = pass_barrier(b) & kWholeWord;
    const AtomicOrder order{Mode::rlx, Mode::rlx, Purpose::barrier_wait};
    const Value found = atomic_cas(b + kOverOffset, 4, {round, 0}, {(round + 1) & kWholeWord, 0}, order);
    return found.lo == round ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
  }
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
// A wait of which the program never uses the result.
int barrier_pass(void* barrier) {
  if (!rt.arrivals) return barrier_wait(barrier);
  pass_barrier(barrier_in_use(barrier));
  return 0;
}
int barrier_destroy(void* barrier) {
  const Address b = barrier_in_use(barrier);
  const uint32_t count = hidden_read4(b);
  const uint64_t waiting = rt.arrivals
                               ? look(b + kComeOffset, count).hi
                               : atomic_load(b + kComeOffset, 4, {Mode::acq, Mode::na, Purpose::arrive}).lo % count;
  if (waiting != 0) misuse("the barrier {} is destroyed while a thread waits at it", b);
  hidden_write4(b + kBarrierStateOffset, 0);
  return 0;
}

int barrier_attribute_init(int* attribute) {
  plain_put(attribute, 0);
  return 0;
}
int barrier_attribute_destroy(int*) { return 0; }

}  // namespace

std::span<const Row> barrier_functions() {
  static const Row table[] = {
      row("__heddle_arrive", cxx_arrive, kTellsChanges),
      row("__heddle_leave", cxx_leave, kTellsChanges),
      row("__heddle_elect", cxx_elect, kTellsChanges),
      row("__heddle_completed", cxx_completed, kTellsChanges),
      row("__heddle_count_arrivals", cxx_count_arrivals, kTellsChanges),
      row("__heddle_count_down", count_down, kTellsChanges),
      row("__heddle_count_await_zero", count_await_zero, kTellsChanges),
      row("__heddle_count_is_zero", count_is_zero, kNoSideEffects),
      row("__heddle_barrier_arrive", cxx_barrier_arrive, kTellsChanges),
      row("__heddle_barrier_wait", cxx_barrier_wait, kTellsChanges),
      row("pthread_barrier_init", barrier_init),
      row("pthread_barrier_destroy", barrier_destroy),
      row("pthread_barrier_wait", barrier_wait),
      row("__heddle_barrier_pass", barrier_pass),
      row("pthread_barrierattr_init", barrier_attribute_init),
      row("pthread_barrierattr_destroy", barrier_attribute_destroy),
      row("pthread_barrierattr_setpshared", set_process_shared<0, 1>),
      row("pthread_barrierattr_getpshared", get_process_shared<0, 1>),
  };
  return table;
}

}  // namespace heddle::library
