// Readers-writer locks and spin locks. The first four bytes of a readers-writer lock are the number of its readers, or
// kWriter. A thread knows from its own history which ones it holds, and how.
#include <pthread.h>

#include <algorithm>
#include <cerrno>

#include "library/checked.hpp"
#include "library/passing.hpp"
#include "library/process_shared.hpp"
#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

constexpr uint64_t kWriter = 1u << 31;
constexpr uint64_t kAllBits = 0xffff'ffff;
constexpr unsigned kLockStateOffset = 44;
constexpr uint32_t kLockGone = 0xdead;
static_assert(sizeof(pthread_rwlock_t) >= kLockStateOffset + 4);

Address lock_in_use(const void* lock) {
  const Address l = address(lock);
  if (hidden_read4(l + kLockStateOffset) == kLockGone) misuse("use of the lock {}, which has been destroyed", l);
  return l;
}

HeldLock* held_lock(Address l) {
  auto& all = mine().locks;
  const auto it = std::ranges::find(all, l, &HeldLock::lock);
  return it == all.end() ? nullptr : &*it;
}
// changed: the thread's last change before.
void note_lock(Address l, bool exclusive, uint64_t changed) {
  HEDDLE_ASSERT(rt.current->changed > changed || rt.rehearsal != nullptr);  // kTellsChanges
  HeldLock* const h = held_lock(l);
  if (h != nullptr) {
    ++h->depth;
  } else {
    mine().locks.push_back({l, exclusive, 1, changed, rt.current->changed, own_clock(*rt.current), rt.site});
  }
}

int read_lock(void* lock) {
  const Address l = lock_in_use(lock);
  const HeldLock* const h = held_lock(l);
  if (h != nullptr && h->exclusive) return EDEADLK;
  const uint64_t changed = rt.current->changed;
  const AtomicOrder order{Mode::acq, Mode::na, Purpose::shared_lock};
  atomic_rmw(l, 4, RmwOp::add, {1, 0}, order.until(Comparison::less, kAllBits, kWriter));
  note_lock(l, false, changed);
  return 0;
}

int try_read_lock(void* lock) {
  const Address l = lock_in_use(lock);
  if (held_lock(l) == nullptr && passing::fails_at_will(l, Purpose::lock_attempt)) return EBUSY;
  const uint64_t changed = rt.current->changed;
  uint64_t readers = atomic_load(l, 4, {Mode::rlx, Mode::na, Purpose::lock_attempt}).lo;
  while (readers < kWriter) {
    const AtomicOrder order{Mode::acq, Mode::rlx, Purpose::lock_attempt};
    const uint64_t found = atomic_cas(l, 4, {readers, 0}, {readers + 1, 0}, order).lo;
    if (found == readers) {
      note_lock(l, false, changed);
      return 0;
    }
    readers = found;
  }
  passing::note_failure(l);
  return EBUSY;
}

int write_lock(void* lock) {
  const Address l = lock_in_use(lock);
  const HeldLock* const h = held_lock(l);
  if (h != nullptr && h->exclusive) return EDEADLK;
  const uint64_t changed = rt.current->changed;
  atomic_cas(l, 4, {}, {kWriter, 0}, {Mode::acq, Mode::rlx, Purpose::exclusive_lock, Await::equal});
  note_lock(l, true, changed);
  return 0;
}

int try_write_lock(void* lock) {
  const Address l = lock_in_use(lock);
  if (held_lock(l) == nullptr && passing::fails_at_will(l, Purpose::lock_attempt)) return EBUSY;
  const uint64_t changed = rt.current->changed;
  if (atomic_cas(l, 4, {}, {kWriter, 0}, {Mode::acq, Mode::rlx, Purpose::lock_attempt}) != Value{}) {
    passing::note_failure(l);
    return EBUSY;
  }
  note_lock(l, true, changed);
  return 0;
}

// A thread that gets the lock after a wait could as well have come later. So a try that fails stands for all waits that
// take too long.
template <int (*Lock)(void*), int (*Try)(void*)>
int lock_in_time(void* lock) {
  const HeldLock* const h = held_lock(lock_in_use(lock));
  if (h != nullptr && h->exclusive) return EDEADLK;
  if (!rt.options.timeouts) return Lock(lock);
  return Try(lock) == 0 ? 0 : ETIMEDOUT;
}

int unlock_either(void* lock) {
  const Address l = lock_in_use(lock);
  HeldLock* const h = held_lock(l);
  if (h == nullptr) misuse("unlock of the lock {}, which this thread does not hold{}", l);
  HEDDLE_ASSERT(h->depth != 0);
  const HeldLock was = *h;
  if (--h->depth == 0) {
    *h = mine().locks.back();
    mine().locks.pop_back();
  }
  passing::give_back(l, was.changed, was.taken, [&] {
    const AtomicOrder order{Mode::rel, Mode::na, Purpose::lock_release};
    if (was.exclusive) {
      atomic_store(l, 4, {}, order);
    } else {
      atomic_rmw(l, 4, RmwOp::sub, {1, 0}, order);
    }
  });
  return 0;
}

int rwlock_init(void* lock, const void*) {
  check_room(lock, sizeof(pthread_rwlock_t));
  const Address l = address(lock);
  const uint32_t free = 0;
  plain_write(l, &free, sizeof free);
  hidden_write4(l + kLockStateOffset, 0);
  return 0;
}
int rwlock_destroy(void* lock) {
  const Address l = lock_in_use(lock);
  if (atomic_load(l, 4, {Mode::rlx, Mode::na, Purpose::mutex_destroy}) != Value{}) {
    misuse("the lock {} is destroyed while it is held", l);
  }
  hidden_write4(l + kLockStateOffset, kLockGone);
  return 0;
}

// Which thread is preferred when several wait makes no difference: all orders are explored. An attribute has eight
// bytes: the kind, and whether processes share it.
int rwlock_attribute_init(int* attribute) {
  plain_put(attribute, 0);
  plain_put(attribute + 1, 0);
  return 0;
}
int rwlock_attribute_destroy(int*) { return 0; }
int rwlock_set_kind(int* attribute, int kind) {
  if (kind < 0 || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) return EINVAL;
  plain_put(attribute, kind);
  return 0;
}
int rwlock_get_kind(const int* attribute, int* kind) {
  plain_put(kind, plain_get(attribute));
  return 0;
}
// A spin lock is a word: 0 free, 1 held.
constexpr Value kSpinHeld{1, 0};
int spin_init(int* lock, int) {
  plain_put(lock, 0);
  return 0;
}
int spin_destroy(int* lock) {
  if (atomic_load(address(lock), 4, {Mode::rlx, Mode::na, Purpose::mutex_destroy}) != Value{}) {
    misuse("the spin lock {} is destroyed while it is held", address(lock));
  }
  return 0;
}
int spin_lock(int* lock) {
  atomic_cas(address(lock), 4, {}, kSpinHeld, {Mode::acq, Mode::rlx, Purpose::mutex_lock, Await::equal});
  return 0;
}
int spin_trylock(int* lock) {
  const AtomicOrder order{Mode::acq, Mode::rlx, Purpose::mutex_trylock};
  return atomic_cas(address(lock), 4, {}, kSpinHeld, order) == Value{} ? 0 : EBUSY;
}
int spin_unlock(int* lock) {
  atomic_store(address(lock), 4, {}, {Mode::rel, Mode::na, Purpose::mutex_unlock});
  return 0;
}

}  // namespace

std::span<const Row> rwlock_functions() {
  static const Row table[] = {
      row("pthread_rwlock_init", rwlock_init),
      row("pthread_rwlock_destroy", rwlock_destroy),
      row("pthread_rwlock_rdlock", read_lock, kTellsChanges),
      row("pthread_rwlock_tryrdlock", try_read_lock, kTellsChanges),
      row("__heddle_read_lock_in_time", lock_in_time<read_lock, try_read_lock>, kTellsChanges),
      row("pthread_rwlock_wrlock", write_lock, kTellsChanges),
      row("pthread_rwlock_trywrlock", try_write_lock, kTellsChanges),
      row("__heddle_write_lock_in_time", lock_in_time<write_lock, try_write_lock>, kTellsChanges),
      row("pthread_rwlock_unlock", unlock_either, kTellsChanges | kGivesBack),
      row("pthread_rwlockattr_init", rwlock_attribute_init),
      row("pthread_rwlockattr_destroy", rwlock_attribute_destroy),
      row("pthread_rwlockattr_setkind_np", rwlock_set_kind),
      row("pthread_rwlockattr_getkind_np", rwlock_get_kind),
      row("pthread_rwlockattr_setpshared", set_process_shared<1, 1>),
      row("pthread_rwlockattr_getpshared", get_process_shared<1, 1>),
      row("pthread_spin_init", spin_init),
      row("pthread_spin_destroy", spin_destroy),
      row("pthread_spin_lock", spin_lock, kTellsChanges),
      row("pthread_spin_trylock", spin_trylock, kTellsChanges),
      row("pthread_spin_unlock", spin_unlock, kTellsChanges),
  };
  return table;
}

}  // namespace heddle::library
