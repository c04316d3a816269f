// moodycamel::ConcurrentQueue and its blocking variant.
// needs: concurrentqueue/concurrentqueue.h
// $ heddle check concurrentqueue.cpp -- -std=c++17 => verified
// $ heddle check --model tso concurrentqueue.cpp -- -std=c++17 => verified
// $ heddle check --model sc --algorithm await concurrentqueue.cpp -- -std=c++17 => verified
// $ heddle check concurrentqueue.cpp -- -std=c++17 -DBLOCKING => verified
// $ heddle check concurrentqueue.cpp -- -std=c++17 -DBUG => error assertion here
#include <concurrentqueue/blockingconcurrentqueue.h>
#include <concurrentqueue/concurrentqueue.h>

#include <cassert>
#include <thread>

int main() {
#ifdef BLOCKING
  moodycamel::BlockingConcurrentQueue<int> q(32);
#else
  moodycamel::ConcurrentQueue<int> q(32);
#endif
  std::thread producer([&] { q.enqueue(1); });
  int x = 0;
#ifdef BLOCKING
  q.wait_dequeue(x);
  assert(x == 1);
#else
  const bool got = q.try_dequeue(x);
  assert(!got || x == 1);
#ifdef BUG
  assert(got);  // here
#endif
#endif
  producer.join();
}
