// std::lock takes two mutexes in any order; one after the other, in two orders, is a deadlock.
// $ heddle check lock_two.cpp -- -std=c++20 => verified
// $ heddle check --model sc lock_two.cpp -- -std=c++20 => verified
// $ heddle check --model tso lock_two.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc lock_two.cpp -- -std=c++20 => verified
// $ heddle check lock_two.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check --model sc lock_two.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check --algorithm await --model sc lock_two.cpp -- -std=c++20 -DBUG => error deadlock
#include <mutex>
#include <thread>

std::mutex a, b;
int n;

int main() {
  std::thread t([] {
#ifdef BUG
    std::lock_guard first(a), second(b);
#else
    std::scoped_lock both(a, b);
#endif
    ++n;
  });
  {
#ifdef BUG
    std::lock_guard first(b), second(a);
#else
    std::scoped_lock both(b, a);
#endif
    ++n;
  }
  if (std::try_lock(a, b) == -1) {
    a.unlock();
    b.unlock();
  }
  t.join();
}
