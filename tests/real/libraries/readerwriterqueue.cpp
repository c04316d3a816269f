// moodycamel::ReaderWriterQueue, for one producer and one consumer: two producers are too many.
// needs: readerwriterqueue/readerwriterqueue.h
// $ heddle check readerwriterqueue.cpp -- -std=c++17 => verified
// $ heddle check --model tso readerwriterqueue.cpp -- -std=c++17 => verified
// $ heddle check --model sc --algorithm await readerwriterqueue.cpp -- -std=c++17 => verified
// $ heddle check readerwriterqueue.cpp -- -std=c++17 -DBUG => error race
#include <readerwriterqueue/readerwriterqueue.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::ReaderWriterQueue<int> q(2);
  std::thread producer([&] {
    q.enqueue(1);
    q.enqueue(2);
  });
#ifdef BUG
  q.enqueue(3);
#else
  int x = 0, next = 1;
  for (int i = 0; i < 2; ++i) {
    if (q.try_dequeue(x)) assert(x == next++);
  }
#endif
  producer.join();
}
