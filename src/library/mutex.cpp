// Mutexes, once and the guards of function-local statics.
//
// A mutex's state lives in its own first four bytes: 0 free, 1 held. Locking is a compare-and-swap that awaits 0. Its
// kind stands where glibc's static initialisers put it. Which mutexes a thread holds it knows from its own history, so
// nested locks of a recursive mutex are no actions.
//
// Those that are held in passing: passing.hpp.
#include "library/mutex.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <threads.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>

#include "library/checked.hpp"
#include "library/once.hpp"
#include "library/parking.hpp"
#include "library/passing.hpp"
#include "library/process_shared.hpp"
#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"
#include "native/lifetime.hpp"
#include "native/names.hpp"

namespace heddle::library {
namespace {

int unlock(void* mutex);

constexpr unsigned kKindOffset = 16;
constexpr uint32_t kMostLocked = 16;  // at once
constexpr uint32_t kDestroyed = 0xdead;
static_assert(offsetof(pthread_mutex_t, __data.__kind) == kKindOffset);

uint32_t kind_of(Address m) {
  const uint32_t kind = hidden_read4(m + kKindOffset);
  if (kind == kDestroyed) misuse("use of the mutex {}, which has been destroyed", m);
  if (kind > PTHREAD_MUTEX_ADAPTIVE_NP) misuse("use of the mutex {}, which has not been initialised", m);
  return kind;
}

HeldMutex* held(Address m) {
  auto& all = mine().held;
  const auto it = std::ranges::find(all, m, &HeldMutex::mutex);
  return it == all.end() ? nullptr : &*it;
}

// A mutex that is never destroyed, like those of C++, ends with its memory: no thread may hold it then. If a thread u
// holds it and its lock does not happen before the end of the memory, u's unlock uses what is gone, and that is found.
void require_no_lock_in(const Block& b) {
  if (!state.used) return;
  const Thread& t = *rt.current;
  const auto check = [&](ThreadId who_holds, Address lock, uint32_t clock) {
    const bool known = who_holds == t.id || (index(who_holds) < t.clock_size && t.clock[index(who_holds)] >= clock);
    if (lock - b.start >= b.size || !known) return;
    HostScope scope;
    fail(ErrorKind::mutex, fmt::format("the life of {} ends while {} holds it", names::describe(lock), who(who_holds)),
         who_holds, b.site);
  };
  for (const ThreadId holder : rt.threads) {
    for (const HeldMutex& h : state.of[holder].held) check(holder, h.mutex, h.clock);
    for (const HeldLock& h : state.of[holder].locks) check(holder, h.lock, h.clock);
  }
}
const bool looks_for_locks = (lifetime::ending = require_no_lock_in, true);

constexpr Value kHeld{1, 0};

// Not if its thread has just let go of it.
bool is_held(Address m) {
  return std::ranges::any_of(rt.threads, [&](ThreadId t) {
    return std::ranges::find(state.of[t].held, m, &HeldMutex::mutex) != state.of[t].held.end();
  });
}

void acquire(Address m) {
  // Alone, main can wait for itself only: offer the action that waits for ever.
  if (!rt.concurrent && read_memory(m, 4).lo != 0) {
    take(*rt.current, ActionKind::cas, m, [&](Action& x) {
      x.size = 4;
      x.mode = Mode::acq;
      x.fail_mode = Mode::rlx;
      x.purpose = Purpose::mutex_lock;
      x.await = Await::equal;
      x.operand = kHeld;
    });
    block(BlockReason::assume);
  }
  const uint64_t before = rt.current->changed;
  atomic_cas(m, 4, {}, kHeld, {Mode::acq, Mode::rlx, Purpose::mutex_lock, Await::equal});
  HEDDLE_ASSERT(rt.current->changed > before || rt.rehearsal != nullptr);  // kTellsChanges
  mine().held.push_back({m, 1, before, rt.current->changed, {}, own_clock(*rt.current), rt.site});
}

bool try_acquire(Address m) {
  const uint64_t before = rt.current->changed;
  const Value v = atomic_cas(m, 4, {}, kHeld, {Mode::acq, Mode::rlx, Purpose::mutex_trylock});
  if (v != Value{}) {
    passing::note_failure(m);
    return false;
  }
  HEDDLE_ASSERT(rt.current->changed > before || rt.rehearsal != nullptr);  // kTellsChanges
  mine().held.push_back({m, 1, before, rt.current->changed, {}, own_clock(*rt.current), rt.site});
  return true;
}

// No other thread sees nested locks. To take one and give it back with no change in between changes nothing.
void nest(HeldMutex& h) {
  HEDDLE_ASSERT(h.depth != 0);
  const uint64_t before = rt.current->changed;
  change();
  h.nested = {++h.depth, before, rt.current->changed};
}

void leave(HeldMutex& h) {
  const bool in_passing = h.nested.depth == h.depth && h.nested.taken == rt.current->changed;
  --h.depth;
  if (in_passing) return take_back(h.nested.changed);
  change();
}

void release(HeldMutex& h) {
  HEDDLE_ASSERT(h.depth != 0 && &h >= mine().held.data() && &h < mine().held.data() + mine().held.size());
  if (h.depth > 1) return leave(h);
  const HeldMutex was = h;
  h = mine().held.back();
  mine().held.pop_back();
  passing::give_back(was.mutex, was.changed, was.taken,
                     [&] { atomic_store(was.mutex, 4, {}, {Mode::rel, Mode::na, Purpose::mutex_unlock}); });
}

int lock(void* mutex) {
  const Address m = address(mutex);
  const uint32_t kind = kind_of(m);
  HeldMutex* const h = held(m);
  if (h != nullptr && kind == PTHREAD_MUTEX_RECURSIVE) {
    nest(*h);
    return 0;
  }
  if (h != nullptr && kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  acquire(m);
  return 0;
}

int try_once(void* mutex) {
  const Address m = address(mutex);
  const uint32_t kind = kind_of(m);
  HeldMutex* const h = held(m);
  if (h == nullptr) return try_acquire(m) ? 0 : EBUSY;
  if (kind != PTHREAD_MUTEX_RECURSIVE) return EBUSY;
  nest(*h);
  return 0;
}

int trylock(void* mutex) {
  const Address m = address(mutex);
  if (held(m) == nullptr && passing::fails_at_will(m, Purpose::mutex_trylock)) return EBUSY;
  return try_once(mutex);
}

// A thread that gets the mutex after a wait could as well have come later. So a try that fails stands for all timeouts.
int lock_in_time(void* mutex) {
  const Address m = address(mutex);
  if (held(m) != nullptr && kind_of(m) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  if (!rt.options.timeouts) return lock(mutex);
  return trylock(mutex) == 0 ? 0 : ETIMEDOUT;
}

// std::lock: waits for one, tries the others; if it does not get one, it gives all back and begins anew. With which one
// it begins makes no difference: what it has when it comes back it could have taken at once.
void lock_all(uint32_t count, ...) {
  HEDDLE_ASSERT(count != 0 && count <= kMostLocked);
  void* mutexes[kMostLocked];
  va_list list;
  va_start(list, count);
  for (uint32_t i = 0; i < count; ++i) mutexes[i] = va_arg(list, void*);
  va_end(list);
  const SiteId site = rt.site;
  for (uint32_t rounds = 0;; ++rounds) {
    rt.site = site;
    if (rounds > rt.rounds[index(site)]) block(BlockReason::cut);
    const uint32_t events = own_clock(*rt.current);
    lock(mutexes[0]);
    uint32_t tried = 1;
    while (tried < count && try_once(mutexes[tried]) == 0) ++tried;
    if (tried == count) return;
    if (held(address(mutexes[tried])) != nullptr) lock(mutexes[tried]);  // it waits for itself
    while (tried-- > 0) unlock(mutexes[tried]);
    if (rt.passing == Passing::seen) continue;
    leave_out_passing(events);
    block(BlockReason::spin, own_clock(*rt.current) - events, Purpose::mutex_lock);
  }
}

[[noreturn]] void fail_not_held(Address m) { misuse("unlock of the mutex {}, which this thread does not hold{}", m); }

// POSIX says what happens for some kinds of mutexes; C11 for none.
int unlock(void* mutex) {
  const Address m = address(mutex);
  const uint32_t kind = kind_of(m);
  HeldMutex* const h = held(m);
  if (h == nullptr && (kind == PTHREAD_MUTEX_ERRORCHECK || kind == PTHREAD_MUTEX_RECURSIVE)) return EPERM;
  if (h == nullptr) fail_not_held(m);
  release(*h);
  return 0;
}

// A mutex that no thread holds may be initialised again; what else stands there is no concern of ours.
void require_not_held(Address m) {
  if (!is_held(m)) return;
  if (atomic_load(m, 4, {Mode::rlx, Mode::na, Purpose::other}) != kHeld) return;
  misuse("the mutex {} is initialised while it is held", m);
}

void initialise(Address m, uint32_t kind) {
  if (state.used) require_not_held(m);
  const uint32_t free = 0;
  plain_write(m, &free, 4);
  hidden_write4(m + kKindOffset, kind);
}

// What stands in a pthread_mutexattr_t: the kind in the lowest bits, then flags.
constexpr int kKindBits = 3;
constexpr unsigned kShared = 1 << 4;
constexpr int kProtocolShift = 8;
constexpr int kProtocolBits = 3 << kProtocolShift;

int mutex_init(void* mutex, const int* attribute) {
  check_room(mutex, sizeof(pthread_mutex_t));
  initialise(address(mutex), attribute == nullptr ? 0 : static_cast<uint32_t>(plain_get(attribute)) & kKindBits);
  return 0;
}

int mutex_destroy(void* mutex) {
  const Address m = address(mutex);
  kind_of(m);
  const Value v = atomic_load(m, 4, {Mode::rlx, Mode::na, Purpose::mutex_destroy});
  if (v != Value{}) misuse("the mutex {} is destroyed while it is held", m);
  hidden_write4(m + kKindOffset, kDestroyed);
  return 0;
}

int attribute_init(int* attribute) {
  plain_put(attribute, 0);
  return 0;
}
int attribute_destroy(int*) { return 0; }
int attribute_set_type(int* attribute, int kind) {
  if (kind < 0 || kind > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  plain_put(attribute, (plain_get(attribute) & ~kKindBits) | kind);
  return 0;
}
int attribute_get_type(const int* attribute, int* kind) {
  plain_put(kind, plain_get(attribute) & kKindBits);
  return 0;
}
// Which thread waits longest, and with which priority, makes no difference: all orders are explored.
int attribute_set_protocol(int* attribute, int protocol) {
  if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT) return EINVAL;
  plain_put(attribute, (plain_get(attribute) & ~kProtocolBits) | protocol << kProtocolShift);
  return 0;
}
int attribute_get_protocol(const int* attribute, int* protocol) {
  plain_put(protocol, (plain_get(attribute) & kProtocolBits) >> kProtocolShift);
  return 0;
}
// A robust mutex outlives a thread that dies with it; threads that end here are just not to hold any.
int attribute_set_robust(int*, int robust) {
  if (robust == PTHREAD_MUTEX_STALLED) return 0;
  if (robust != PTHREAD_MUTEX_ROBUST) return EINVAL;
  HostScope scope;
  refuse(fmt::format("robust mutexes are not supported ({}): leave out pthread_mutexattr_setrobust", place(rt.site)));
}
int attribute_get_robust(const int*, int* robust) {
  plain_put<int>(robust, PTHREAD_MUTEX_STALLED);
  return 0;
}

int mtx_init_(void* mutex, int type) {
  if ((type & ~(mtx_plain | mtx_recursive | mtx_timed)) != 0) return thrd_error;
  check_room(mutex, sizeof(mtx_t));
  initialise(address(mutex), (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return thrd_success;
}
void mtx_destroy_(void* mutex) { mutex_destroy(mutex); }
int mtx_lock_(void* mutex) { return lock(mutex) == 0 ? thrd_success : thrd_error; }
int mtx_trylock_(void* mutex) { return trylock(mutex) == 0 ? thrd_success : thrd_busy; }
int mtx_unlock_(void* mutex) {
  if (held(address(mutex)) == nullptr) fail_not_held(address(mutex));
  unlock(mutex);
  return thrd_success;
}

void section_begin() {
  HeldMutex* const h = held(names::kSection);
  if (h != nullptr) {
    ++h->depth;
  } else {
    acquire(names::kSection);
  }
}
void section_end() {
  HeldMutex* const h = held(names::kSection);
  if (h == nullptr) fail(ErrorKind::mutex, "__VERIFIER_atomic_end without __VERIFIER_atomic_begin");
  release(*h);
}

// The thread that comes first runs the function, the others wait until it is done. States of a once_t: 0, then 1
// running, 2 done; of a guard, whose first byte compiled code tests itself: 0, then 2 running, 1 done.
bool begin_once(Address a, unsigned size, uint64_t running, uint64_t done) {
  for (;;) {
    const Value v = atomic_cas(a, size, {}, {running, 0}, {Mode::acq, Mode::acq, Purpose::once});
    if (v.lo == 0) return true;
    if (v.lo == done) return false;
    const Value now = atomic_load(a, size, {Mode::acq, Mode::na, Purpose::once, Await::not_equal}, {running, 0});
    if (now.lo == done) return false;  // else the thread that ran it gave up
  }
}
void end_once(Address a, unsigned size, uint64_t state) {
  atomic_store(a, size, {state, 0}, {Mode::rel, Mode::na, Purpose::once});
}

// A function that leaves with an exception or ends the thread has not run: the next one to come runs it.
int once(int* control, void (*function)()) {
  if (!begin_once(address(control), 4, 1, 2)) return 0;
  mine().onces.push_back(address(control));
  try {
    function();
  } catch (...) {
    fibre::forget_passed_frames({pointer(region::stack_low(rt.current->id)), region::kStackUsable});
    HEDDLE_ASSERT(!mine().onces.empty() && mine().onces.back() == address(control));
    mine().onces.pop_back();
    end_once(address(control), 4, 0);
    throw;
  }
  HEDDLE_ASSERT(!mine().onces.empty() && mine().onces.back() == address(control));
  mine().onces.pop_back();
  end_once(address(control), 4, 2);
  return 0;
}
void call_once_(int* control, void (*function)()) { once(control, function); }

int guard_acquire(void* guard) { return begin_once(address(guard), 1, 2, 1) ? 1 : 0; }
void guard_release(void* guard) { end_once(address(guard), 1, 1); }
void guard_abort(void* guard) { end_once(address(guard), 1, 0); }

}  // namespace

int lock_mutex(void* mutex) { return lock(mutex); }
int unlock_mutex(void* mutex) { return unlock(mutex); }
bool holds_mutex(const void* mutex) { return held(address(mutex)) != nullptr; }

void give_up_onces() {
  for (; !mine().onces.empty(); mine().onces.pop_back()) end_once(mine().onces.back(), 4, 0);
}

std::span<const Row> mutex_functions() {
  static const Row table[] = {
      row("pthread_mutex_init", mutex_init),
      row("pthread_mutex_destroy", mutex_destroy),
      row("pthread_mutex_lock", lock, kTellsChanges),
      row("pthread_mutex_trylock", trylock, kTellsChanges),
      row("__heddle_lock_in_time", lock_in_time, kTellsChanges),
      row("pthread_mutex_unlock", unlock, kTellsChanges | kGivesBack),
      row("pthread_mutexattr_init", attribute_init),
      row("pthread_mutexattr_destroy", attribute_destroy),
      row("pthread_mutexattr_settype", attribute_set_type),
      row("pthread_mutexattr_gettype", attribute_get_type),
      row("pthread_mutexattr_setpshared", set_process_shared<0, kShared>),
      row("pthread_mutexattr_getpshared", get_process_shared<0, kShared>),
      row("pthread_mutexattr_setprotocol", attribute_set_protocol),
      row("pthread_mutexattr_getprotocol", attribute_get_protocol),
      row("pthread_mutexattr_setrobust", attribute_set_robust),
      row("pthread_mutexattr_getrobust", attribute_get_robust),
      row("pthread_once", once),
      row("__heddle_lock_all", lock_all, kTellsChanges),
      row("mtx_init", mtx_init_),
      row("mtx_destroy", mtx_destroy_),
      row("mtx_lock", mtx_lock_, kTellsChanges),
      row("mtx_trylock", mtx_trylock_, kTellsChanges),
      row("mtx_unlock", mtx_unlock_, kTellsChanges | kGivesBack),
      row("call_once", call_once_),
      row("__VERIFIER_atomic_begin", section_begin),
      row("__VERIFIER_atomic_end", section_end),
      row("__cxa_guard_acquire", guard_acquire),
      row("__cxa_guard_release", guard_release),
      row("__cxa_guard_abort", guard_abort),
  };
  return table;
}

}  // namespace heddle::library
