// atomic::wait, of an int, a byte, a flag and a pair of ints. A store without a notification is not seen by who waits.
// $ heddle check atomic_wait.cpp -- -std=c++20 => verified
// $ heddle check --model sc atomic_wait.cpp -- -std=c++20 => verified
// $ heddle check --model tso atomic_wait.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc atomic_wait.cpp -- -std=c++20 => verified
// $ heddle check atomic_wait.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check --model sc atomic_wait.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check --algorithm await --model sc atomic_wait.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check atomic_wait.cpp -- -std=c++20 -DKIND=1 => verified
// $ heddle check --model tso atomic_wait.cpp -- -std=c++20 -DKIND=1 => verified
// $ heddle check atomic_wait.cpp -- -std=c++20 -DKIND=2 => verified
// $ heddle check --model tso atomic_wait.cpp -- -std=c++20 -DKIND=2 => verified
// $ heddle check atomic_wait.cpp -- -std=c++20 -DKIND=3 => verified
// $ heddle check --model tso atomic_wait.cpp -- -std=c++20 -DKIND=3 => verified
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
  int a, b;
};
std::atomic<int> number;
std::atomic<unsigned char> byte;
std::atomic_flag flag;
std::atomic<Pair> pair;
int data;

int main() {
#if KIND == 1
  std::thread t([] { byte.wait(0); });
  byte = 1;
  byte.notify_all();
#elif KIND == 2
  std::thread t([] { flag.wait(false); });
  flag.test_and_set();
  flag.notify_one();
#elif KIND == 3
  std::thread t([] { pair.wait({0, 0}); });
  pair = {0, 1};
  pair.notify_one();
#else
  std::thread t([] {
    number.wait(0, std::memory_order_acquire);
    assert(data == 1);
  });
  data = 1;
  number.store(1, std::memory_order_release);
#ifndef BUG
  number.notify_one();
#endif
#endif
  t.join();
}
