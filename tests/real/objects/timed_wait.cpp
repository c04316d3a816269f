// A wait with a time limit may reach it. Who takes that for a notification is wrong; with --no-timeouts nobody
// ever does.
// $ heddle check timed_wait.cpp -- -std=c++20 => verified
// $ heddle check --model sc timed_wait.cpp -- -std=c++20 => verified
// $ heddle check --model tso timed_wait.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc timed_wait.cpp -- -std=c++20 => verified
// $ heddle check timed_wait.cpp -- -std=c++20 -DSURE => error assertion
// $ heddle check --model sc timed_wait.cpp -- -std=c++20 -DSURE => error assertion
// $ heddle check --algorithm await --model sc timed_wait.cpp -- -std=c++20 -DSURE => error assertion
// $ heddle check --no-timeouts timed_wait.cpp -- -std=c++20 -DSURE => verified
// $ heddle check timed_wait.cpp -- -std=c++20 -DSILENT => verified
// $ heddle check --no-timeouts timed_wait.cpp -- -std=c++20 -DSILENT => error deadlock, "to be woken at changed"
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
std::mutex m;
std::condition_variable changed;
bool ready;

int main() {
  std::thread waits([] {
    std::unique_lock lock(m);
    const bool in_time = changed.wait_for(lock, 10ms, [] { return ready; });
    assert(in_time == ready);
#ifdef SURE
    assert(in_time);
#endif
  });
  {
    std::lock_guard lock(m);
    ready = true;
  }
#ifndef SILENT
  changed.notify_one();
#endif
  waits.join();
}
