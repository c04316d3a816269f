// Atomic accesses, fences, errors: the entry points that are not plain accesses (plain.cpp), and no loops (rounds.cpp).

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "native/access.hpp"
#include "native/changes.hpp"
#include "native/lifetime.hpp"
#include "native/names.hpp"

namespace heddle {
namespace {

using cell::Use;

// Whether an atomic access is an action: there are threads that might notice, and the memory is not private.
[[gnu::always_inline]] inline bool visible(Address a) { return rt.concurrent && cell::covered(a); }

// Other threads run before an action is done: a HostScope around it would serve them, too.
[[maybe_unused]] inline bool may_act(Address a) { return !visible(a) || !host::allocates; }

// Checks an atomic access that is done at once, before it is done.
void admit(Address a, unsigned size, Use use) {
  cell::check_alignment(a, size);
  Thread& t = *rt.current;
  if (cell::covered(a)) {
    if (use != Use::store) cell::check_read(t, a, size, cell::Uninitialised::refuse);
    if (use != Use::load) cell::check_write(t, a, size);
  } else {
    admit_outside(a, use == Use::store);
  }
}

// Whether it writes something else than it has read.
[[gnu::always_inline]] inline bool alters(RmwOp op, Value old, Value operand, unsigned size) {
  switch (op) {
    case RmwOp::xchg: return operand != old;
    case RmwOp::add:
    case RmwOp::sub: return operand != Value{};
    default: return apply(op, old, operand, static_cast<uint8_t>(size)) != old;
  }
}
// Whether there is a value that it may read and alters. Of those that commute, each bit of the operand tells.
bool may_alter(RmwOp op, Value operand, unsigned size) {
  const Value ones = apply(RmwOp::bor, {}, {~uint64_t{0}, ~uint64_t{0}}, static_cast<uint8_t>(size));
  switch (op) {
    case RmwOp::add:
    case RmwOp::sub:
    case RmwOp::bor:
    case RmwOp::bxor:
    case RmwOp::band: return alters(op, {}, operand, size) || alters(op, ones, operand, size);
    default: return true;
  }
}
// What writes the value that is there changes nothing, but for clocks: see wait_for in rounds.cpp.
[[gnu::noinline]] void note_told(Address a) {
  if (rt.rehearsal == nullptr && tells_time != nullptr && tells_time(a)) change();
}

// What the current thread has changed by an action. If the result is unused, what the rmw reads may be of no meaning
// (--commute): of an addition, that makes no difference.
[[gnu::noinline]] void note_action(Address a, unsigned size, RmwOp op, Value old, Value operand, bool unused,
                                   Purpose purpose) {
  if (purpose != Purpose::access || (unused && op != RmwOp::add && op != RmwOp::sub)) return change();
  changes::note_update(a, size, old, apply(op, old, operand, static_cast<uint8_t>(size)), unused);
}

// An rmw whose result is unused may commute with others. What it reads then depends on an order that is not explored.
// `op` as the entry point has it.
[[gnu::always_inline]] inline void note_rmw(Address a, int op, Value old, Value operand, unsigned size,
                                            Purpose purpose = Purpose::access) {
  const auto of = RmwOp(op & ~abi::kResultUnused);
  const bool unused = (op & abi::kResultUnused) != 0;
  if (unused ? may_alter(of, operand, size) : alters(of, old, operand, size)) {
    if (!rt.current->notes) [[likely]]
      return change();
    return note_action(a, size, of, old, operand, unused, purpose);
  }
  if (rt.image->uses.clocks) [[unlikely]]
    note_told(a);
}
[[gnu::always_inline]] inline void note_cas(Address a, Value old, Value expected, Value desired, unsigned size,
                                            Purpose purpose = Purpose::access) {
  if (old != expected) return;
  if (desired != expected) {
    if (!rt.current->notes) [[likely]]
      return change();
    return note_action(a, size, RmwOp::xchg, old, desired, false, purpose);
  }
  if (rt.image->uses.clocks) [[unlikely]]
    note_told(a);
}
[[gnu::always_inline]] inline void note_store(Address a, Value value, unsigned size,
                                              Purpose purpose = Purpose::access) {
  if (!rt.current->notes || purpose != Purpose::access) [[likely]]
    return change();
  changes::note_store(a, size, value);
}

// Writes what is no action.
void write_alone(changes::Before before, Address a, unsigned size, Value old, Value now) {
  if (now != old) {
    changes::write(before, a, &now, size);
  } else if (rt.image->uses.clocks) {
    note_told(a);
  }
  write_memory(a, now, size);
}

// What the program has said before the access (__heddle_until). Told only if the access is not replayed.
inline Until take_until() {
  rt.slow_actions &= ~Runtime::kLearning;
  return std::exchange(rt.until, {});
}

// The access has read what it does not wait for: a round that counts only for what it tells of the time (rounds.cpp),
// or as the one that is shown.
void require_learnt(const Until& until, Value read, bool told = false) {
  if (satisfied(until.await, until.expected, until.condition, read))
    block(BlockReason::assume);  // the other branch has it
  Thread& t = *rt.current;
  if (!rt.image->uses.clocks || !(learns_time() || told)) {
    if (!rt.shows_rounds || t.goes_round) block(BlockReason::spin, own_clock(t) - until.round);
    t.goes_round = true;
  }
  change();
}
bool stores_fail(const Thread& t, Clock clock) {
  const auto fails = [&](const WillStore::Place& p) {
    return cell::store_fails(t, clock, p.address, p.size, t.will_store.own);
  };
  return std::any_of(t.will_store.places, t.will_store.places + t.will_store.count, fails);
}

// The caller has let the await read another value. It goes no further, like a false assume, unless that is to show an
// error of the round.
inline void go_on(const Until& until, Value read) {
  if (satisfied(until.await, until.expected, until.condition, read)) [[likely]]
    return;
  const Thread& t = *rt.current;
  if (!until.stores || !stores_fail(t, {t.clock, t.clock_size})) block(BlockReason::assume);
}

[[gnu::noinline]] Value load_alone(Address a, unsigned size, Mode mode) {
  if (rt.rehearsal != nullptr) return rt.rehearsal->load(a, size, mode);
  admit(a, size, Use::load);
  const Value v = read_memory(a, size);
  access::end_probe();
  return v;
}

[[gnu::noinline]] void store_alone(Address a, unsigned size, Value value) {
  for_real("stores");
  const auto before = changes::before_write(a, size);
  admit(a, size, Use::store);
  changes::write(before, a, &value, size);
  write_memory(a, value, size);
  access::end_probe();
}

[[gnu::noinline]] Value rmw_alone(Address a, unsigned size, int op, Value operand) {
  for_real("has a read-modify-write other than a cas");
  const auto before = changes::before_write(a, size);
  admit(a, size, Use::update);
  const Value old = read_memory(a, size);
  write_alone(before, a, size, old, apply(RmwOp(op & ~abi::kResultUnused), old, operand, static_cast<uint8_t>(size)));
  access::end_probe();
  return old;
}

[[gnu::noinline]] Value cas_alone(Address a, unsigned size, Value expected, Value desired, AtomicOrder order) {
  if (rt.rehearsal != nullptr) return rt.rehearsal->cas(a, size, expected, desired, order);
  admit(a, size, Use::load);
  const Value old = read_memory(a, size);
  if (old == expected) {
    const auto before = changes::before_write(a, size);
    admit(a, size, Use::store);
    write_alone(before, a, size, old, desired);
  }
  access::end_probe();
  return old;
}

[[gnu::always_inline]] inline Value load(Address a, unsigned size, AtomicOrder o, Value expected) {
  if (!visible(a)) return load_alone(a, size, o.mode);
  Thread& t = *rt.current;
  const Value v = take(t, ActionKind::load, a, [&](Action& x) {
                    x.size = static_cast<uint8_t>(size);
                    x.mode = o.mode;
                    x.purpose = o.purpose;
                    x.await = o.await;
                    x.assumed = o.assumed;
                    x.rechecks = o.rechecks;
                    x.loud = t.loud;
                    x.result_unused = o.result_unused;
                    x.compared = o.compared;
                    x.round = o.round;
                    x.expected = expected;
                    x.condition = o.condition;
                  }).result;
  cell::touch(t, a, size, Use::load);
  return v;
}

[[gnu::always_inline]] inline void store(Address a, unsigned size, Value value, AtomicOrder o) {
  if (!visible(a)) return store_alone(a, size, value);
  Thread& t = *rt.current;
  take(t, ActionKind::store, a, [&](Action& x) {
    x.size = static_cast<uint8_t>(size);
    x.mode = o.mode;
    x.purpose = o.purpose;
    x.operand = value;
  });
  note_store(a, value, size, o.purpose);
  cell::touch(t, a, size, Use::store);
}

// `op` as the entry point has it.
[[gnu::always_inline]] inline Value rmw(Address a, unsigned size, int op, Value operand, Mode mode, const Until& until,
                                        Purpose purpose = Purpose::access) {
  if (!visible(a)) return rmw_alone(a, size, op, operand);
  Thread& t = *rt.current;
  const Value v = take(t, ActionKind::rmw, a, [&](Action& x) {
                    x.size = static_cast<uint8_t>(size);
                    x.mode = mode;
                    x.purpose = purpose;
                    x.op = RmwOp(op & ~abi::kResultUnused);
                    x.result_unused = (op & abi::kResultUnused) != 0 || until.result_unused;
                    x.undone = until.undone;
                    x.compared = until.compared;
                    x.loud = t.loud;
                    x.operand = operand;
                    x.await = until.await;
                    x.assumed = until.assumed;
                    x.round = until.round;
                    x.expected = until.expected;
                    x.condition = until.condition;
                  }).result;
  const bool goes_on = satisfied(until.await, until.expected, until.condition, v);
  cell::touch(t, a, size, goes_on ? Use::update : Use::load);
  if (!goes_on) [[unlikely]]
    block(BlockReason::assume);
  note_rmw(a, op, v, operand, size, purpose);
  return v;
}

[[gnu::always_inline]] inline Value cas(Address a, unsigned size, Value expected, Value desired, AtomicOrder o) {
  if (!visible(a)) return cas_alone(a, size, expected, desired, o);
  Thread& t = *rt.current;
  const Value v = take(t, ActionKind::cas, a, [&](Action& x) {
                    x.size = static_cast<uint8_t>(size);
                    x.mode = o.mode;
                    x.fail_mode = o.fail_mode;
                    x.purpose = o.purpose;
                    x.await = o.await;
                    x.assumed = o.assumed;
                    x.confirms = o.confirms;
                    x.rechecks = o.rechecks;
                    x.loud = t.loud;
                    x.round = o.round;
                    x.expected = expected;
                    x.condition = o.condition;
                    x.operand = desired;
                  }).result;
  note_cas(a, v, expected, desired, size, o.purpose);
  cell::touch(t, a, size, v == expected ? Use::update : Use::load);
  return v;
}

// A weak compare-and-swap that fails for no reason is a choice, then a load of the expected value: a failure with
// another value has its reason, and the other branch has it.
bool fails_spuriously(int weak) {
  return weak != 0 && rt.options.spurious_cas && rt.rehearsal == nullptr && choose(2) == 1;
}
Value load_expected(Address a, unsigned size, Mode mode, Value expected) {
  const Value v = load(a, size, {mode}, {});
  if (v != expected) block(BlockReason::assume);
  return v;
}

// The usual case of a replay: the thread has a step for just this action. Null if anything is out of the ordinary. The
// entry points leave everything else to a tail call, because they would have to save registers for it.
[[gnu::always_inline]] inline const Step* replayed(Address a, ActionKind kind) {
  if (!visible(a) || rt.slow_actions != 0) return nullptr;
  const Thread& t = *rt.current;
  return t.next != t.end && t.next->kind == kind && t.next->addr == a ? t.next : nullptr;
}

[[gnu::noinline]] uint64_t load_until(Address a, unsigned size, Mode mode) {
  const Until until = take_until();
  const bool alone = !visible(a);
  if (until.learns) {
    const Value v = load(a, size, {mode}, {});
    require_learnt(until, v);
    return v.lo;
  }
  const Value v = load(a, size,
                       {.mode = mode,
                        .await = until.await,
                        .assumed = until.assumed,
                        .round = until.round,
                        .rechecks = until.rechecks,
                        .condition = until.condition,
                        .result_unused = until.result_unused,
                        .compared = until.compared},
                       until.expected);
  if (!alone) go_on(until, v);
  return v.lo;
}
[[gnu::noinline]] uint64_t load_slowly(void* p, unsigned size, Mode mode) {
  if (rt.until.await != Await::none || rt.until.compared) return load_until(address(p), size, mode);
  return load(address(p), size, {mode}, {}).lo;
}
[[gnu::noinline]] void store_own(void* p, unsigned size, uint64_t value, Mode mode) {
  const Address a = address(p);
  if (!visible(a) || !rt.own || rt.shows_all || rt.shows_some || !cell::check_own_store(*rt.current, a, size))
    return store(a, size, {value, 0}, {mode});
  changes::write(changes::before_write(a, size), a, &value, size);
  write_memory(a, {value, 0}, size);
  access::end_probe();
}
[[gnu::noinline]] void store_slowly(void* p, unsigned size, uint64_t value, Mode mode) {
  store(address(p), size, {value, 0}, {mode});
}
Value rmw_until(Address a, unsigned size, int op, Value operand, Mode mode) {
  const Until until = take_until();
  const uint64_t before = rt.current->changed;
  const Value v = rmw(a, size, op, operand, mode, until.learns ? Until() : until);
  if (until.learns) require_learnt(until, v, rt.current->changed != before);
  return v;
}
[[gnu::noinline]] uint64_t rmw_slowly(void* p, unsigned size, int op, uint64_t operand, Mode mode) {
  return rmw_until(address(p), size, op, {operand, 0}, mode).lo;
}
[[gnu::noinline]] abi::Pair cas_slowly(void* p, unsigned size, uint64_t expected, uint64_t desired, Mode mode,
                                       Mode fail_mode) {
  const Until until = take_until();
  if (until.learns) {
    const Value old = cas(address(p), size, {expected, 0}, {desired, 0}, {.mode = mode, .fail_mode = fail_mode});
    require_learnt(until, old);
    return {old.lo, old.lo == expected};
  }
  const bool alone = !visible(address(p));
  const Value old = cas(address(p), size, {expected, 0}, {desired, 0},
                        {.mode = mode,
                         .fail_mode = fail_mode,
                         .await = until.await,
                         .assumed = until.assumed,
                         .round = until.round,
                         .confirms = until.confirms,
                         .rechecks = until.rechecks,
                         .condition = until.condition});
  if (!alone) go_on(until, old);
  return {old.lo, old.lo == expected};
}
[[gnu::noinline]] abi::Pair weak_cas_slowly(void* p, unsigned size, uint64_t expected, uint64_t desired, Mode mode,
                                            Mode fail_mode) {
  if (rt.options.spurious_cas) take_until();  // a round in which it fails for no reason may be the last
  if (fails_spuriously(1)) return {load_expected(address(p), size, fail_mode, {expected, 0}).lo, 0};
  return cas_slowly(p, size, expected, desired, mode, fail_mode);
}

Value value16(const void* p) {
  Value v;
  std::memcpy(&v, p, 16);
  return v;
}

}  // namespace

bool round_fails(const Thread& t, Clock clock) {
  const bool stores = t.pending.await != Await::none && t.will_store.count != 0 && t.will_store.taken == t.taken;
  return stores && stores_fail(t, clock);
}

access::State access::state;

Value base_value(Address a, unsigned size) {
  const bool there = !region::in_image(a) || (a >= region::image_start() && a < region::image_end());
  return there ? read_memory(a, size) : Value{};
}

void fail_null(Address a, bool writes) {
  HostScope scope;
  fail(ErrorKind::memory,
       a == 0 ? fmt::format("{} through a null pointer", writes ? "write" : "read")
              : fmt::format("{} at address {:#x}, through a null pointer", writes ? "write" : "read", a));
}

void admit_outside(Address a, bool writes) {
  if (in_null_page(a)) fail_null(a, writes);
  if (region::in_stack(a)) return;
  if (region::in_shadow(a)) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("access to the invalid address {:#x}", a));
  }
  cell::tell_unseen();
  access::begin_probe(a);
}

// An await that the caller lets read another value goes no further, like a false assume. If there is no other thread
// yet, it never will.
[[noreturn]] void wait_for_ever(Address a, AtomicOrder order) {
  if (rt.concurrent || order.assumed) block(BlockReason::assume);
  HostScope scope;
  const bool loop = order.purpose == Purpose::access;
  const char* const what = loop ? "a change of " : order.purpose == Purpose::mutex_lock ? "mutex " : "";
  fail(loop ? ErrorKind::livelock : ErrorKind::deadlock,
       fmt::format("main waits for {}{}, and there is no other thread", what, names::describe(a)));
}

Value atomic_load(Address a, unsigned size, AtomicOrder order, Value expected) {
  HEDDLE_ASSERT(may_act(a));
  const Value v = load(a, size, order, expected);
  if (!satisfied(order.await, expected, order.condition, v)) wait_for_ever(a, order);
  return v;
}
void atomic_store(Address a, unsigned size, Value value, AtomicOrder order) {
  HEDDLE_ASSERT(may_act(a));
  store(a, size, value, order);
}
Value atomic_cas(Address a, unsigned size, Value expected, Value desired, AtomicOrder order) {
  HEDDLE_ASSERT(may_act(a));
  const Value v = cas(a, size, expected, desired, order);
  if (!satisfied(order.await, expected, order.condition, v)) wait_for_ever(a, order);
  return v;
}
Value atomic_rmw(Address a, unsigned size, RmwOp op, Value operand, AtomicOrder order, Value expected) {
  HEDDLE_ASSERT(may_act(a));
  if (!visible(a) && !satisfied(order.await, expected, order.condition, read_memory(a, size))) wait_for_ever(a, order);
  const Until until{order.await, order.assumed, order.round, expected, order.condition};
  return rmw(a, size, static_cast<int>(op), operand, order.mode, until, order.purpose);
}
void atomic_fence() { abi::__heddle_fence(static_cast<int>(Mode::sc), static_cast<uint32_t>(rt.site)); }

uint64_t choose(uint32_t bound, Purpose purpose) {
  for_real("chooses");
  if (bound <= 1) return 0;
  const auto describe = [&](Action& x) {
    x.bound = bound;
    x.purpose = purpose;
  };
  return take(*rt.current, ActionKind::choose, 0, describe).result.lo;
}

namespace {

[[gnu::always_inline]] inline uint64_t load_entry(void* p, int size, int mode, uint32_t site) {
  rt.site = SiteId(site);
  const auto n = static_cast<unsigned>(size);
  const Step* const step = replayed(address(p), ActionKind::load);
  if (step == nullptr || !cell::settled(address(p), n, Use::load)) return load_slowly(p, n, Mode(mode));
  use(*rt.current, *step);
  return step->result.lo;
}

[[gnu::always_inline]] inline uint64_t rmw_entry(void* p, int size, int op, uint64_t operand, int mode, uint32_t site) {
  rt.site = SiteId(site);
  const auto n = static_cast<unsigned>(size);
  const Step* const step = replayed(address(p), ActionKind::rmw);
  if (step == nullptr || !cell::settled(address(p), n, Use::update)) return rmw_slowly(p, n, op, operand, Mode(mode));
  const Value old = step->result;
  use(*rt.current, *step);
  note_rmw(address(p), op, old, {operand, 0}, n);
  return old.lo;
}

}  // namespace
}  // namespace heddle

using namespace heddle;

extern "C" {

int64_t heddle::abi::__heddle_fuel = 0;

uint64_t heddle::abi::__heddle_load(void* p, int size, int mode, uint32_t site) {
  return load_entry(p, size, mode, site);
}
uint32_t heddle::abi::__heddle_load_narrow(void* p, int size, int mode, uint32_t site) {
  return static_cast<uint32_t>(load_entry(p, size, mode, site));
}

void heddle::abi::__heddle_store(void* p, int size, uint64_t value, int mode, uint32_t site) {
  rt.site = SiteId(site);
  const auto n = static_cast<unsigned>(size);
  if ((mode & kOwn) != 0) [[unlikely]]
    return store_own(p, n, value, Mode(mode & ~kOwn));
  const Step* const step = replayed(address(p), ActionKind::store);
  if (step == nullptr || !cell::settled(address(p), n, Use::store)) return store_slowly(p, n, value, Mode(mode));
  use(*rt.current, *step);
  note_store(address(p), {value, 0}, n);
}

uint64_t heddle::abi::__heddle_rmw(void* p, int size, int op, uint64_t operand, int mode, uint32_t site) {
  return rmw_entry(p, size, op, operand, mode, site);
}
uint32_t heddle::abi::__heddle_rmw_narrow(void* p, int size, int op, uint64_t operand, int mode, uint32_t site) {
  return static_cast<uint32_t>(rmw_entry(p, size, op, operand, mode, site));
}

heddle::abi::Pair heddle::abi::__heddle_cas(void* p, int size, uint64_t expected, uint64_t desired, int mode,
                                            int fail_mode, int weak, uint32_t site) {
  rt.site = SiteId(site);
  const auto n = static_cast<unsigned>(size);
  const Step* const step = replayed(address(p), ActionKind::cas);
  const bool usual = step != nullptr && !(weak != 0 && rt.options.spurious_cas);
  const bool success = usual && step->result.lo == expected;
  if (!usual || !cell::settled(address(p), n, success ? Use::update : Use::load)) {
    return weak != 0 ? weak_cas_slowly(p, n, expected, desired, Mode(mode), Mode(fail_mode))
                     : cas_slowly(p, n, expected, desired, Mode(mode), Mode(fail_mode));
  }
  const Value old = step->result;
  use(*rt.current, *step);
  note_cas(address(p), old, {expected, 0}, {desired, 0}, n);
  return {old.lo, success};
}

void heddle::abi::__heddle_load16(void* p, void* out, int mode, uint32_t site) {
  rt.site = SiteId(site);
  const Value v = load(address(p), 16, {Mode(mode)}, {});
  std::memcpy(out, &v, 16);
}

void heddle::abi::__heddle_store16(void* p, const void* value, int mode, uint32_t site) {
  rt.site = SiteId(site);
  store(address(p), 16, value16(value), {Mode(mode)});
}

void heddle::abi::__heddle_rmw16(void* p, int op, const void* operand, void* old, int mode, uint32_t site) {
  rt.site = SiteId(site);
  const Value v = rmw_until(address(p), 16, op, value16(operand), Mode(mode));
  std::memcpy(old, &v, 16);
}

uint64_t heddle::abi::__heddle_cas16(void* p, const void* expected, const void* desired, void* old, int mode,
                                     int fail_mode, int weak, uint32_t site) {
  rt.site = SiteId(site);
  const bool spurious = fails_spuriously(weak);
  const Value want = value16(expected);
  const Value v = spurious ? load_expected(address(p), 16, Mode(fail_mode), want)
                           : cas(address(p), 16, want, value16(desired), {Mode(mode), Mode(fail_mode)});
  std::memcpy(old, &v, 16);
  return !spurious && v == want;
}

void heddle::abi::__heddle_fence(int mode, uint32_t site) {
  rt.site = SiteId(site);
  for_real("has a fence");
  if (!rt.concurrent) return;
  take(*rt.current, ActionKind::fence, 0, [&](Action& x) { x.mode = Mode(mode); });
}

void* heddle::abi::__heddle_local_begin(uint64_t size, uint64_t align, uint32_t site) {
  rt.site = SiteId(site);
  if (size > region::kStackUsable) [[unlikely]]
    heap::fail_stack("");
  return heap::allocate(size, align, BlockKind::local, false);
}

void heddle::abi::__heddle_local_end(void* p, uint32_t site) {
  rt.site = SiteId(site);
  lifetime::end_local(p);
}

void* heddle::abi::__heddle_tls() {
  look_who_runs();
  return heap::tls();
}

void heddle::abi::__heddle_at(uint32_t site) { rt.site = SiteId(site); }
uint32_t heddle::abi::__heddle_here(uint32_t site) { return rt.site == kNoSite ? site : index(rt.site); }

void heddle::abi::__heddle_division(uint32_t site) {
  rt.site = SiteId(site);
  fail(ErrorKind::crash, "division by zero, or the quotient does not fit (SIGFPE)");
}

void heddle::abi::__heddle_assumption(uint32_t site) {
  rt.site = SiteId(site);
  fail(ErrorKind::crash, "the program assumes what is false (__builtin_assume; undefined behaviour)");
}

void heddle::abi::__heddle_out_of_bounds(uint64_t offset, uint64_t length, uint64_t size, uint32_t site) {
  rt.site = SiteId(site);
  HostScope scope;
  fail(ErrorKind::memory,
       fmt::format("access of {} byte{} out of bounds, at offset {} of a variable of {} byte{}", length,
                   length == 1 ? "" : "s", static_cast<int64_t>(offset), size, size == 1 ? "" : "s"));
}

void heddle::abi::__heddle_uninitialised(uint32_t site) {
  rt.site = SiteId(site);
  fail(ErrorKind::memory, "read of an uninitialised local variable");
}

void heddle::abi::__heddle_out_of_scope(uint32_t site) {
  rt.site = SiteId(site);
  fail(ErrorKind::memory, "access of a local variable that has gone out of scope");
}

void heddle::abi::__heddle_trap(uint32_t site) {
  rt.site = SiteId(site);
  fail(ErrorKind::crash, "the program reached a place that it must not reach (undefined behaviour)");
}
}
