// Polling under a readers-writer lock: a round that takes the lock, finds nothing and gives it back is left out, unless a
// try of another thread has failed because of it and does something else then. With READERS two threads poll, and which
// one of them comes first afterwards makes a difference.
// $ heddle check rw_polling.cpp => verified, 1 executions
// $ heddle check rw_polling.cpp -- -DEXCLUSIVE => verified, 1 executions
// $ heddle check rw_polling.cpp -- -DTRY => verified, 1 executions
// $ heddle check rw_polling.cpp -- -DREADERS => verified, 6 executions
// $ heddle check rw_polling.cpp -- -DREADERS -DEXCLUSIVE => verified, 2 executions
// $ heddle check rw_polling.cpp -- -DFAILS => verified, 2 executions
// $ heddle check rw_polling.cpp -- -DFAILS -DNEVER => error assertion
// $ heddle check rw_polling.cpp -- -DFAILS -DNEVER -DEXCLUSIVE => error assertion
#include <cassert>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int ready, data;
static bool failed;

static void work() {
#ifdef TRY
  while (!lock.try_lock()) {
  }
#elif defined FAILS
  failed = !lock.try_lock();
  if (failed) lock.lock();
#else
  lock.lock();
#endif
  data = 7;
  ready = 1;
  lock.unlock();
}

static void poll() {
  for (;;) {
#ifdef EXCLUSIVE
    lock.lock();
#else
    lock.lock_shared();
#endif
    const int is = ready;
#ifdef EXCLUSIVE
    lock.unlock();
#else
    lock.unlock_shared();
#endif
    if (is) break;
  }
}

int main() {
  std::thread t(work);
#ifdef READERS
  std::thread u(poll);
#endif
  poll();
  assert(data == 7);
  t.join();
#ifdef READERS
  u.join();
#endif
#ifdef NEVER
  assert(!failed);
#endif
}
