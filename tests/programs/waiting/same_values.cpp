// Rounds that store what is there already, in a function that is called; that allocate memory and free it; that fill an
// object of their own and empty it. Such a round has changed nothing. (FILLS: the first one has, since the vector was
// empty before.) LEAKS, COUNTS: it has.
// $ heddle check same_values.cpp => verified, 2 executions
// $ heddle check --model tso same_values.cpp => verified, 2 executions
// $ heddle check --algorithm rcmc same_values.cpp => verified, 2 executions
// $ heddle check --algorithm await --model sc same_values.cpp => verified, 2 executions
// $ heddle check same_values.cpp -- -DALLOCATES => verified, 1 executions
// $ heddle check --algorithm await --model sc same_values.cpp -- -DALLOCATES => verified, 1 executions
// $ heddle check same_values.cpp -- -DFILLS => verified, 2 executions
// $ heddle check same_values.cpp -- -DNEVER => error livelock
// $ heddle check --unroll 4 same_values.cpp -- -DLEAKS => incomplete
// $ heddle check same_values.cpp -- -DCOUNTS => error assertion here
// $ heddle check same_values.cpp -- -DFREED => error memory
#include <atomic>
#include <cassert>
#include <string>
#include <thread>
#include <vector>

// A queue with one slot more than is used, whose taker remembers how far the giver was.
class Queue {
 public:
  void push(int v) {
    const int tail = tail_.load(std::memory_order_relaxed);
    slots_[tail % 4] = v;
    tail_.store(tail + 1, std::memory_order_release);
  }
  [[gnu::noinline]] bool pop(int& v) {
    const int head = head_.load(std::memory_order_relaxed);
    if (head == seen_) look();
    if (head == seen_) return false;
    v = slots_[head % 4];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  [[gnu::noinline]] void look() {
    seen_ = tail_.load(std::memory_order_acquire);
#ifdef COUNTS
    if (++looks_ == 3) assert(false);  // here
#endif
  }

  std::atomic<int> head_{0}, tail_{0};
  int seen_ = 0, looks_ = 0;
  int slots_[4];
};

static Queue queue;
static std::atomic<int> x{0};
static std::atomic<int*> shared;

// Longer than what a string keeps inside of itself.
[[gnu::noinline]] static bool is_there() {
  std::string text(40, 'a');
  text += std::to_string(x.load(std::memory_order_acquire));
  return text.back() != '0';
}

int main() {
#if defined ALLOCATES
  std::thread gives([] { x.store(1, std::memory_order_release); });
  std::thread takes([] {
    while (!is_there()) {
    }
  });
#elif defined FILLS
  std::thread gives([] { x.store(1, std::memory_order_release); });
  std::thread takes([] {
    std::vector<int> values;
    values.reserve(4);
    do {
      values.clear();
      values.push_back(x.load(std::memory_order_acquire));
    } while (values[0] == 0);
  });
#elif defined LEAKS
  std::thread gives([] { x.store(1, std::memory_order_release); });
  std::thread takes([] {
    while (*new int(x.load(std::memory_order_acquire)) == 0) {
    }
  });
#elif defined FREED  // what a round allocates and frees another thread may use
  std::thread gives([] {
    if (const int* const p = shared.load(std::memory_order_acquire)) x.store(*p, std::memory_order_release);
    x.store(1, std::memory_order_release);
  });
  std::thread takes([] {
    do {
      int* const p = new int(2);
      shared.store(p, std::memory_order_release);
      shared.store(nullptr, std::memory_order_relaxed);
      delete p;
    } while (x.load(std::memory_order_acquire) == 0);
  });
#else
  std::thread gives([] {
#ifndef NEVER
    queue.push(1);
    queue.push(2);
#endif
  });
  std::thread takes([] {
    int v = 0;
    while (!queue.pop(v)) {
    }
    assert(v == 1);
    while (!queue.pop(v)) {
    }
    assert(v == 2);
  });
#endif
  gives.join();
  takes.join();
}
