// std::atomic_ref: while there is one, all go through it.
// $ heddle check atomic_ref.cpp -- -std=c++20 => verified
// $ heddle check --model sc atomic_ref.cpp -- -std=c++20 => verified
// $ heddle check --model tso atomic_ref.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc atomic_ref.cpp -- -std=c++20 => verified
// $ heddle check atomic_ref.cpp -- -std=c++20 -DBUG => error race
// $ heddle check --model sc atomic_ref.cpp -- -std=c++20 -DBUG => error race
// $ heddle check --algorithm await --model sc atomic_ref.cpp -- -std=c++20 -DBUG => error race
#include <atomic>
#include <cassert>
#include <thread>

int n;

int main() {
  std::thread t([] { std::atomic_ref(n).fetch_add(1); });
#ifdef BUG
  ++n;
#else
  std::atomic_ref(n).fetch_add(1);
#endif
  t.join();
  assert(n == 2);
}
