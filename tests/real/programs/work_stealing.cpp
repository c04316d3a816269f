// Two workers with a deque each (Chase and Lev, with the orders of Lê, Pop, Cohen and Zappa Nardelli, PPoPP 2013).
// Without the fence in take, the last task is done twice.
// $ heddle check work_stealing.cpp -- -std=c++20 => verified
// $ heddle check --model sc work_stealing.cpp -- -std=c++20 => verified
// $ heddle check --model tso work_stealing.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc work_stealing.cpp -- -std=c++20 => verified
// $ heddle check work_stealing.cpp -- -std=c++20 -DBUG => error assertion
// $ heddle check --model tso work_stealing.cpp -- -std=c++20 -DBUG => error assertion
// $ heddle check --model sc work_stealing.cpp -- -std=c++20 -DBUG => verified
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

class Deque {
 public:
  void push(int x) {
    const long b = bottom.load(std::memory_order_relaxed);
    items[b % 4].store(x, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom.store(b + 1, std::memory_order_relaxed);
  }
  std::optional<int> take() {
    const long b = bottom.load(std::memory_order_relaxed) - 1;
    bottom.store(b, std::memory_order_relaxed);
#ifndef BUG
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    long t = top.load(std::memory_order_relaxed);
    std::optional<int> x;
    if (t <= b) {
      x = items[b % 4].load(std::memory_order_relaxed);
      if (t != b) return x;
      if (!top.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) x.reset();
    }
    bottom.store(b + 1, std::memory_order_relaxed);
    return x;
  }
  std::optional<int> steal() {
    long t = top.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const long b = bottom.load(std::memory_order_acquire);
    if (t >= b) return std::nullopt;
    const int x = items[t % 4].load(std::memory_order_relaxed);
    if (!top.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
      return std::nullopt;
    return x;
  }

 private:
  std::atomic<long> top = 0, bottom = 0;
  std::atomic<int> items[4];
};

int main() {
  Deque tasks;
  std::atomic<int> done[2] = {};
  tasks.push(0);
  tasks.push(1);
  std::thread thief([&] {
    for (int i = 0; i < 2; ++i) {
      if (const auto x = tasks.steal()) ++done[*x];
    }
  });
  for (int i = 0; i < 2; ++i) {
    if (const auto x = tasks.take()) ++done[*x];
  }
  thief.join();
  while (const auto x = tasks.take()) ++done[*x];
  assert(done[0] == 1 && done[1] == 1);
}
