// Readers and a writer. One who writes with a lock for reading races.
// $ heddle check shared_mutex.cpp -- -std=c++20 => verified
// $ heddle check --model sc shared_mutex.cpp -- -std=c++20 => verified
// $ heddle check --model tso shared_mutex.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc shared_mutex.cpp -- -std=c++20 => verified
// $ heddle check shared_mutex.cpp -- -std=c++20 -DBUG => error race
// $ heddle check --model sc shared_mutex.cpp -- -std=c++20 -DBUG => error race
// $ heddle check --algorithm await --model sc shared_mutex.cpp -- -std=c++20 -DBUG => error race
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
int a, b;

void read() {
  std::shared_lock lock(m);
  assert(a == b);
}

int main() {
  std::thread r(read);
  std::thread w([] {
#ifdef BUG
    std::shared_lock lock(m);
#else
    std::unique_lock lock(m);
#endif
    ++a;
    ++b;
  });
  if (m.try_lock_shared()) {
    assert(a == b);
    m.unlock_shared();
  }
  r.join();
  w.join();
}
