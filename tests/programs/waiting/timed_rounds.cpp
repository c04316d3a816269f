// Waits that have a time limit, again and again: a wait that comes to its limit leaves the thread where it was.
// $ heddle check timed_rounds.cpp -- -std=c++20 -DPLAIN => verified
// $ heddle check --algorithm rcmc timed_rounds.cpp -- -std=c++20 -DPLAIN => verified
// $ heddle check --model sc --algorithm await timed_rounds.cpp -- -std=c++20 -DPLAIN => verified
// $ heddle check --model sc --algorithm rvf timed_rounds.cpp -- -std=c++20 -DPLAIN => verified
// $ heddle check timed_rounds.cpp -- -std=c++20 -DPLAIN -DEARLY => error assertion here
// $ heddle check timed_rounds.cpp -- -std=c++20 -DPLAIN -DSILENT => verified
// $ heddle check timed_rounds.cpp -- -std=c++20 -DPLAIN -DNEVER => error livelock
// $ heddle check --no-timeouts timed_rounds.cpp -- -std=c++20 -DPLAIN -DSILENT => error deadlock
// $ heddle check timed_rounds.cpp -- -std=c++20 -DPREDICATE => verified
// $ heddle check --model sc --algorithm await timed_rounds.cpp -- -std=c++20 -DPREDICATE => verified
// $ heddle check timed_rounds.cpp -- -std=c++20 -DPREDICATE -DEARLY => error assertion here
// $ heddle check timed_rounds.cpp -- -std=c++20 -DPREDICATE -DSILENT => verified
// $ heddle check timed_rounds.cpp -- -std=c++20 -DLOCK_EACH_TIME => verified
// $ heddle check timed_rounds.cpp -- -std=c++20 -DLOCK_EACH_TIME -DEARLY => error assertion here
// $ heddle check timed_rounds.cpp -- -std=c++20 -DSEMAPHORE => verified
// $ heddle check timed_rounds.cpp -- -std=c++20 -DSEMAPHORE -DEARLY => error race
// $ heddle check timed_rounds.cpp -- -std=c++20 -DFUTURE => verified
// $ heddle check timed_rounds.cpp -- -std=c++20 -DFUTURE -DEARLY => error race
// $ heddle check timed_rounds.cpp -- -std=c++20 -DFUTURE -DNEVER => error livelock
// $ heddle check timed_rounds.cpp -- -std=c++20 -DGIVE_UP => error assertion too late
// $ heddle check timed_rounds.cpp -- -std=c++20 -DCOUNTED => error assertion counted
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <thread>

using namespace std::chrono_literals;

std::mutex m;
std::condition_variable changed;
std::binary_semaphore given(0);
std::promise<void> promise;
bool ready;
int data;

void wait() {
#if defined LOCK_EACH_TIME
  for (;;) {
    std::unique_lock lock(m);
    if (!changed.wait_for(lock, 10ms, [] { return ready; })) continue;
    assert(data == 1);  // here
    return;
  }
#elif defined SEMAPHORE
  while (!given.try_acquire_for(1ms)) {
  }
  assert(data == 1);
#elif defined FUTURE
  const std::future<void> future = promise.get_future();
  while (future.wait_for(1ms) == std::future_status::timeout) {
  }
  assert(data == 1);
#else
  std::unique_lock lock(m);
#if defined PREDICATE
  while (!changed.wait_for(lock, 10ms, [] { return ready; })) {
  }
#elif defined GIVE_UP
  const auto start = std::chrono::steady_clock::now();
  const bool in_time = changed.wait_for(lock, 1h, [] { return ready; });
  assert(in_time || std::chrono::steady_clock::now() - start >= 1h);
  assert(in_time);  // too late
#elif defined COUNTED  // each round counts, so none can be left out
  int rounds = 0;
  while (!ready && rounds < 3) {
    changed.wait_for(lock, 10ms);
    ++rounds;
  }
  assert(rounds != 3);  // counted
  ready = true;
  data = 1;
#else
  while (!ready) changed.wait_for(lock, 10ms);
#endif
  assert(data == 1);  // here
#endif
}

void give() {
#ifdef SEMAPHORE
#ifdef EARLY
  given.release();
#endif
  data = 1;
#ifndef EARLY
  given.release();
#endif
#elif defined FUTURE
#ifdef EARLY
  promise.set_value();
#endif
  data = 1;
#if !defined EARLY && !defined NEVER
  promise.set_value();
#endif
#else
#ifdef EARLY
  {
    const std::lock_guard lock(m);
    ready = true;
  }
#endif
  {
    const std::lock_guard lock(m);
    data = 1;
#ifndef NEVER
    ready = true;
#endif
  }
#ifndef SILENT
  changed.notify_one();
#endif
#endif
}

int main() {
  std::thread waiting(wait);
  give();
  waiting.join();
}
