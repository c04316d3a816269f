// Destructors of global objects run after main, last constructed first, on what the threads left.
// $ heddle check --no-symmetry static_destructor.cpp => verified, 2 executions
// $ heddle check static_destructor.cpp -- -DWANTED=3 => error assertion here
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <vector>

#ifndef WANTED
#define WANTED 2
#endif

static int order;

struct Counter {
  std::atomic<int> n{0};
  ~Counter() {
    assert(n == WANTED);  // here
    assert(order == 1);
  }
};
struct Last {
  std::vector<int> numbers{1, 2, 3};
  ~Last() { ++order; }
};

static Counter counter;
static Last last;

static void* f(void*) {
  counter.n.fetch_add(1);
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, f, nullptr);
  pthread_create(&b, nullptr, f, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  return 0;
}
