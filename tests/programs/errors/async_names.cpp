// A thread of std::async has the name of what it runs.
// $ heddle check --width 300 async_names.cpp -- -std=c++20 => exit 1, "T1 work ", "T2 lambda in main ", "T3 Worker::go"
#include <atomic>
#include <cassert>
#include <future>

std::atomic<int> n;

int work(int i) { return n += i; }

struct Worker {
  void go() { n += 2; }
};

int main() {
  Worker worker;
  auto a = std::async(std::launch::async, work, 1);
  auto b = std::async(std::launch::async, [] { n += 3; });
  auto c = std::async(std::launch::async, &Worker::go, &worker);
  a.get();
  b.get();
  c.get();
  assert(n == 0);
}
