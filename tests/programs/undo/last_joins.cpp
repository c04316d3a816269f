// As last_joins.c: the end of main with threads in a vector, memory that is freed, and exceptions.
// $ heddle check last_joins.cpp -- -std=c++20 => verified, 24 executions
// $ heddle check last_joins.cpp -- -std=c++20 -DFREES => error memory, "double free"
// $ heddle check last_joins.cpp -- -std=c++20 -DTHROWS => error exception
// $ heddle check last_joins.cpp -- -std=c++20 -DTHROWS -DCATCHES => error assertion caught
// $ heddle check last_joins.cpp -- -std=c++20 -DCALLS => error assertion called
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>
#include <vector>

std::atomic<int> x;
int* memory;
int plain;

[[gnu::noinline]] void look(const std::vector<int>& numbers) {
#ifdef CALLS
  for (const int n : numbers) assert(n != plain);  // called
#endif
}

// 3! orders of additions, before, between and after which the last thread may read.
int main() {
  memory = new int(3);
  {
    const std::vector<int> numbers{1, 2, 3};
    std::vector<std::thread> threads;
    for (const int n : {1, 2, 4}) threads.emplace_back([=] { x.fetch_add(n, std::memory_order_relaxed); });
    threads.emplace_back([] {
      if (x.load(std::memory_order_relaxed) != 4) return;
#ifdef FREES
      delete memory;
#endif
      plain = 2;
    });
    for (std::thread& t : threads) t.join();
    look(numbers);
#ifdef CATCHES
    try {
#endif
#ifdef THROWS
      if (plain != 0) throw std::runtime_error("too late");
#endif
#ifdef CATCHES
    } catch (const std::runtime_error&) {
      assert(x == 0);  // caught
    }
#endif
    assert(x == 7);
  }
  delete memory;
}
