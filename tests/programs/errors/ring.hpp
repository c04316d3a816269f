// A ring for one producer and one consumer, whose publish is too weak.
#pragma once
#include <atomic>

template <class T, unsigned N>
class Ring {
 public:
  bool push(T value) {
    const unsigned t = tail_.load(std::memory_order_relaxed);
    if (t - head_.load(std::memory_order_acquire) == N) return false;
    slots_[t % N] = value;
    publish(t + 1);
    return true;
  }
  bool pop(T& value) {
    const unsigned h = head_.load(std::memory_order_relaxed);
    if (h == tail_.load(std::memory_order_acquire)) return false;
    value = slots_[h % N];
    head_.store(h + 1, std::memory_order_release);
    return true;
  }

 private:
  void publish(unsigned t) { tail_.store(t, std::memory_order_relaxed); }

  T slots_[N] = {};
  std::atomic<unsigned> head_{0}, tail_{0};
};
