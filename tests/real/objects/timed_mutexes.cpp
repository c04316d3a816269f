// The mutexes with time limits. Whoever does not look whether he got the lock has not got it.
// $ heddle check timed_mutexes.cpp -- -std=c++20 => verified
// $ heddle check --model sc timed_mutexes.cpp -- -std=c++20 => verified
// $ heddle check --model tso timed_mutexes.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc timed_mutexes.cpp -- -std=c++20 => verified
// $ heddle check timed_mutexes.cpp -- -std=c++20 -DBUG => error mutex, "does not hold"
// $ heddle check --model sc timed_mutexes.cpp -- -std=c++20 -DBUG => error mutex, "does not hold"
// $ heddle check --algorithm await --model sc timed_mutexes.cpp -- -std=c++20 -DBUG => error mutex, "does not hold"
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
std::timed_mutex timed;
std::recursive_timed_mutex recursive;
std::shared_timed_mutex shared;
int n;

int main() {
  std::thread t([] {
    std::scoped_lock lock(timed, recursive);
    ++n;
    std::shared_lock reads(shared);
  });
#ifdef BUG
  timed.try_lock_for(1ms);
  timed.unlock();
#else
  if (timed.try_lock_for(1ms)) {
    ++n;
    timed.unlock();
  }
#endif
  if (recursive.try_lock_until(std::chrono::steady_clock::now() + 1ms)) {
    recursive.lock();
    recursive.unlock();
    recursive.unlock();
  }
  if (shared.try_lock_shared_for(1ms)) shared.unlock_shared();
  if (std::unique_lock lock(shared, 1ms); lock) lock.unlock();
  t.join();
}
