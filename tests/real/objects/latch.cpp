// A latch that opens when two threads have come. One that never counts keeps all waiting.
// $ heddle check latch.cpp -- -std=c++20 => verified
// $ heddle check --model sc latch.cpp -- -std=c++20 => verified
// $ heddle check --model tso latch.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc latch.cpp -- -std=c++20 => verified
// $ heddle check latch.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check --model sc latch.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check --algorithm await --model sc latch.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check latch.cpp -- -std=c++20 -DBELOW => error mutex
// $ heddle check --model sc latch.cpp -- -std=c++20 -DBELOW => error mutex
// $ heddle check --algorithm await --model sc latch.cpp -- -std=c++20 -DBELOW => error mutex
#include <cassert>
#include <latch>
#include <thread>

int done[2];

int main() {
  std::latch both(2);
  std::thread a([&] {
    done[0] = 1;
    both.count_down();
  });
  std::thread b([&] {
    done[1] = 1;
#ifndef BUG
    both.arrive_and_wait();
    assert(done[0] == 1);
#endif
#ifdef BELOW
    both.count_down();
#endif
  });
  both.wait();
  assert(done[0] + done[1] == 2);
  a.join();
  b.join();
}
