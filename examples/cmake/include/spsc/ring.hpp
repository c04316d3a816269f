// A ring for one producer and one consumer.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

template <typename T>
class Ring {
 public:
  bool push(T value) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == SPSC_CAPACITY) return false;
    slots_[tail % SPSC_CAPACITY] = value;
    tail_.store(tail + 1, kPublish);
    return true;
  }

  std::optional<T> pop() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return std::nullopt;
    const T value = slots_[head % SPSC_CAPACITY];
    head_.store(head + 1, std::memory_order_release);
    return value;
  }

 private:
#ifdef SPSC_RELAXED
  static constexpr std::memory_order kPublish = std::memory_order_relaxed;
#else
  static constexpr std::memory_order kPublish = std::memory_order_release;
#endif
  std::atomic<std::size_t> head_ = 0;
  std::atomic<std::size_t> tail_ = 0;
  T slots_[SPSC_CAPACITY];
};
