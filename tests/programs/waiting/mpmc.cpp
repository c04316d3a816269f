// A bounded queue for many producers and consumers: each cell has a number that says whose turn it is. Who finds the
// queue full or empty tries again.
// $ heddle check mpmc.cpp => verified, 6 executions
// $ heddle check --model sc mpmc.cpp => verified, 6 executions
// $ heddle check --model tso mpmc.cpp => verified, 6 executions
// $ heddle check --model ra mpmc.cpp => verified, 6 executions
// $ heddle check --algorithm rcmc mpmc.cpp => verified, 6 executions
// $ heddle check --algorithm await --model sc mpmc.cpp => verified, 6 executions
// $ heddle check --no-retries mpmc.cpp => verified, 8 executions
// $ heddle check mpmc.cpp -- -DWEAK => error race
// $ heddle check --algorithm rcmc mpmc.cpp -- -DWEAK => error race
#include <pthread.h>

#include <atomic>
#include <cassert>

#ifdef WEAK
constexpr auto kPublish = std::memory_order_relaxed;
#else
constexpr auto kPublish = std::memory_order_release;
#endif

class Queue {
 public:
  bool push(int value) {
    unsigned at = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cell_[at % kSize];
      const int turn = static_cast<int>(cell.turn.load(std::memory_order_acquire) - at);
      if (turn < 0) return false;
      if (turn > 0) {
        at = tail_.load(std::memory_order_relaxed);
      } else if (tail_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
        cell.value = value;
        cell.turn.store(at + 1, kPublish);
        return true;
      }
    }
  }

  bool pop(int& value) {
    unsigned at = head_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cell_[at % kSize];
      const int turn = static_cast<int>(cell.turn.load(std::memory_order_acquire) - (at + 1));
      if (turn < 0) return false;
      if (turn > 0) {
        at = head_.load(std::memory_order_relaxed);
      } else if (head_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
        value = cell.value;
        cell.turn.store(at + kSize, std::memory_order_release);
        return true;
      }
    }
  }

 private:
  static constexpr unsigned kSize = 2;
  struct Cell {
    std::atomic<unsigned> turn;
    int value;
  };
  Cell cell_[kSize] = {{{0}, 0}, {{1}, 0}};
  std::atomic<unsigned> head_{0}, tail_{0};
};

Queue queue;

void* producer(void* arg) {
  const int value = static_cast<int>(reinterpret_cast<long>(arg));
  while (!queue.push(value)) {
  }
  return nullptr;
}

int take() {
  int value;
  while (!queue.pop(value)) {
  }
  return value;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, producer, reinterpret_cast<void*>(1));
  pthread_create(&b, nullptr, producer, reinterpret_cast<void*>(2));
  const int first = take(), second = take();
  assert(first + second == 3);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
