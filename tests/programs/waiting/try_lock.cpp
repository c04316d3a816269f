// std::try_lock on locks of one's own, until it has got all: what a round has locked it unlocks again. One execution for
// each order of the threads. BUSY: a thread that finds a lock held gives up for good; so it matters that it is held in
// passing.
// $ heddle check --no-symmetry try_lock.cpp => verified, 2 executions
// $ heddle check --no-symmetry --model sc try_lock.cpp => verified, 2 executions
// $ heddle check --no-symmetry --model pso try_lock.cpp => verified, 2 executions
// $ heddle check --algorithm rcmc try_lock.cpp => verified, 2 executions
// $ heddle check --algorithm await --model sc try_lock.cpp => verified, 2 executions
// $ heddle check --no-symmetry try_lock.cpp -- -DTHREE => verified, 6 executions
// $ heddle check --algorithm await --model sc try_lock.cpp -- -DTHREE => verified, 6 executions
// $ heddle check try_lock.cpp -- -DBUSY => error assertion here
// $ heddle check --model sc try_lock.cpp -- -DBUSY => error assertion here
// $ heddle check --algorithm await --model sc try_lock.cpp -- -DBUSY => error assertion here
// $ heddle check try_lock.cpp -- -DKEPT => error livelock
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Lock {
 public:
  bool try_lock() { return !held_.exchange(true, std::memory_order_acquire); }
  void lock() {
    while (!try_lock()) {
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

static Lock a, b, c;
static int n;
static bool busy;

template <class... Locks>
static void work(Locks&... locks) {
  while (std::try_lock(locks...) != -1) {
  }
  ++n;
  (locks.unlock(), ...);
}

int main() {
#if defined THREE
  std::thread t([] { work(a, b, c); }), u([] { work(c, b, a); }), v([] { work(b, c, a); });
  v.join();
#elif defined BUSY
  std::atomic<bool> end{false};
  b.lock();
  std::thread t([&] {
    while (!end.load() && std::try_lock(a, b) != -1) {
    }
  });
  std::thread u([&] {
    busy = !a.try_lock();
    end = true;
  });
#elif defined KEPT
  b.lock();
  std::thread t([] { work(a, b); }), u([] {});
#else
  std::thread t([] { work(a, b); }), u([] { work(b, a); });
#endif
  t.join();
  u.join();
#ifdef BUSY
  assert(!busy);  // here
#endif
}
