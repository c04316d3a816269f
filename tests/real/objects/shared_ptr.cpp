// Atomic access to a shared_ptr: the free functions are right; std::atomic<std::shared_ptr> of libstdc++ 12
// unlocks relaxed after a load, which is a race.
// $ heddle check shared_ptr.cpp -- -std=c++20 => verified
// $ heddle check --model sc shared_ptr.cpp -- -std=c++20 => verified
// $ heddle check --model tso shared_ptr.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc shared_ptr.cpp -- -std=c++20 => verified
// $ heddle check shared_ptr.cpp -- -std=c++20 -DATOMIC => error race
// $ heddle check --model sc shared_ptr.cpp -- -std=c++20 -DATOMIC => error race
// $ heddle check --algorithm await --model sc shared_ptr.cpp -- -std=c++20 -DATOMIC => error race
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#ifdef ATOMIC
std::atomic<std::shared_ptr<int>> p;
#else
std::shared_ptr<int> p;
#endif

int main() {
  std::thread t([] {
#ifdef ATOMIC
    p.store(std::make_shared<int>(5));
#else
    std::atomic_store(&p, std::make_shared<int>(5));
#endif
  });
#ifdef ATOMIC
  const auto seen = p.load();
#else
  const auto seen = std::atomic_load(&p);
#endif
  assert(!seen || *seen == 5);
  t.join();
}
