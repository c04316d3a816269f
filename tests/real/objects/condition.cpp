// A value is handed over with a condition variable. The buggy one notifies before the value is there.
// $ heddle check condition.cpp -- -std=c++20 => verified
// $ heddle check --model sc condition.cpp -- -std=c++20 => verified
// $ heddle check --model tso condition.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc condition.cpp -- -std=c++20 => verified
// $ heddle check condition.cpp -- -std=c++20 -DEARLY => error deadlock
// $ heddle check --model sc condition.cpp -- -std=c++20 -DEARLY => error deadlock
// $ heddle check --algorithm await --model sc condition.cpp -- -std=c++20 -DEARLY => error deadlock
// $ heddle check condition.cpp -- -std=c++20 -DNO_MUTEX => error deadlock
// $ heddle check --model sc condition.cpp -- -std=c++20 -DNO_MUTEX => error deadlock
// $ heddle check --algorithm await --model sc condition.cpp -- -std=c++20 -DNO_MUTEX => error deadlock
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
std::atomic<bool> ready;
int data;

int main() {
  std::thread consumer([] {
    std::unique_lock lock(m);
    changed.wait(lock, [] { return ready.load(); });
    assert(data == 42);
  });
#if defined EARLY
  changed.notify_one();
  {
    std::lock_guard lock(m);
    data = 42;
    ready = true;
  }
#elif defined NO_MUTEX  // the consumer may have looked already, and not yet wait
  data = 42;
  ready = true;
  changed.notify_one();
#else
  {
    std::lock_guard lock(m);
    data = 42;
    ready = true;
  }
  changed.notify_one();
#endif
  consumer.join();
}
