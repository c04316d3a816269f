// Whoever is notified may come too late all the same: it has to wait for the mutex until its time is over. The
// notification is used up. So whoever gives up must look, or pass it on.
// $ heddle check late.cpp -- -std=c++20 => error deadlock
// $ heddle check --model sc --algorithm await late.cpp -- -std=c++20 => error deadlock
// $ heddle check late.cpp -- -std=c++20 -DPASS_ON => verified
// $ heddle check late.cpp -- -std=c++20 -DUNTIL => error deadlock
// $ heddle check late.cpp -- -std=c++20 -DUNTIL -DPASS_ON => verified
// $ heddle check late.cpp -- -std=c++20 -DPOSIX => error deadlock
// $ heddle check late.cpp -- -std=c++20 -DPOSIX -DPASS_ON => verified
// $ heddle check late.cpp -- -std=c++20 -DPREDICATE => error deadlock
// $ heddle check late.cpp -- -std=c++20 -DPREDICATE -DPASS_ON => verified
#include <time.h>

#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
bool ready;

// Waits for something else with the same condition variable.
bool gives_up(std::unique_lock<std::mutex>& lock) {
  const auto start = std::chrono::steady_clock::now();
  const auto limit = std::chrono::seconds(1);
#if defined PREDICATE
  const bool late = !changed.wait_for(lock, limit, [] { return false; });
#elif defined UNTIL
  const bool late = changed.wait_until(lock, start + limit) == std::cv_status::timeout;
#elif defined POSIX
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  const bool late = pthread_cond_timedwait(changed.native_handle(), m.native_handle(), &until) == ETIMEDOUT;
#else
  const bool late = changed.wait_for(lock, limit) == std::cv_status::timeout;
#endif
  assert(!late || std::chrono::steady_clock::now() - start >= limit);
  return late;
}

int main() {
  std::thread impatient([] {
    std::unique_lock lock(m);
    bool pass_on = !gives_up(lock);
#ifdef PASS_ON
    pass_on = true;
#endif
    if (pass_on) changed.notify_one();
  });
  std::thread patient([] {
    std::unique_lock lock(m);
    changed.wait(lock, [] { return ready; });
  });
  {
    const std::lock_guard lock(m);
    ready = true;
  }
  changed.notify_one();
  impatient.join();
  patient.join();
}
