// Atomic objects of sizes that processors have no instructions for: a lock of the library's makes them atomic.
// $ heddle check odd_atomics.cpp => verified
// $ heddle check --model tso odd_atomics.cpp => verified
// $ heddle check --model sc odd_atomics.cpp => verified
// $ heddle check --algorithm await --model sc odd_atomics.cpp => verified
// $ heddle check odd_atomics.cpp -- -DCOUNT=9 => verified
// $ heddle check odd_atomics.cpp -- -DWRONG => error assertion here
// $ heddle check odd_atomics.cpp -- -DNOT_ATOMIC => error race
// $ heddle check odd_atomics.cpp -- -DORDER => verified
// $ heddle check odd_atomics.cpp -- -DWAIT => verified
// $ heddle check odd_atomics.cpp -- -DWAIT -DNEVER => error livelock
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

#ifndef COUNT
#define COUNT 3  // 12 bytes
#endif

struct Numbers {
  int n[COUNT];
};
Numbers all(int x) {
  Numbers result;
  for (int& n : result.n) n = x;
  return result;
}
int same(const Numbers& numbers) {
  for (int n : numbers.n) assert(n == numbers.n[0]);
  return numbers.n[0];
}

std::atomic<Numbers> x{all(0)}, y{all(0)};
static_assert(!std::atomic<Numbers>::is_always_lock_free);

void add() {
#ifdef WRONG
  x.store(all(same(x.load()) + 1));
#else
  Numbers old = x.load();
  while (!x.compare_exchange_weak(old, all(same(old) + 1))) {
  }
#endif
}

int main() {
  assert(!x.is_lock_free());
#if defined ORDER  // store buffering
  int a, b;
  std::thread other([&] {
    x.store(all(1));
    a = same(y.load());
  });
  y.store(all(1));
  b = same(x.load());
  other.join();
  assert(a == 1 || b == 1);
#elif defined WAIT
  std::thread other([] {
#ifndef NEVER
    x.store(all(1));
#endif
  });
  while (same(x.load()) == 0) {
  }
  other.join();
#else
  std::thread other(add);
#ifdef NOT_ATOMIC
  Numbers bytes;
  std::memcpy(&bytes, reinterpret_cast<const void*>(&x), sizeof bytes);
#endif
  add();
  other.join();
  assert(same(x.load()) == 2);  // here
  assert(same(x.exchange(all(7))) == 2 && same(x) == 7);
#endif
}
