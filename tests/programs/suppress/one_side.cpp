// Only one of the two accesses matches. What it reads is every value that the memory model allows.
// $ heddle check --suppress function.supp one_side.cpp => verified, 1 suppressed
// $ heddle check --suppress function.supp one_side.cpp -- -DSTALE => error assertion, here
// $ heddle check --suppress function.supp one_side.cpp -- -DOWN => error race, "own"
#include <atomic>
#include <cassert>
#include <thread>

#include "statistics.hpp"

third::Statistics statistics;
std::atomic<int> flag;
int own;

int main() {
  std::thread a([] {
    statistics.hit();
    own = 1;
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    const int seen = statistics.hits;
#ifdef STALE
    assert(seen == 1);  // here
#else
    assert(seen == 0 || seen == 1);
#endif
#ifdef OWN
    own = 2;
#endif
  }
  a.join();
}
