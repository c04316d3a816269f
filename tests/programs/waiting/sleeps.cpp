// Loops that look, sleep now and then, and look again: how often and how long is no behaviour, whatever sleeps.
// $ heddle check sleeps.cpp => verified, 1 executions
// $ heddle check --algorithm await --model sc sleeps.cpp => verified, 1 executions
// $ heddle check sleeps.cpp -- -DLONGER => verified, 1 executions
// $ heddle check sleeps.cpp -- -DNANOSLEEP => verified, 1 executions
// $ heddle check sleeps.cpp -- -DPOLL => verified, 1 executions
// $ heddle check sleeps.cpp -- -DTHRD => verified, 1 executions
// $ heddle check sleeps.cpp -- -DNEVER => error livelock here
// $ heddle check sleeps.cpp -- -DLONGER -DNEVER => error livelock here
// $ heddle check sleeps.cpp -- -DFILES => exit 2, "poll() of files is not supported"
#include <poll.h>
#include <threads.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

std::atomic<int> ready;

void pause(int round) {
#if defined LONGER
  std::this_thread::sleep_for(std::chrono::microseconds(1) * round);
#elif defined NANOSLEEP
  const timespec time = {0, 1000};
  nanosleep(&time, nullptr);
#elif defined POLL
  poll(nullptr, 0, 10);
#elif defined FILES
  pollfd file = {};
  poll(&file, 1, 10);
#elif defined THRD
  const timespec time = {0, 1000};
  thrd_sleep(&time, nullptr);
#else
  std::this_thread::sleep_for(1ms);
#endif
  (void)round;
}

int main() {
  std::thread other([] {
#ifndef NEVER
    ready = 1;
#endif
  });
  int rounds = 0;
  int longer = 1;
  while (!ready) {  // here
    if (++rounds >= 10) {
      pause(longer);
      rounds = 0;
      longer *= 2;
    }
  }
  other.join();
}
