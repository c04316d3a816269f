// Nobody may hold a lock whose life ends: a mutex of C++ has no destructor that heddle could see.
// $ heddle check lock_life.cpp -- -std=c++20 => error mutex here, "ends while T1 (lambda in main) holds it"
// $ heddle check lock_life.cpp -- -std=c++20 -DKIND=std::shared_mutex => error mutex here
// $ heddle check lock_life.cpp -- -std=c++20 -DKIND=std::recursive_mutex => error mutex here
// $ heddle check lock_life.cpp -- -std=c++20 -DKIND=std::timed_mutex => error mutex here
// $ heddle check lock_life.cpp -- -std=c++20 -DLOCAL => error mutex, "the life of T1's m ends while T1 (lambda in main) holds it"
// $ heddle check lock_life.cpp -- -std=c++20 -DRIGHT => verified
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifndef KIND
#define KIND std::mutex
#endif

int main() {
#ifdef LOCAL
  std::thread t([] {
    KIND m;
    m.lock();
  });
  t.join();
#else
  auto* m = new KIND;
  std::thread t([m] {
    m->lock();
#ifdef RIGHT
    m->unlock();
#endif
  });
  t.join();
  delete m;  // here
#endif
}
