#include "library/parking.hpp"

#include <fmt/format.h>

#include <bit>

#include "library/state.hpp"
#include "native/access.hpp"
#include "native/names.hpp"

namespace heddle::library::parking {
namespace {

constexpr unsigned kBits = 64;

uint64_t bit_of(ThreadId t) { return uint64_t{1} << index(t) % kBits; }
Address wakes_of(ThreadId t) { return names::kWakes + index(t) * 8; }

// The thread of this bit that waited in the queue until the current thread took it out.
ThreadId taken_out(Address queue, uint64_t bit) {
  for (const ThreadId t : rt.threads) {
    if (bit_of(t) != bit || state.of[t].queue != queue) continue;
    undo::keep(state.of[t].queue);
    state.of[t].queue = 0;
    return t;
  }
  refuse("internal error: nobody waits where a thread should be woken");
}

uint64_t nth_bit(uint64_t set, uint64_t n) {
  for (; n != 0; --n) set &= set - 1;
  return set & -set;
}

// Takes one thread out of the queue; kNoThread if nobody waits. Others may do the same.
ThreadId take_out(Address queue) {
  uint64_t set = atomic_load(queue, 8, {Mode::acq, Mode::na, Purpose::notify}).lo;
  while (set != 0) {
    const uint64_t bit = nth_bit(set, choose(static_cast<uint32_t>(std::popcount(set))));
    set = atomic_rmw(queue, 8, RmwOp::band, {~bit, 0}, {Mode::acqrel, Mode::na, Purpose::wake}).lo;
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
  const std::size_t i = (a - names::kQueues) / 8;
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
  return names::kQueues + i * 8;
}

void enter(Address queue, Address object) {
  const uint64_t bit = bit_of(rt.current->id);
  const uint64_t before = atomic_rmw(queue, 8, RmwOp::bor, {bit, 0}, {Mode::acqrel, Mode::na, Purpose::wait}).lo;
  if ((before & bit) != 0) {
    HostScope scope;
    refuse(fmt::format("too many threads wait for {} ({}): a test may have 64 threads that wait for the same",
                       names::describe(object), place(rt.site)));
  }
  OfThread& me = mine();
  me.queue = queue;
  ++me.parks;
  queues.object_of_thread[rt.current->id] = object;
}

void sleep(bool timed) {
  AtomicOrder order{Mode::acq, Mode::na, Purpose::woken, Await::equal};
  order.assumed = timed && rt.options.timeouts;  // the other branch has the end of the wait
  if (!rt.concurrent)
    write_memory(mine().queue, {}, 8);  // nobody will wake it; the next execution finds the word as it was
  atomic_load(wakes_of(rt.current->id), 8, order, {mine().parks, 0});
  mine().queue = 0;
}

bool leave(Address queue) {
  const uint64_t bit = bit_of(rt.current->id);
  const Value before = atomic_rmw(queue, 8, RmwOp::band, {~bit, 0}, {Mode::acqrel, Mode::na, Purpose::stop_wait});
  const bool undisturbed = (before.lo & bit) != 0;
  if (!undisturbed) sleep();  // what was written comes, and must not be taken for a later one
  mine().queue = 0;
  return undisturbed;
}

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
    const ThreadId t = take_out(queue);
    if (t == kNoThread) return woken;
    let_go_on(t);
  }
  return most;
}

unsigned move(Address from, Address to, Address object, unsigned most) {
  for (unsigned moved = 0; moved < most; ++moved) {
    const ThreadId t = take_out(from);
    if (t == kNoThread) return moved;
    undo::keep(state.of[t].queue);
    state.of[t].queue = to;
    queues.object_of_thread[t] = object;
    atomic_rmw(to, 8, RmwOp::bor, {bit_of(t), 0}, {Mode::acqrel, Mode::na, Purpose::wait});
  }
  return most;
}

bool times_out() { return rt.options.timeouts && choose(2, Purpose::time_limit) == 1; }

}  // namespace heddle::library::parking
