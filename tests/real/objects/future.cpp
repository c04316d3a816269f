// Promises, packaged tasks and async, whatever the policy. A promise that is broken, one that is kept twice, and
// one that is never kept.
// $ heddle check future.cpp -- -std=c++20 => verified
// $ heddle check --model sc future.cpp -- -std=c++20 => verified
// $ heddle check --model tso future.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc future.cpp -- -std=c++20 => verified
// $ heddle check future.cpp -- -std=c++20 -DBROKEN => error exception, "Broken promise"
// $ heddle check --model sc future.cpp -- -std=c++20 -DBROKEN => error exception, "Broken promise"
// $ heddle check --algorithm await --model sc future.cpp -- -std=c++20 -DBROKEN => error exception, "Broken promise"
// $ heddle check future.cpp -- -std=c++20 -DTWICE => error exception, "already satisfied"
// $ heddle check --model sc future.cpp -- -std=c++20 -DTWICE => error exception, "already satisfied"
// $ heddle check --algorithm await --model sc future.cpp -- -std=c++20 -DTWICE => error exception, "already satisfied"
// $ heddle check future.cpp -- -std=c++20 -DNEVER => error deadlock
// $ heddle check --model sc future.cpp -- -std=c++20 -DNEVER => error deadlock
// $ heddle check --algorithm await --model sc future.cpp -- -std=c++20 -DNEVER => error deadlock
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> answer = promise.get_future();
  std::thread t([&] {
#if defined BROKEN
    std::promise<int> gone = std::move(promise);
#elif !defined NEVER
    promise.set_value(7);
#endif
#ifdef TWICE
    promise.set_value(8);
#endif
  });
  assert(answer.get() == 7);
  t.join();
#ifndef SHORT
  std::shared_future<int> now = std::async(std::launch::async, [] { return 3; });
  auto later = std::async(std::launch::deferred, [] { return 4; });
  assert(later.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
  assert(now.get() + later.get() == 7 && now.get() == 3);
  std::packaged_task<int(int)> task([](int x) -> int { throw x; });
  auto result = task.get_future();
  std::thread runs(std::move(task), 5);
  try {
    result.get();
    assert(false);
  } catch (int x) {
    assert(x == 5);
  }
  runs.join();
#endif
}
