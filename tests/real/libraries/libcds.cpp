// The queue of Vyukov in libcds.
// needs: cds/container/vyukov_mpmc_cycle_queue.h
// $ heddle check libcds.cpp -- -std=c++17 => verified
// $ heddle check --model tso libcds.cpp -- -std=c++17 => verified
// $ heddle check libcds.cpp -- -std=c++17 -DBUG => error assertion here
#include <cds/container/vyukov_mpmc_cycle_queue.h>

#include <cassert>
#include <thread>

int main() {
  cds::container::VyukovMPMCCycleQueue<int> q(2);
  std::thread producer([&] { q.enqueue(1); });
  q.enqueue(2);
  int x = 0;
  const bool got = q.dequeue(x);
  assert(!got || x == 1 || x == 2);
#ifdef BUG
  assert(!got || x == 2);  // here
#endif
  producer.join();
}
