// A static pool joins its worker in its destructor. What the worker has built meanwhile is destroyed next, before what
// was built earlier.
// $ heddle check static_while.cpp => error assertion destroyed
// $ heddle check static_while.cpp --algorithm rcmc => error assertion destroyed
// $ heddle check static_while.cpp -- -DMAY_BE => verified, 1 executions
#include <atomic>
#include <cassert>
#include <thread>

static bool destroyed = false;

struct Last {
  ~Last() { assert(destroyed); }
};
struct Single {
  ~Single() {
#ifndef MAY_BE
    assert(false);  // destroyed
#endif
    destroyed = true;
  }
};
static Single& single() {
  static Single s;
  return s;
}

static Last last;
static std::atomic<bool> stop{false};
struct Pool {
  std::thread worker{[] {
    while (!stop.load()) {
    }
    single();
  }};
  ~Pool() {
    stop = true;
    worker.join();
  }
};
static Pool pool;

int main() {}
