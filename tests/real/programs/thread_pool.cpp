// A thread pool as many projects have one. If the destructor sets the flag without the mutex, a worker may miss it.
// $ heddle check thread_pool.cpp -- -std=c++20 => verified
// $ heddle check --model sc thread_pool.cpp -- -std=c++20 => verified
// $ heddle check --model tso thread_pool.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc thread_pool.cpp -- -std=c++20 => verified
// $ heddle check thread_pool.cpp -- -std=c++20 -DBUG => error deadlock, "to be woken at"
// $ heddle check --model sc thread_pool.cpp -- -std=c++20 -DBUG => error deadlock, "to be woken at"
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i) workers.emplace_back([this] { work(); });
  }
  ~Pool() {
#ifdef BUG
    stopping = true;
#else
    {
      std::lock_guard lock(m);
      stopping = true;
    }
#endif
    changed.notify_all();
    for (std::thread& w : workers) w.join();
  }
  void submit(std::function<void()> task) {
    {
      std::lock_guard lock(m);
      tasks.push(std::move(task));
    }
    changed.notify_one();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(m);
      changed.wait(lock, [this] { return stopping || !tasks.empty(); });
      if (tasks.empty()) return;
      auto task = std::move(tasks.front());
      tasks.pop();
      lock.unlock();
      task();
    }
  }

  std::mutex m;
  std::condition_variable changed;
  std::queue<std::function<void()>> tasks;
  std::atomic<bool> stopping = false;
  std::vector<std::thread> workers;
};

int main() {
  std::atomic<int> done = 0;
  {
    Pool pool(2);
    pool.submit([&] { ++done; });
  }
  assert(done == 1);
}
