// Time limits that are computed anew in each round: what time it is matters to nothing else.
// $ heddle check computed_limits.cpp -- -std=c++20 -DUNTIL => verified
// $ heddle check --model sc --algorithm await computed_limits.cpp -- -std=c++20 -DUNTIL => verified
// $ heddle check --model sc --algorithm rvf computed_limits.cpp -- -std=c++20 -DUNTIL => verified
// $ heddle check computed_limits.cpp -- -std=c++20 -DUNTIL -DEARLY => error assertion here
// $ heddle check computed_limits.cpp -- -std=c++20 -DUNTIL -DNEVER => error livelock
// $ heddle check computed_limits.cpp -- -std=c++20 -DSTATUS => verified
// $ heddle check computed_limits.cpp -- -std=c++20 -DSTATUS -DEARLY => error assertion here
// $ heddle check computed_limits.cpp -- -std=c++20 -DTIMED_MUTEX => verified
// $ heddle check --algorithm rcmc computed_limits.cpp -- -std=c++20 -DTIMED_MUTEX => verified
// $ heddle check --model sc --algorithm await computed_limits.cpp -- -std=c++20 -DTIMED_MUTEX => verified
// $ heddle check computed_limits.cpp -- -std=c++20 -DTIMED_MUTEX -DEARLY => error race
// $ heddle check computed_limits.cpp -- -std=c++20 -DSHARED => verified
// $ heddle check computed_limits.cpp -- -std=c++20 -DSHARED -DEARLY => error race
// $ heddle check computed_limits.cpp -- -std=c++20 -DTOTAL => error assertion too late
// $ heddle check computed_limits.cpp -- -std=c++20 -DELAPSED => error assertion too late
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::mutex m;
std::condition_variable changed;
std::timed_mutex timed;
std::shared_timed_mutex shared;
bool ready;
int data;

void wait() {
#if defined TIMED_MUTEX
  while (!timed.try_lock_for(1ms)) {
  }
  ++data;
  timed.unlock();
#elif defined SHARED
  while (!shared.try_lock_shared_for(1ms)) {
  }
  assert(data == 0 || data == 1);
  shared.unlock_shared();
#else
  std::unique_lock lock(m);
#if defined UNTIL
  while (!ready) changed.wait_until(lock, Clock::now() + 10ms);
#elif defined STATUS
  while (!ready) {
    if (changed.wait_until(lock, Clock::now() + 10ms) == std::cv_status::timeout) continue;
  }
#elif defined TOTAL  // here the time decides
  const auto end = Clock::now() + 20ms;
  while (!ready && Clock::now() < end) changed.wait_until(lock, Clock::now() + 10ms);
  assert(ready);  // too late
#elif defined ELAPSED
  const auto start = Clock::now();
  while (!ready) {
    changed.wait_until(lock, Clock::now() + 10ms);
    assert(Clock::now() - start < 25ms);  // too late
  }
#endif
  assert(data == 1);  // here
#endif
}

int main() {
  std::thread waiting(wait);
#if defined TIMED_MUTEX
  {
#ifdef EARLY
  ++data;
#else
  std::lock_guard lock(timed);
  ++data;
#endif
  }
#elif defined SHARED
  {
#ifdef EARLY
  data = 1;
#else
  std::lock_guard lock(shared);
  data = 1;
#endif
  }
#else
  {
    std::lock_guard lock(m);
#ifndef NEVER
    ready = true;
#endif
#ifndef EARLY
    data = 1;
#endif
  }
  changed.notify_one();
#endif
  waiting.join();
}
