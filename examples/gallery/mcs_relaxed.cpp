// The queue lock of Mellor-Crummey and Scott (1991). Each thread waits at a node of its own, until the one before it
// hands the lock over by clearing a flag there. The flag is cleared by a relaxed store, so the next thread does not see
// what was done under the lock. With -DRIGHT it is a release store.
//
// $ heddle check mcs_relaxed.cpp => error race here
// $ heddle check mcs_relaxed.cpp -- -DRIGHT => verified
#include <atomic>
#include <cassert>
#include <thread>

#ifdef RIGHT
constexpr auto hand_over = std::memory_order_release;
#else
constexpr auto hand_over = std::memory_order_relaxed;
#endif

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> waits{true};
};

std::atomic<Node*> tail{nullptr};
int counter;  // protected by the lock

void lock(Node& mine) {
  Node* before = tail.exchange(&mine, std::memory_order_acq_rel);
  if (!before) return;
  before->next.store(&mine, std::memory_order_release);
  while (mine.waits.load(std::memory_order_acquire)) {
  }
}

void unlock(Node& mine) {
  Node* after = mine.next.load(std::memory_order_acquire);
  if (!after) {
    Node* last = &mine;
    if (tail.compare_exchange_strong(last, nullptr, std::memory_order_acq_rel)) return;
    while (!(after = mine.next.load(std::memory_order_acquire))) {
    }
  }
  after->waits.store(false, hand_over);
}

void work() {
  Node mine;
  lock(mine);
  ++counter;  // here
  unlock(mine);
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(counter == 2);
}
