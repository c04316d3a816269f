// The same with std::atomic.
// $ heddle check --hints woke_one.cpp -- -std=c++20 => error deadlock, "has woken only one of 2 threads"
// $ heddle check woke_one.cpp -- -std=c++20 -DALL => verified
#include <atomic>
#include <thread>

std::atomic<int> flag;

int main() {
  std::thread t[2];
  for (std::thread& one : t) one = std::thread([] { flag.wait(0); });
  flag = 1;
#ifdef ALL
  flag.notify_all();
#else
  flag.notify_one();
#endif
  for (std::thread& one : t) one.join();
}
