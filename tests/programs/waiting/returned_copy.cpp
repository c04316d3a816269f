// A loop that waits until the structure that a function returns in registers is the right one. The places in which the
// structure is put together again are made anew in each round: nothing in them has changed.
// $ heddle check --no-await returned_copy.cpp => verified, 1 executions
// $ heddle check returned_copy.cpp => verified, 1 executions
// $ heddle check --no-await returned_copy.cpp -- -DNEVER => error livelock
#include <atomic>
#include <cstring>
#include <thread>

struct State {
  int n, a, b;
};
std::atomic<int> x;

State get() {
  State s;
  s.n = x;
  s.a = 1;
  s.b = 2;
  return s;
}

int main() {
  std::thread t([] {
    x = 1;
#ifndef NEVER
    x = 2;
#endif
  });
  const State want = {2, 1, 2};
  for (;;) {
    State s = get();
    if (std::memcmp(&s, &want, sizeof s) == 0) break;
  }
  t.join();
}
