// Two threads wait, two values come: one notification each. A notification for one does not wake both.
// $ heddle check notify_one.cpp -- -std=c++20 => verified
// $ heddle check --model sc notify_one.cpp -- -std=c++20 => verified
// $ heddle check --model tso notify_one.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc notify_one.cpp -- -std=c++20 => verified
// $ heddle check notify_one.cpp -- -std=c++20 -DONLY_ONE => error deadlock, "to be woken at changed"
// $ heddle check --model sc notify_one.cpp -- -std=c++20 -DONLY_ONE => error deadlock, "to be woken at changed"
// $ heddle check --algorithm await --model sc notify_one.cpp -- -std=c++20 -DONLY_ONE => error deadlock, "to be woken at changed"
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
int values, taken;

void take() {
  std::unique_lock lock(m);
  while (values == 0) changed.wait(lock);
  --values;
  ++taken;
}

int main() {
  std::thread a(take), b(take);
  {
    std::lock_guard lock(m);
    values = 2;
  }
  changed.notify_one();
#ifndef ONLY_ONE
  changed.notify_one();
#endif
  a.join();
  b.join();
  assert(taken == 2);
}
