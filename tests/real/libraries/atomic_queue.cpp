// The queues of the library atomic_queue, for any number of producers and consumers, or for one of each.
// needs: atomic_queue/atomic_queue.h
// $ heddle check --model sc atomic_queue.cpp -- -std=c++17 => verified
// $ heddle check --model tso atomic_queue.cpp -- -std=c++17 => verified
// $ heddle check atomic_queue.cpp -- -std=c++17 => verified
// $ heddle check atomic_queue.cpp -- -std=c++17 -DSTATES => verified
// $ heddle check atomic_queue.cpp -- -std=c++17 -DONE => verified
// Two producers are too many then.
// $ heddle check --model sc atomic_queue.cpp -- -std=c++17 -DONE -DPRODUCERS=2 => error livelock
// A pop is no acquire, so what a pointer leads to comes in no order.
// $ heddle check atomic_queue.cpp -- -std=c++17 -DPOINTERS => error race here
// $ heddle check atomic_queue.cpp -- -std=c++17 -DPOINTERS -DSTATES => verified
#include <atomic_queue/atomic_queue.h>

#include <cassert>
#include <thread>

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifdef ONE
constexpr bool one = true;
#else
constexpr bool one = false;
#endif
#ifdef POINTERS
using Item = int*;
int value(Item item) { return *item; }  // here
Item make(int x) { return new int(x); }
#else
using Item = int;
int value(Item item) { return item; }
Item make(int x) { return x; }
#endif

#ifdef STATES
atomic_queue::AtomicQueue2<Item, 2, true, true, false, one> items;
#else
atomic_queue::AtomicQueue<Item, 2, Item{}, true, true, false, one> items;
#endif

int main() {
  std::thread producer([] {
    items.push(make(1));
    if (PRODUCERS == 1) items.push(make(2));
  });
#if PRODUCERS == 2
  std::thread other([] { items.push(make(2)); });
#endif
  const int a = value(items.pop());
  const int b = value(items.pop());
  assert(a + b == 3);
  assert(PRODUCERS == 2 || a == 1);
  producer.join();
#if PRODUCERS == 2
  other.join();
#endif
  assert(items.was_empty());
}
