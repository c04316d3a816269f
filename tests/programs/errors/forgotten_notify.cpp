// Nobody is notified of `second`. The notification before the waiting thread was created has nothing to do with it.
// $ heddle check forgotten_notify.cpp -- -std=c++20 => error deadlock
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool first, second;

void set_first() {
  std::lock_guard guard(mutex);
  first = true;
  changed.notify_all();
}

void wait_for_both() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return first && second; });
}

int main() {
  std::thread a(set_first);
  a.join();
  std::thread b(wait_for_both);
  {
    std::lock_guard guard(mutex);
    second = true;
  }
  b.join();
}
