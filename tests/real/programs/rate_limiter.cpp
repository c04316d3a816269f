// A bucket of tokens that a clock refills. Whoever looks and then takes lets two pass with one token.
// $ heddle check rate_limiter.cpp -- -std=c++20 => verified
// $ heddle check --model sc rate_limiter.cpp -- -std=c++20 => verified
// $ heddle check --model tso rate_limiter.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc rate_limiter.cpp -- -std=c++20 => verified
// $ heddle check rate_limiter.cpp -- -std=c++20 -DBUG => error assertion
// $ heddle check --model sc rate_limiter.cpp -- -std=c++20 -DBUG => error assertion
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;

class Limiter {
 public:
  bool allow() {
    refill();
#ifdef BUG
    if (tokens.load() == 0) return false;
    --tokens;
    return true;
#else
    int now = tokens.load();
    while (now > 0 && !tokens.compare_exchange_weak(now, now - 1)) {
    }
    return now > 0;
#endif
  }

 private:
  void refill() {
    const auto now = Clock::now();
    std::lock_guard lock(m);
    if (now - last < std::chrono::hours(1)) return;
    last = now;
    tokens = 1;
  }

  std::mutex m;
  Clock::time_point last = Clock::now();
  std::atomic<int> tokens = 1;
};

int main() {
  Limiter limiter;
  std::atomic<int> passed = 0;
  std::thread other([&] { passed += limiter.allow(); });
  passed += limiter.allow();
  other.join();
  assert(passed == 1);
}
