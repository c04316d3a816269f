// However long one sleeps, no clock runs over.
// $ heddle check long_sleeps.cpp => verified
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono;

int main() {
  const auto start = steady_clock::now();
  for (int i = 0; i < 4; ++i) std::this_thread::sleep_for(hours(2'000'000));
  const auto later = steady_clock::now();
  assert(later > start);
  std::mutex m;
  std::condition_variable nobody;
  std::unique_lock<std::mutex> lock(m);
  for (int i = 0; i < 3; ++i) nobody.wait_for(lock, nanoseconds::max());
  assert(steady_clock::now() > later);
}
