// Left-right: readers never wait. The writer changes the side that nobody reads, sends new readers there, waits until
// each of the two read indicators was empty once, and then changes the other side.
// $ heddle check left_right.cpp => verified, 36 executions
// $ heddle check --model sc left_right.cpp => verified, 36 executions
// $ heddle check --model tso left_right.cpp => verified, 36 executions
// $ heddle check --algorithm rcmc left_right.cpp => verified, 36 executions
// $ heddle check --algorithm await --model sc left_right.cpp => verified, 36 executions
// $ heddle check left_right.cpp -- -DWEAK => error race
// $ heddle check --algorithm rcmc left_right.cpp -- -DWEAK => error race
// One of the two waits left out:
// $ heddle check left_right.cpp -- -DHASTY => error race
// $ heddle check --model sc left_right.cpp -- -DHASTY => error race
// $ heddle check --algorithm await --model sc left_right.cpp -- -DHASTY => error race
#include <pthread.h>

#include <atomic>
#include <cassert>

#ifdef WEAK
constexpr auto kLook = std::memory_order_acquire;
#else
constexpr auto kLook = std::memory_order_seq_cst;
#endif

class LeftRight {
 public:
  int read() {
    const int version = version_.load();
    readers_[version].fetch_add(1);
    const int value = side_[current_.load(kLook)];
    readers_[version].fetch_sub(1);
    return value;
  }

  void write(int value) {  // by one thread
    const int old = current_.load(std::memory_order_relaxed);
    side_[!old] = value;
    current_.store(!old);
    const int version = version_.load(std::memory_order_relaxed);
    waitForReaders(!version);
    version_.store(!version);
#ifndef HASTY
    waitForReaders(version);
#endif
    side_[old] = value;
  }

 private:
  void waitForReaders(int version) {
    while (readers_[version].load() != 0) {
    }
  }

  int side_[2] = {};
  std::atomic<int> current_{0}, version_{0};
  std::atomic<int> readers_[2] = {};
};

LeftRight shared;

void* reader(void*) {
  const int first = shared.read();
  const int second = shared.read();
  assert(first <= second && second <= 2);
  return nullptr;
}

int main() {
  pthread_t r;
  pthread_create(&r, nullptr, reader, nullptr);
  shared.write(1);
  shared.write(2);
  pthread_join(r, nullptr);
  const int last = shared.read();
  assert(last == 2);
}
