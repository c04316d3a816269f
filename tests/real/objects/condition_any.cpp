// std::condition_variable_any with a shared lock, and notify_all.
// $ heddle check condition_any.cpp -- -std=c++20 => verified
// $ heddle check --model sc condition_any.cpp -- -std=c++20 => verified
// $ heddle check --model tso condition_any.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc condition_any.cpp -- -std=c++20 => verified
// $ heddle check condition_any.cpp -- -std=c++20 -DONE => error deadlock
// $ heddle check --model sc condition_any.cpp -- -std=c++20 -DONE => error deadlock
// $ heddle check --algorithm await --model sc condition_any.cpp -- -std=c++20 -DONE => error deadlock
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
std::condition_variable_any changed;
bool open;

void pass() {
  std::shared_lock lock(m);
  while (!open) changed.wait(lock);
}

int main() {
  std::thread a(pass), b(pass);
  {
    std::unique_lock lock(m);
    open = true;
  }
#ifdef ONE
  changed.notify_one();
#else
  changed.notify_all();
#endif
  a.join();
  b.join();
}
