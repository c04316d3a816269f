// What happens when a thread ends: destructors of thread_local objects first, then the notification.
// $ heddle check exit_notify.cpp -- -std=c++20 => verified
// $ heddle check --model sc exit_notify.cpp -- -std=c++20 => verified
// $ heddle check --model tso exit_notify.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc exit_notify.cpp -- -std=c++20 => verified
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable ended;
bool done, destroyed;

struct Local {
  ~Local() { destroyed = true; }
};

int main() {
  std::promise<int> promise;
  auto result = promise.get_future();
  std::thread t([&] {
    thread_local Local local;
    (void)&local;
    promise.set_value_at_thread_exit(1);
    std::unique_lock lock(m);
    done = true;
    std::notify_all_at_thread_exit(ended, std::move(lock));
  });
  {
    std::unique_lock lock(m);
    ended.wait(lock, [] { return done; });
    assert(destroyed);
  }
  assert(result.get() == 1);
  t.join();
}
