// A std::jthread that is asked to stop: by its destructor, with a callback, and in a wait. Who is not asked waits
// for ever.
// $ heddle check stop_token.cpp -- -std=c++20 => verified
// $ heddle check --model sc stop_token.cpp -- -std=c++20 => verified
// $ heddle check --model tso stop_token.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc stop_token.cpp -- -std=c++20 => verified
// $ heddle check stop_token.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check --model sc stop_token.cpp -- -std=c++20 -DBUG => error deadlock
// $ heddle check --algorithm await --model sc stop_token.cpp -- -std=c++20 -DBUG => error deadlock
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex m;
std::condition_variable_any changed;
bool work;
int called;

int main() {
  {
    std::jthread t([](std::stop_token stop) {
      std::unique_lock lock(m);
#ifdef BUG
      changed.wait(lock, [] { return work; });
#else
      changed.wait(lock, stop, [] { return work; });
      assert(stop.stop_requested());
#endif
    });
  }
  std::stop_source source;
  std::stop_callback callback(source.get_token(), [] { ++called; });
  source.request_stop();
  assert(called == 1);
}
