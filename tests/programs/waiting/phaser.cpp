// A phaser: threads arrive, wait for the phase to go on, and may leave between two phases.
// $ heddle check phaser.cpp => verified, 24 executions
// $ heddle check --model sc phaser.cpp => verified, 24 executions
// $ heddle check --model tso phaser.cpp => verified, 24 executions
// $ heddle check --model ra phaser.cpp => verified, 24 executions
// $ heddle check --algorithm rcmc phaser.cpp => verified, 24 executions
// $ heddle check --algorithm await --model sc phaser.cpp => verified, 24 executions
// $ heddle check --no-retries phaser.cpp => verified, 288 executions
// $ heddle check phaser.cpp -- -DWEAK => error race
// $ heddle check --algorithm rcmc phaser.cpp -- -DWEAK => error race
#include <pthread.h>

#include <atomic>
#include <cassert>

#ifdef WEAK
constexpr auto kArrive = std::memory_order_acquire;
#else
constexpr auto kArrive = std::memory_order_acq_rel;
#endif

class Phaser {
 public:
  explicit Phaser(unsigned parties) : state_(pack(0, parties, parties)) {}

  void arriveAndWait() { wait(arrive(false)); }
  void arriveAndLeave() { arrive(true); }

 private:
  // One word: the phase, the parties, and those of them that have not arrived.
  static constexpr unsigned pack(unsigned phase, unsigned parties, unsigned missing) {
    return phase << 16 | parties << 8 | missing;
  }
  static constexpr unsigned phase(unsigned state) { return state >> 16; }
  static constexpr unsigned parties(unsigned state) { return state >> 8 & 0xff; }
  static constexpr unsigned missing(unsigned state) { return state & 0xff; }

  unsigned arrive(bool leave) {  // returns the phase that it arrives in
    unsigned old = state_.load(std::memory_order_relaxed), next;
    do {
      const unsigned stay = parties(old) - (leave ? 1 : 0);
      next = missing(old) == 1 ? pack(phase(old) + 1, stay, stay) : pack(phase(old), stay, missing(old) - 1);
    } while (!state_.compare_exchange_weak(old, next, kArrive, std::memory_order_relaxed));
    return phase(old);
  }

  void wait(unsigned arrived) {
    while (phase(state_.load(std::memory_order_acquire)) == arrived) {
    }
  }

  std::atomic<unsigned> state_;
};

constexpr int kThreads = 3;
Phaser phaser(kThreads);
int cell[kThreads];

void* stays(void* arg) {
  const long me = reinterpret_cast<long>(arg);
  cell[me] = 1;
  phaser.arriveAndWait();
  for (int c : cell) assert(c == 1);
  phaser.arriveAndWait();
  cell[me] = 2;
  if (me == 0) cell[kThreads - 1] = 2;  // its owner has left
  return nullptr;
}

void* leaves(void* arg) {
  cell[reinterpret_cast<long>(arg)] = 1;
  phaser.arriveAndLeave();
  return nullptr;
}

int main() {
  pthread_t t[kThreads];
  for (long i = 0; i < kThreads; ++i) {
    pthread_create(&t[i], nullptr, i < kThreads - 1 ? stays : leaves, reinterpret_cast<void*>(i));
  }
  for (pthread_t thread : t) pthread_join(thread, nullptr);
}
