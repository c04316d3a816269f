// A ring for one producer and one consumer, each of which keeps a copy of the other one's index and looks again only if
// that says that the ring is full, or empty. The index that a round stores again is mostly there already.
// $ heddle check cached_index.cpp => verified, 1 executions
// $ heddle check --model sc cached_index.cpp => verified, 1 executions
// $ heddle check --model tso cached_index.cpp => verified, 1 executions
// $ heddle check cached_index.cpp -- -DITEMS=2 => verified
// $ heddle check cached_index.cpp -- -DWEAK => error race
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ITEMS
#define ITEMS 1
#endif
#ifdef WEAK
constexpr auto kPublish = std::memory_order_relaxed;
#else
constexpr auto kPublish = std::memory_order_release;
#endif

class Ring {
 public:
  void push(int v) {
    const unsigned at = write_.load(std::memory_order_relaxed);
    const unsigned next = (at + 1) % kSize;
    while (next == read_copy_) read_copy_ = read_.load(std::memory_order_acquire);
    slot_[at] = v;
    write_.store(next, kPublish);
  }
  int pop() {
    const unsigned at = read_.load(std::memory_order_relaxed);
    while (at == write_copy_) write_copy_ = write_.load(std::memory_order_acquire);
    const int v = slot_[at];
    read_.store((at + 1) % kSize, std::memory_order_release);
    return v;
  }

 private:
  static constexpr unsigned kSize = 2;
  int slot_[kSize] = {};
  std::atomic<unsigned> read_{0}, write_{0};
  unsigned read_copy_ = 0, write_copy_ = 0;
};

Ring ring;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= ITEMS; ++i) ring.push(i);
  });
  for (int i = 1; i <= ITEMS; ++i) assert(ring.pop() == i);
  producer.join();
}
