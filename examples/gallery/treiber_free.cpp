// Treiber's lock-free stack, whose pop deletes the node at once. Another thread may have read the head just before, and
// looks for `next` in a node that is gone. With -DRIGHT a hazard pointer keeps a node until nobody looks at it.
//
// $ heddle check treiber_free.cpp => error memory here
// $ heddle check --model sc treiber_free.cpp => error memory here
// $ heddle check treiber_free.cpp -- -DRIGHT => verified
#include <heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value;
  Node* next;
};

std::atomic<Node*> head{nullptr};

void push(int value) {
  Node* node = new Node{value, head.load(std::memory_order_relaxed)};
  while (!head.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

int pop() {
  heddle_hp_t hazard = {};
  for (;;) {
#ifdef RIGHT
    Node* node = heddle_hp_protect(&hazard, &head);
#else
    Node* node = head.load(std::memory_order_acquire);
#endif
    Node* next = node->next;  // here
    if (!head.compare_exchange_strong(node, next, std::memory_order_acquire)) continue;
    const int value = node->value;
#ifdef RIGHT
    heddle_hp_clear(&hazard);
    heddle_hp_retire(node);
#else
    delete node;
#endif
    return value;
  }
}

int main() {
  push(1);
  push(2);
  int first = 0;
  std::thread other([&] { first = pop(); });
  const int second = pop();
  other.join();
  assert(first + second == 3);
}
