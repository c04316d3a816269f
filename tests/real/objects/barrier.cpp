// Two rounds of a barrier with a completion function. Whoever does not wait races.
// $ heddle check barrier.cpp -- -std=c++20 => verified
// $ heddle check --model sc barrier.cpp -- -std=c++20 => verified
// $ heddle check --model tso barrier.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc barrier.cpp -- -std=c++20 => verified
// $ heddle check barrier.cpp -- -std=c++20 -DBUG => error race
// $ heddle check --model sc barrier.cpp -- -std=c++20 -DBUG => error race
// $ heddle check --algorithm await --model sc barrier.cpp -- -std=c++20 -DBUG => error race
#include <barrier>
#include <cassert>
#include <thread>

int part[2], sum;

int main() {
  std::barrier meet(2, []() noexcept { sum = part[0] + part[1]; });
  const auto work = [&](int me) {
    for (int round = 1; round <= 2; ++round) {
      part[me] = round;
#ifdef BUG
      (void)meet.arrive();
#else
      meet.arrive_and_wait();
#endif
      [[maybe_unused]] const int seen = sum;
#ifndef BUG
      assert(seen == 2 * round);
#endif
    }
    meet.arrive_and_drop();
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
}
