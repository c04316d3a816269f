// The same with std::condition_variable.
// $ heddle check --spurious-wakeups spurious.cpp => verified
// $ heddle check --spurious-wakeups --model sc --algorithm await spurious.cpp => verified
// $ heddle check --spurious-wakeups spurious.cpp -- -DLIMIT => verified
// $ heddle check --spurious-wakeups spurious.cpp -- -DONCE => error assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
bool ready;

int main() {
  std::thread t([] {
    std::unique_lock lock(m);
#ifdef ONCE
    if (!ready) c.wait(lock);
#elif defined LIMIT
    while (!ready) c.wait_for(lock, std::chrono::seconds(1));
#else
    c.wait(lock, [] { return ready; });
#endif
    assert(ready);
  });
  {
    std::lock_guard lock(m);
    ready = true;
    c.notify_one();
  }
  t.join();
}
