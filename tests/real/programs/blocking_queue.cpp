// A bounded blocking queue with two condition variables. An if in place of a while lets a consumer go on that somebody
// else has overtaken. $ heddle check blocking_queue.cpp -- -std=c++20 => verified $ heddle check --model sc
// blocking_queue.cpp -- -std=c++20 => verified $ heddle check --model tso blocking_queue.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc blocking_queue.cpp -- -std=c++20 => verified
// $ heddle check blocking_queue.cpp -- -std=c++20 -DBUG => error assertion, "!items.empty()"
// $ heddle check --model sc blocking_queue.cpp -- -std=c++20 -DBUG => error assertion, "!items.empty()"
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
 public:
  explicit Queue(std::size_t capacity) : capacity(capacity) {}
  void push(int x) {
    std::unique_lock lock(m);
    not_full.wait(lock, [&] { return items.size() < capacity; });
    items.push_back(x);
    not_empty.notify_one();
  }
  int pop() {
    std::unique_lock lock(m);
#ifdef BUG
    if (items.empty()) not_empty.wait(lock);
#else
    while (items.empty()) not_empty.wait(lock);
#endif
    assert(!items.empty());
    const int x = items.front();
    items.pop_front();
    not_full.notify_one();
    return x;
  }

 private:
  std::mutex m;
  std::condition_variable not_full, not_empty;
  std::deque<int> items;
  std::size_t capacity;
};

int main() {
  Queue q(1);
  int a = 0, b = 0;
  std::thread first([&] { a = q.pop(); });
  std::thread second([&] { b = q.pop(); });
  q.push(1);
  q.push(2);
  first.join();
  second.join();
  assert(a + b == 3);
}
