// Two threads exchange a value. Who comes first offers its own; if nobody has taken that after a look it takes the
// offer back, unless it is too late for that: then it waits for the answer.
// $ heddle check exchanger.cpp => verified, 8 executions
// $ heddle check --model sc exchanger.cpp => verified, 8 executions
// $ heddle check --model tso exchanger.cpp => verified, 8 executions
// $ heddle check --model ra exchanger.cpp => verified, 8 executions
// $ heddle check --algorithm rcmc exchanger.cpp => verified, 8 executions
// $ heddle check --algorithm await --model sc exchanger.cpp => verified, 8 executions
// $ heddle check exchanger.cpp -- -DWEAK => error race
// $ heddle check --algorithm rcmc exchanger.cpp -- -DWEAK => error race
#include <pthread.h>

#include <atomic>
#include <cassert>

#ifdef WEAK
constexpr auto kOffer = std::memory_order_relaxed;
#else
constexpr auto kOffer = std::memory_order_acq_rel;
#endif

struct Offer {
  const int* given;
  const int* answer = nullptr;
  std::atomic<bool> answered{false};
};

class Exchanger {
 public:
  // Returns null if nobody has come.
  const int* exchange(Offer& mine) {
    Offer* other = nullptr;
    if (slot_.compare_exchange_strong(other, &mine, kOffer, std::memory_order_acquire)) {
      if (!mine.answered.load(std::memory_order_acquire)) {
        Offer* expected = &mine;
        if (slot_.compare_exchange_strong(expected, nullptr, std::memory_order_relaxed)) return nullptr;
      }
      while (!mine.answered.load(std::memory_order_acquire)) {
      }
      return mine.answer;
    }
    do {
      if (!other) return nullptr;
    } while (!slot_.compare_exchange_weak(other, nullptr, std::memory_order_acquire));
    other->answer = mine.given;
    const int* given = other->given;
    other->answered.store(true, std::memory_order_release);
    return given;
  }

 private:
  std::atomic<Offer*> slot_{nullptr};
};

Exchanger exchanger;
int value[2];
const int* got[2];

void* worker(void* arg) {
  const long me = reinterpret_cast<long>(arg);
  value[me] = static_cast<int>(me) + 1;
  Offer mine{&value[me]};
  got[me] = exchanger.exchange(mine);
  if (got[me]) assert(*got[me] == 2 - static_cast<int>(me));
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, worker, reinterpret_cast<void*>(0));
  pthread_create(&b, nullptr, worker, reinterpret_cast<void*>(1));
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  assert(!got[0] == !got[1]);
}
