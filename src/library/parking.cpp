#include "library/parking.hpp"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "library/state.hpp"
#include "native/access.hpp"
#include "native/names.hpp"

namespace heddle::library::parking {
namespace {

constexpr unsigned kBits = 64;

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
  refuse("internal error: nobody waits where a thread should be woken");
}
ThreadId taken_out(Address queue, uint64_t bit) {
  return taken_out(queue, [&](ThreadId t) { return bit_of(t) == bit; });
}

uint64_t nth_bit(uint64_t set, uint64_t n) {
  for (; n != 0; --n) set &= set - 1;
  return set & -set;
}

// Takes one thread out of the queue; kNoThread if nobody waits. Others may do the same.
ThreadId take_out(Address queue, Purpose purpose) {
  uint64_t set = atomic_load(queue, 8, {Mode::acq, Mode::na, Purpose::notify}).lo;
  while (set != 0) {
    const uint64_t bit = nth_bit(set, choose(static_cast<uint32_t>(std::popcount(set))));
    set = atomic_rmw(queue, 8, RmwOp::band, {~bit, 0}, {Mode::acqrel, Mode::na, purpose}).lo;
    if ((set & bit) != 0) return taken_out(queue, bit);
  }
  return kNoThread;
}

void let_go_on(ThreadId t) {
  atomic_store(wakes_of(t), 8, {state.of[t].parks, 0}, {Mode::rel, Mode::na, Purpose::wake});
}

// Which object each queue belongs to, of the whole run: 0 for one that nobody has asked for.
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

Address queue_of(Address object) {
  if (queues.object.empty()) {
    HostScope scope;
    queues.object.resize(names::kQueueCount);
  }
  std::size_t i = (object >> 2) * 0x9e3779b97f4a7c15u >> (64 - std::bit_width(names::kQueueCount - 1));
  while (queues.object[i] != 0 && queues.object[i] != object) i = (i + 1) % names::kQueueCount;
  queues.object[i] = object;
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
  me.queue = queue;
  ++me.parks;
  queues.object_of_thread[rt.current->id] = object;
}

// What a thread that has waited so often is told when it is moved to a queue; it does not look like a number of waits.
constexpr uint64_t kMoved = uint64_t{1} << 63;
constexpr uint64_t kQueueMask = std::bit_ceil(names::kQueueCount) - 1;
uint64_t moved_word(uint64_t parks, Address to) {
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
  AtomicOrder order{Mode::acq, Mode::na, Purpose::moved, Await::part_equal};
  order.assumed = true;  // other branches have the wake-up, and the time limit in the first queue
  const uint64_t word =
      atomic_load(wakes_of(rt.current->id), 8, order, {moved_word(mine().parks, names::kQueues), ~kQueueMask}).lo;
  return names::kQueues + (word & kQueueMask) * names::kQueueSize;
}

}  // namespace

void enter(Address queue, Address object) {
  const uint64_t bit = bit_of(rt.current->id);
  const uint64_t before = atomic_rmw(queue, 8, RmwOp::bor, {bit, 0}, {Mode::acqrel, Mode::na, Purpose::wait}).lo;
  if ((before & bit) != 0) refuse_more(object, "64 threads");
  note_wait(queue, object);
}

void sleep(bool timed) {
  AtomicOrder order{Mode::acq, Mode::na, Purpose::woken, Await::equal};
  order.assumed = timed && rt.options.timeouts;  // the other branch has the end of the wait
  if (!rt.concurrent)
    write_memory(mine().queue, {}, 8);  // nobody will wake it; the next execution finds the word as it was
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
  if (most == kAll) {
    if (atomic_load(queue, 8, {Mode::acq, Mode::na, Purpose::notify}) == Value{}) return 0;
    uint64_t set = atomic_rmw(queue, 8, RmwOp::xchg, {}, {Mode::acqrel, Mode::na, Purpose::wake}).lo;
    ThreadId all[kBits];
    unsigned n = 0;
    for (; set != 0; set &= set - 1) all[n++] = taken_out(queue, set & -set);
    for (unsigned i = 0; i < n; ++i) let_go_on(all[i]);
    return n;
  }
  for (unsigned woken = 0; woken < most; ++woken) {
    const ThreadId t = take_out(queue, Purpose::wake);
    if (t == kNoThread) return woken;
    let_go_on(t);
  }
  return most;
}

unsigned move(Address from, Address to, Address object, unsigned most) {
  for (unsigned moved = 0; moved < most; ++moved) {
    const ThreadId t = take_out(from, Purpose::move);
    if (t == kNoThread) return moved;
    tell_move(t, to, object);
    atomic_rmw(to, 8, RmwOp::bor, {bit_of(t), 0}, {Mode::acqrel, Mode::na, Purpose::move});
  }
  return most;
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
Value enter_at(Address queue, unsigned i, uint32_t bits, Purpose purpose) {
  return atomic_rmw(queue, 16, RmwOp::bor, at_place(i, bits), {Mode::acqrel, Mode::na, purpose});
}

bool take_back_with_bits(Address queue) {
  const unsigned i = place_of(rt.current->id);
  const Value others = without({~uint64_t{0}, ~uint64_t{0}}, i);
  const Value before = atomic_rmw(queue, 16, RmwOp::band, others, {Mode::acqrel, Mode::na, Purpose::stop_wait});
  return bits_at(before, i) != 0;
}

// Threads that were taken out of a queue, with their sets. A plain array: the fibre may be taken back to here, so
// nothing on it may own memory.
struct Taken {
  ThreadId thread[kPlaces];
  uint32_t bits[kPlaces];
  unsigned count = 0;
};

// Takes out one thread whose set has one of the bits; with `all` each such thread.
Taken take_out_by_bits(Address queue, uint32_t bits, bool all, Purpose purpose = Purpose::wake) {
  Value set = atomic_load(queue, 16, {Mode::acq, Mode::na, Purpose::notify});
  for (;;) {
    unsigned places[kPlaces];
    unsigned count = 0;
    for (unsigned i = 0; i < kPlaces; ++i) {
      if ((bits_at(set, i) & bits) != 0) places[count++] = i;
    }
    if (count == 0) return {};
    if (!all) places[0] = places[choose(std::exchange(count, 1))];
    Value rest = set;
    for (unsigned i = 0; i < count; ++i) rest = without(rest, places[i]);
    const Value seen = atomic_cas(queue, 16, set, rest, {Mode::acqrel, Mode::acq, purpose});
    if (seen == set) {
      Taken taken;
      for (; taken.count < count; ++taken.count) {
        const unsigned i = places[taken.count];
        taken.thread[taken.count] = taken_out(queue, [&](ThreadId t) { return place_of(t) == i; });
        taken.bits[taken.count] = bits_at(set, i);
        undo::keep(state.of[taken.thread[taken.count]].woken_by);
        state.of[taken.thread[taken.count]].woken_by = bits;
      }
      return taken;
    }
    set = seen;
  }
}

}  // namespace

void enter_with_bits(Address queue, Address object, uint32_t bits) {
  const unsigned i = place_of(rt.current->id);
  if (bits_at(enter_at(queue, i, bits, Purpose::wait), i) != 0) refuse_more(object, kFour);
  note_wait(queue, object);
}

bool leave_with_bits(Address queue) { return left(take_back_with_bits(queue)); }
void leave_where_moved_with_bits() { left_moved(take_back_with_bits(moved_to())); }

unsigned wake_by_bits(Address queue, unsigned most, uint32_t bits) {
  if (most == kAll) {
    const Taken taken = take_out_by_bits(queue, bits, true);
    for (unsigned i = 0; i < taken.count; ++i) let_go_on(taken.thread[i]);
    return taken.count;
  }
  for (unsigned woken = 0; woken < most; ++woken) {
    const Taken taken = take_out_by_bits(queue, bits, false);
    if (taken.count == 0) return woken;
    let_go_on(taken.thread[0]);
  }
  return most;
}

unsigned move_with_bits(Address from, Address to, Address object, unsigned most) {
  for (unsigned moved = 0; moved < most; ++moved) {
    const Taken taken = take_out_by_bits(from, kAnyBit, false, Purpose::move);
    if (taken.count == 0) return moved;
    const unsigned i = place_of(taken.thread[0]);
    tell_move(taken.thread[0], to, object);
    if (bits_at(enter_at(to, i, taken.bits[0], Purpose::move), i) != 0) refuse_more(object, kFour);
  }
  return most;
}

bool times_out() { return rt.options.timeouts && choose(2, Purpose::time_limit) == 1; }

}  // namespace heddle::library::parking
