// std::thread: moved, swapped, detached, with arguments. One that is joined twice, one that joins itself, one that
// is left joinable, and an exception that leaves one.
// $ heddle check thread.cpp -- -std=c++20 => verified
// $ heddle check --model sc thread.cpp -- -std=c++20 => verified
// $ heddle check --model tso thread.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc thread.cpp -- -std=c++20 => verified
// $ heddle check thread.cpp -- -std=c++20 -DTWICE => error exception, "Invalid argument"
// $ heddle check --model sc thread.cpp -- -std=c++20 -DTWICE => error exception, "Invalid argument"
// $ heddle check --algorithm await --model sc thread.cpp -- -std=c++20 -DTWICE => error exception, "Invalid argument"
// $ heddle check thread.cpp -- -std=c++20 -DLEFT => error thread, "neither joined nor detached"
// $ heddle check --model sc thread.cpp -- -std=c++20 -DLEFT => error thread, "neither joined nor detached"
// $ heddle check --algorithm await --model sc thread.cpp -- -std=c++20 -DLEFT => error thread, "neither joined nor detached"
// $ heddle check thread.cpp -- -std=c++20 -DTHROWS => error exception, "thrown"
// $ heddle check --model sc thread.cpp -- -std=c++20 -DTHROWS => error exception, "thrown"
// $ heddle check --algorithm await --model sc thread.cpp -- -std=c++20 -DTHROWS => error exception, "thrown"
#include <atomic>
#include <cassert>
#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>

std::atomic<int> n;
thread_local int mine = 3;

void add(int by, int& to) {
  to += by;
  n += mine;
  mine = 0;
}

int main() {
  int sum = 0;
  std::thread a(add, 2, std::ref(sum)), b;
  assert(a.get_id() != std::this_thread::get_id() && b.get_id() == std::thread::id() && !b.joinable());
  std::swap(a, b);
  b.join();
  assert(sum == 2 && mine == 3 && n == 3 && std::thread::hardware_concurrency() > 0);
  std::thread([] { std::this_thread::yield(); }).detach();
#if defined TWICE
  b.join();
#elif defined LEFT
  std::thread left([] {});
#elif defined THROWS
  std::thread throws([] { throw std::runtime_error("thrown"); });
  throws.join();
#endif
}
