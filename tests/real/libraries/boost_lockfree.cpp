// Boost.Lockfree: queue, stack, and a queue for one producer and one consumer.
// needs: boost/lockfree/queue.hpp
// $ heddle check boost_lockfree.cpp -- -std=c++17 => verified
// $ heddle check --model tso boost_lockfree.cpp -- -std=c++17 => verified
// $ heddle check boost_lockfree.cpp -- -std=c++17 -DSTACK => verified
// $ heddle check boost_lockfree.cpp -- -std=c++17 -DSPSC => verified
// $ heddle check boost_lockfree.cpp -- -std=c++17 -DSPSC -DBUG => error race
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

#if defined STACK
boost::lockfree::stack<int, boost::lockfree::capacity<4>> items;
#elif defined SPSC
boost::lockfree::spsc_queue<int, boost::lockfree::capacity<3>> items;
#else
boost::lockfree::queue<int, boost::lockfree::capacity<4>> items;
#endif

int main() {
  std::thread producer([] {
    items.push(1);
    items.push(2);
  });
  int x = 0, sum = 0;
#ifdef BUG
  items.push(0);  // a second producer
#endif
  if (items.pop(x)) sum += x;
  producer.join();
  while (items.pop(x)) sum += x;
#ifndef BUG
  assert(sum == 3);
#endif
}
