// std::atomic: operators, orders that are only known at run time, pointers, enums, bool.
// $ heddle check atomics.cpp => verified, 2 executions
#include <pthread.h>

#include <atomic>
#include <cassert>

enum class State : char { idle, busy };

static std::atomic<int> n{3};
static std::atomic<State> state{State::idle};
static std::atomic<bool> flag{false};
static int array[4];
static std::atomic<int*> pointer{array};

static int read(std::memory_order order) { return n.load(order); }

static void* f(void*) {
  n += 4;
  return nullptr;
}

int main() {
  assert(pointer++ == array && pointer.load() == array + 1);
  State expected = State::idle;
  assert(state.compare_exchange_strong(expected, State::busy));
  assert(!flag.exchange(true) && flag);
  pthread_t t;
  pthread_create(&t, nullptr, f, nullptr);
  const int seen = read(std::memory_order_acquire);
  assert(seen == 3 || seen == 7);
  pthread_join(t, nullptr);
  assert(n == 7);
}
