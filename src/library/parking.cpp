#include "library/parking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "library/state.hpp"
#include "native/access.hpp"
#include "native/names.hpp"

namespace heddle::library::parking {
namespace {

constexpr unsigned kBits = 64;

// In a queue: a notification waits for a thread (OtherNotice). One thread less can wait then.
constexpr uint64_t kKept = uint64_t{1} << (kBits - 1);

bool keeps_notices() { return std::ranges::any_of(rt.notices, &OtherNotice::is_kept); }

uint64_t bit_of(ThreadId t) { return uint64_t{1} << index(t) % kBits; }
Address wakes_of(ThreadId t) { return names::kWakes + index(t) * 8; }

// The thread with this place in the queue that waited there until the current thread took it out.
template <class HasPlace>
ThreadId taken_out(Address queue, const HasPlace& has_place) {
  for (const ThreadId t : rt.threads) {
    if (!has_place(t) || state.of[t].queue != queue) continue;
    undo::keep(state.of[t].queue);
    state.of[t].queue = 0;
    return t;
  }
  refuse("internal error: no thread waits where one should be woken");
}
ThreadId taken_out(Address queue, uint64_t bit) {
  return taken_out(queue, [&](ThreadId t) { return bit_of(t) == bit; });
}

// Some of a set, but `most` at most: each way to choose them once.
uint64_t choose_some(uint64_t set, unsigned most) {
  uint64_t some = 0;
  for (; set != 0 && most != 0; set &= set - 1) {
    if (most < static_cast<unsigned>(std::popcount(set)) && choose(2) == 1) continue;
    some |= set & -set;
    --most;
  }
  return some;
}

uint64_t nth_bit(uint64_t set, uint64_t n) {
  for (; n != 0; --n) set &= set - 1;
  return set & -set;
}

// Takes one thread out of the queue; kNoThread if none waits. Other threads may do the same.
ThreadId take_out(Address queue) {
  uint64_t set = waiting_in(atomic_load(queue, 8, {Mode::acq, Mode::na, Purpose::notify}));
  while (set != 0) {
    const uint64_t bit = nth_bit(set, choose(static_cast<uint32_t>(std::popcount(set))));
    set = waiting_in(atomic_rmw(queue, 8, RmwOp::band, {~bit, 0}, {Mode::acqrel, Mode::na, Purpose::wake}));
    if ((set & bit) != 0) return taken_out(queue, bit);
  }
  return kNoThread;
}

void let_go_on(ThreadId t) {
  HEDDLE_ASSERT(state.of[t].queue == 0 && state.of[t].parks != 0);  // it was taken out of its queue
  atomic_store(wakes_of(t), 8, {state.of[t].parks, 0}, {Mode::rel, Mode::na, Purpose::wake});
}

// One that waits in the queue, if no thread does.
bool keep_notice(Address queue) {
  Value set = atomic_load(queue, 8, {Mode::acq, Mode::na, Purpose::notify});
  while (waiting_in(set) == 0) {
    const Value seen = atomic_cas(queue, 8, set, {kKept, 0}, {Mode::acqrel, Mode::acq, Purpose::wake});
    if (seen == set) return true;
    set = seen;
  }
  return false;
}

// The current thread takes such a notification, or enters. Whether it has taken one; `before`: what was in the queue.
bool take_notice_or_enter(Address queue, uint64_t bit, uint64_t& before) {
  Value set = atomic_load(queue, 8, {Mode::acq, Mode::na, Purpose::wait});
  for (;;) {
    const bool kept = (set.lo & kKept) != 0;
    const Value next{kept ? set.lo & ~kKept : set.lo | bit, 0};
    const Value seen = atomic_cas(queue, 8, set, next, {Mode::acqrel, Mode::acq, Purpose::wait});
    if (seen == set) {
      before = set.lo;
      return kept;
    }
    set = seen;
  }
}

const OtherNotice* other_notice() {
  for (const OtherNotice& notice : rt.notices) {
    if (notice.site == rt.site) return &notice;
  }
  return nullptr;
}

// Which object each queue belongs to, of the whole run: 0 for one that was never asked for.
struct Queues {
  PerThread<Address> object_of_thread{};
  HostVector<Address> object;
} queues;

Address object_of(Address a) {
  if (a < names::kQueues) return queues.object_of_thread.of[(a - names::kWakes) / 8];
  const std::size_t i = (a - names::kQueues) / names::kQueueSize;
  return i < queues.object.size() ? queues.object[i] : 0;
}
const bool told = (names::object_of = object_of, true);

}  // namespace

uint64_t waiting_in(Value queue) { return keeps_notices() ? queue.lo & ~kKept : queue.lo; }

Address queue_of(Address object) {
  if (queues.object.empty()) {
    HostScope scope;
    queues.object.resize(names::kQueueCount);
  }
  std::size_t i = (object >> 2) * 0x9e3779b97f4a7c15u >> (64 - std::bit_width(names::kQueueCount - 1));
  std::size_t tried = 0;
  while (queues.object[i] != 0 && queues.object[i] != object) {
    if (++tried == names::kQueueCount) refuse("threads wait for too many different objects");
    i = (i + 1) % names::kQueueCount;
  }
  queues.object[i] = object;
  HEDDLE_ASSERT(i < names::kQueueCount && object_of(names::kQueues + i * names::kQueueSize) == object);
  return names::kQueues + i * names::kQueueSize;
}

namespace {

[[noreturn]] void refuse_more(Address object, const char* how_many) {
  HostScope scope;
  refuse(fmt::format("too many threads wait for {} ({}): a test may have {} that wait for the same",
                     names::describe(object), place(rt.site), how_many));
}

// The current thread has entered the queue.
void note_wait(Address queue, Address object) {
  OfThread& me = mine();
  HEDDLE_ASSERT(me.queue == 0);  // it waits in one queue at a time
  me.queue = queue;
  ++me.parks;
  queues.object_of_thread[rt.current->id] = object;
}

// What a thread that has waited so often is told when it is moved to a queue; it does not look like a number of waits.
constexpr uint64_t kMoved = uint64_t{1} << 63;
constexpr uint64_t kQueueMask = std::bit_ceil(names::kQueueCount) - 1;
uint64_t moved_word(uint64_t parks, Address to) {
  HEDDLE_ASSERT(parks < kMoved / (kQueueMask + 1));
  HEDDLE_ASSERT(to - names::kQueues < names::kQueueCount * names::kQueueSize);
  return kMoved | parks * (kQueueMask + 1) | (to - names::kQueues) / names::kQueueSize;
}

// The current thread has taken t out of another queue. If nothing can happen to it there but that it is woken, it need
// not know.
void tell_move(ThreadId t, Address to, Address object) {
  undo::keep(state.of[t].queue);
  state.of[t].queue = to;
  queues.object_of_thread[t] = object;
  if (!rt.options.timeouts) return;
  atomic_store(wakes_of(t), 8, {moved_word(state.of[t].parks, to), 0}, {Mode::rel, Mode::na, Purpose::move});
}

// Where the current thread has been moved to.
Address moved_to() {
  AtomicOrder order = AtomicOrder{Mode::acq, Mode::na, Purpose::moved}.until(Comparison::equal, ~kQueueMask,
                                                                             moved_word(mine().parks, names::kQueues));
  order.assumed = true;  // other branches have the wake-up, and the time limit in the first queue
  const uint64_t word = atomic_load(wakes_of(rt.current->id), 8, order).lo;
  return names::kQueues + (word & kQueueMask) * names::kQueueSize;
}

}  // namespace

void enter(Address queue, Address object) {
  const uint64_t bit = bit_of(rt.current->id);
  uint64_t before = 0;
  bool notified = false;
  if (!keeps_notices()) {
    before = atomic_rmw(queue, 8, RmwOp::bor, {bit, 0}, {Mode::acqrel, Mode::na, Purpose::wait}).lo;
  } else {
    notified = take_notice_or_enter(queue, bit, before);
  }
  if ((before & bit) != 0) refuse_more(object, "64 threads");
  note_wait(queue, object);
  if (notified) {
    mine().queue = 0;
    let_go_on(rt.current->id);
  }
}

void sleep(bool timed) {
  AtomicOrder order{Mode::acq, Mode::na, Purpose::woken, Await::equal};
  order.assumed = timed && rt.options.timeouts;  // the other branch has the end of the wait
  if (!rt.concurrent)
    write_memory(mine().queue, {}, 8);  // no thread will wake it; the next execution finds the word as it was
  atomic_load(wakes_of(rt.current->id), 8, order, {mine().parks, 0});
  mine().queue = 0;
}

namespace {

// Whether it was still there.
bool take_back(Address queue) {
  const uint64_t bit = bit_of(rt.current->id);
  const Value before = atomic_rmw(queue, 8, RmwOp::band, {~bit, 0}, {Mode::acqrel, Mode::na, Purpose::stop_wait});
  return (before.lo & bit) != 0;
}

// What was written to the thread that is leaving comes, and must not be taken for a later one.
bool left(bool undisturbed) {
  if (!undisturbed) sleep();
  mine().queue = 0;
  return undisturbed;
}
// It was told to which queue it was moved; other executions have what has happened since.
void left_moved(bool undisturbed) {
  if (!undisturbed) block(BlockReason::assume);
  mine().queue = 0;
}

}  // namespace

bool leave(Address queue) { return left(take_back(queue)); }
void leave_where_moved() { left_moved(take_back(moved_to())); }

unsigned wake(Address queue, unsigned most) {
  if (const OtherNotice* const notice = other_notice()) {
    if (!notice->is_kept) most = kAll;
    if (notice->is_kept && keep_notice(queue)) return 0;
  }
  if (most == kAll) {
    if (waiting_in(atomic_load(queue, 8, {Mode::acq, Mode::na, Purpose::notify})) == 0) return 0;
    const AtomicOrder order{Mode::acqrel, Mode::na, Purpose::wake};
    uint64_t set = waiting_in(keeps_notices() ? atomic_rmw(queue, 8, RmwOp::band, {kKept, 0}, order)
                                              : atomic_rmw(queue, 8, RmwOp::xchg, {}, order));
    ThreadId all[kBits];
    unsigned n = 0;
    for (; set != 0; set &= set - 1) all[n++] = taken_out(queue, set & -set);
    for (unsigned i = 0; i < n; ++i) let_go_on(all[i]);
    return n;
  }
  if (most == 1) {
    const ThreadId t = take_out(queue);
    if (t != kNoThread) let_go_on(t);
    return t == kNoThread ? 0 : 1;
  }
  return wake_and_move(queue, 0, 0, most, 0);
}

// All are taken out in one step. They stand in a plain array: the fibre may be taken back to here, so nothing on it may
// own memory.
unsigned wake_and_move(Address from, Address to, Address object, unsigned wakes, unsigned moves) {
  HEDDLE_ASSERT(moves == 0 || (to != 0 && to != from));
  uint64_t set = atomic_load(from, 8, {Mode::acq, Mode::na, Purpose::notify}).lo;
  for (;;) {
    const uint64_t waiting = waiting_in({set, 0});
    const uint64_t woken = choose_some(waiting, wakes);
    const uint64_t moved = choose_some(waiting & ~woken, moves);
    if ((woken | moved) == 0) return 0;
    const AtomicOrder order{Mode::acqrel, Mode::acq, moved == 0 ? Purpose::wake : Purpose::move};
    const uint64_t seen = atomic_cas(from, 8, {set, 0}, {set & ~(woken | moved), 0}, order).lo;
    if (seen != set) {
      set = seen;
      continue;
    }
    HEDDLE_ASSERT((woken & moved) == 0 && ((woken | moved) & ~set) == 0);
    ThreadId taken[kBits];
    unsigned n = 0;
    for (uint64_t rest = woken; rest != 0; rest &= rest - 1) taken[n++] = taken_out(from, rest & -rest);
    const unsigned end = n;
    for (uint64_t rest = moved; rest != 0; rest &= rest - 1) taken[n++] = taken_out(from, rest & -rest);
    for (unsigned i = 0; i < end; ++i) let_go_on(taken[i]);
    for (unsigned i = end; i < n; ++i) tell_move(taken[i], to, object);
    if (moved != 0) atomic_rmw(to, 8, RmwOp::bor, {moved, 0}, {Mode::acqrel, Mode::na, Purpose::move});
    return n;
  }
}

namespace {

constexpr unsigned kPlaces = 4;
constexpr const char* kFour = "4 threads with bit sets, whose numbers differ modulo 4,";

unsigned place_of(ThreadId t) { return static_cast<unsigned>(index(t)) % kPlaces; }
uint32_t bits_at(Value set, unsigned i) { return static_cast<uint32_t>((i < 2 ? set.lo : set.hi) >> 32 * (i % 2)); }
Value at_place(unsigned i, uint64_t bits) {
  const uint64_t half = bits << 32 * (i % 2);
  return i < 2 ? Value{half, 0} : Value{0, half};
}
Value without(Value set, unsigned i) {
  const Value gone = at_place(i, kAnyBit);
  return {set.lo & ~gone.lo, set.hi & ~gone.hi};
}
Value operator|(Value a, Value b) { return {a.lo | b.lo, a.hi | b.hi}; }

bool take_back_with_bits(Address queue) {
  const unsigned i = place_of(rt.current->id);
  const Value others = without({~uint64_t{0}, ~uint64_t{0}}, i);
  const Value before = atomic_rmw(queue, 16, RmwOp::band, others, {Mode::acqrel, Mode::na, Purpose::stop_wait});
  return bits_at(before, i) != 0;
}

}  // namespace

void enter_with_bits(Address queue, Address object, uint32_t bits) {
  const unsigned i = place_of(rt.current->id);
  const AtomicOrder order{Mode::acqrel, Mode::na, Purpose::wait};
  if (bits_at(atomic_rmw(queue, 16, RmwOp::bor, at_place(i, bits), order), i) != 0) refuse_more(object, kFour);
  note_wait(queue, object);
}

bool leave_with_bits(Address queue) { return left(take_back_with_bits(queue)); }
void leave_where_moved_with_bits() { left_moved(take_back_with_bits(moved_to())); }

unsigned wake_by_bits(Address queue, unsigned most, uint32_t bits) {
  return wake_and_move_with_bits(queue, 0, 0, most, 0, bits);
}

unsigned wake_and_move_with_bits(Address from, Address to, Address object, unsigned wakes, unsigned moves,
                                 uint32_t bits) {
  HEDDLE_ASSERT(moves == 0 || (to != 0 && to != from));
  Value set = atomic_load(from, 16, {Mode::acq, Mode::na, Purpose::notify});
  for (;;) {
    uint64_t meant = 0;  // places
    for (unsigned i = 0; i < kPlaces; ++i) meant |= uint64_t{(bits_at(set, i) & bits) != 0} << i;
    const uint64_t woken = choose_some(meant, wakes);
    const uint64_t moved = choose_some(meant & ~woken, moves);
    if ((woken | moved) == 0) return 0;
    Value rest = set, arrive;
    for (unsigned i = 0; i < kPlaces; ++i) {
      if (((woken | moved) >> i & 1) != 0) rest = without(rest, i);
      if ((moved >> i & 1) != 0) arrive = arrive | at_place(i, bits_at(set, i));
    }
    const AtomicOrder order{Mode::acqrel, Mode::acq, moved == 0 ? Purpose::wake : Purpose::move};
    const Value seen = atomic_cas(from, 16, set, rest, order);
    if (seen != set) {
      set = seen;
      continue;
    }
    ThreadId taken[kPlaces];
    for (unsigned i = 0; i < kPlaces; ++i) {
      if (((woken | moved) >> i & 1) == 0) continue;
      const ThreadId t = taken[i] = taken_out(from, [&](ThreadId u) { return place_of(u) == i; });
      undo::keep(state.of[t].woken_by);
      state.of[t].woken_by = bits;
    }
    for (unsigned i = 0; i < kPlaces; ++i) {
      if ((woken >> i & 1) != 0) let_go_on(taken[i]);
      if ((moved >> i & 1) != 0) tell_move(taken[i], to, object);
    }
    if (moved != 0) {
      const Value there = atomic_rmw(to, 16, RmwOp::bor, arrive, {Mode::acqrel, Mode::na, Purpose::move});
      for (unsigned i = 0; i < kPlaces; ++i)
        if ((moved >> i & 1) != 0 && bits_at(there, i) != 0) refuse_more(object, kFour);
    }
    return static_cast<unsigned>(std::popcount(woken | moved));
  }
}

bool times_out() { return rt.options.timeouts && choose(2, Purpose::time_limit) == 1; }

}  // namespace heddle::library::parking
