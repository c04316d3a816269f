// A ring buffer for one producer and one consumer; both wait.
// $ heddle check spsc.cpp => verified
// $ heddle check --model sc spsc.cpp => verified
// $ heddle check --model tso spsc.cpp => verified
// $ heddle check --algorithm rcmc spsc.cpp => verified
// $ heddle check spsc.cpp -- -DWEAK => error race
// $ heddle check --algorithm rcmc spsc.cpp -- -DWEAK => error race
#include <pthread.h>

#include <atomic>
#include <cassert>

#ifdef WEAK
constexpr auto kPublish = std::memory_order_relaxed;
#else
constexpr auto kPublish = std::memory_order_release;
#endif

class Ring {
 public:
  void push(int v) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    while (tail - head_.load(std::memory_order_acquire) == kSize) {
    }
    slot_[tail % kSize] = v;
    tail_.store(tail + 1, kPublish);
  }
  int pop() {
    const unsigned head = head_.load(std::memory_order_relaxed);
    while (tail_.load(std::memory_order_acquire) == head) {
    }
    const int v = slot_[head % kSize];
    head_.store(head + 1, std::memory_order_release);
    return v;
  }

 private:
  static constexpr unsigned kSize = 2;
  int slot_[kSize] = {};
  std::atomic<unsigned> head_{0}, tail_{0};
};

Ring ring;

void* producer(void*) {
  for (int i = 1; i <= 3; ++i) ring.push(i);
  return nullptr;
}

int main() {
  pthread_t p;
  pthread_create(&p, nullptr, producer, nullptr);
  for (int i = 1; i <= 3; ++i) {
    const int got = ring.pop();
    assert(got == i);
  }
  pthread_join(p, nullptr);
}
