// The stack of Treiber in C++, with hazard pointers.
// $ heddle check treiber.cpp => verified
// $ heddle check treiber.cpp -- -DUNPROTECTED => error memory here
#include <heddle.h>
#include <pthread.h>

#include <atomic>

struct Node {
  int value;
  std::atomic<Node*> next{nullptr};
};

class HazardPointer {
 public:
  HazardPointer() : hp_(heddle_hp_alloc()) {}
  ~HazardPointer() { heddle_hp_free(hp_); }
  Node* protect(const std::atomic<Node*>& location) { return heddle_hp_protect(hp_, &location); }

 private:
  heddle_hp_t* hp_;
};

class Stack {
 public:
  void push(int value) {
    Node* n = new Node{value};
    Node* next = top_.load();
    do n->next.store(next, std::memory_order_relaxed);
    while (!top_.compare_exchange_strong(next, n));
  }

  int pop() {
    HazardPointer hp;
    for (;;) {
#ifdef UNPROTECTED
      Node* n = top_.load();
#else
      Node* n = hp.protect(top_);
#endif
      if (n == nullptr) return 0;
      Node* expected = n;
      Node* next = n->next.load(std::memory_order_relaxed);  // here
      if (!top_.compare_exchange_strong(expected, next)) continue;
      const int value = n->value;
      heddle_hp_retire(n);
      return value;
    }
  }

 private:
  std::atomic<Node*> top_{nullptr};
};

static Stack stack;

int main() {
  stack.push(1);
  stack.push(2);
  pthread_t t[2];
  for (auto& id : t)
    pthread_create(
        &id, nullptr,
        [](void*) -> void* {
          stack.pop();
          return nullptr;
        },
        nullptr);
  for (auto& id : t) pthread_join(id, nullptr);
  heddle_assert(stack.pop() == 0);
  return 0;
}
