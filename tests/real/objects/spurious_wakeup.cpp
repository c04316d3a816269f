// A wait without a loop is right as long as nobody wakes up for no reason.
// $ heddle check spurious_wakeup.cpp -- -std=c++20 => verified
// $ heddle check --model sc spurious_wakeup.cpp -- -std=c++20 => verified
// $ heddle check --model tso spurious_wakeup.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc spurious_wakeup.cpp -- -std=c++20 => verified
// $ heddle check --spurious-wakeups spurious_wakeup.cpp -- -std=c++20 => error assertion
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
bool ready;

int main() {
  std::unique_lock lock(m);
  std::thread sets([] {
    std::lock_guard lock(m);
    ready = true;
    changed.notify_one();
  });
  changed.wait(lock);
  assert(ready);
  lock.unlock();
  sets.join();
}
