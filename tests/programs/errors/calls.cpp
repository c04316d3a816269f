// The report of an error inside of a header names the calls that led there.
// $ heddle check calls.cpp => error race
#include <cassert>
#include <thread>

#include "ring.hpp"

static Ring<int, 2> ring;

static void produce() {
  for (int i = 1; i <= 2; ++i) ring.push(i);
}

int main() {
  std::thread producer(produce);
  int value = 0, last = 0;
  while (last != 2) {
    if (!ring.pop(value)) continue;
    assert(value == last + 1);
    last = value;
  }
  producer.join();
}
