// A function that waits for any condition, given as a lambda; and a spin lock made of it, that std::lock_guard holds.
// $ heddle check spin_until.cpp => verified, 2 executions
// $ heddle check --model sc spin_until.cpp => verified, 2 executions
// $ heddle check --model tso spin_until.cpp => verified, 2 executions
// $ heddle check --model ra spin_until.cpp => verified, 2 executions
// $ heddle check --algorithm rcmc spin_until.cpp => verified, 4 executions
// $ heddle check --algorithm await --model sc spin_until.cpp => verified, 2 executions
// $ heddle check spin_until.cpp -- -DWEAK => error race
// $ heddle check --algorithm rcmc spin_until.cpp -- -DWEAK => error race
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cassert>
#include <mutex>

#ifdef WEAK
constexpr auto kRelease = std::memory_order_relaxed;
#else
constexpr auto kRelease = std::memory_order_release;
#endif

template <typename Condition>
void spinUntil(const Condition& condition) {
  while (!condition()) sched_yield();
}

class SpinLock {
 public:
  void lock() {
    spinUntil([this] { return !held_.exchange(true, std::memory_order_acquire); });
  }
  void unlock() { held_.store(false, kRelease); }

 private:
  std::atomic<bool> held_{false};
};

SpinLock spin;
int shared;
std::atomic<int> ended{0};

void* worker(void*) {
  {
    const std::lock_guard<SpinLock> guard(spin);
    ++shared;
  }
  ended.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, worker, nullptr);
  pthread_create(&b, nullptr, worker, nullptr);
  const int all = 2;
  spinUntil([&all] { return ended.load(std::memory_order_relaxed) == all; });
  {
    const std::lock_guard<SpinLock> guard(spin);
    assert(shared == 2);
  }
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
