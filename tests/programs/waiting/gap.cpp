// A loop that gives a mutex back by its guard, which remembers whether it holds it.
// $ heddle check gap.cpp => verified, 2 executions
// $ heddle check --algorithm rcmc gap.cpp => verified
// $ heddle check --model sc --algorithm await gap.cpp => verified
// $ heddle check gap.cpp -- -DLATE => error assertion here
// $ heddle check gap.cpp -- -DNEVER => error livelock
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static bool ready;
static int data;

int main() {
  std::thread waiting([] {
    std::unique_lock<std::mutex> lock(m);
    while (!ready) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
    assert(data == 1);  // here
  });
#ifndef NEVER
  {
    const std::lock_guard<std::mutex> lock(m);
#ifdef LATE
    ready = true;
  }
  {
    const std::lock_guard<std::mutex> lock(m);
#endif
    data = 1;
    ready = true;
  }
#endif
  waiting.join();
}
