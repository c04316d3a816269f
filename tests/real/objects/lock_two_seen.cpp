// std::lock gives back what it has if it does not get all. A try_lock may see that.
// $ heddle check lock_two_seen.cpp -- -std=c++20 => verified
// $ heddle check --model sc lock_two_seen.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc lock_two_seen.cpp -- -std=c++20 => verified
// $ heddle check lock_two_seen.cpp -- -std=c++20 -DBUG => error assertion
// $ heddle check --model sc lock_two_seen.cpp -- -std=c++20 -DBUG => error assertion
// $ heddle check --algorithm await --model sc lock_two_seen.cpp -- -std=c++20 -DBUG => error assertion
// $ heddle check lock_two_seen.cpp -- -std=c++20 -DNEVER => error deadlock
#include <cassert>
#include <mutex>
#include <thread>

std::mutex a, b;
bool seen, done;

int main() {
  b.lock();
  std::thread both([] {
    std::scoped_lock lock(a, b);
    done = true;
  });
  std::thread one([] {
    if (a.try_lock()) {
      a.unlock();
    } else {
      seen = true;
    }
  });
  one.join();
#ifndef NEVER
  b.unlock();
#endif
  both.join();
#ifdef BUG
  assert(!(seen && done));
#else
  assert(done);
#endif
}
