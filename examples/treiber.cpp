// Treiber's lock-free stack in C++. A popped node cannot be deleted at once, because another thread may be about to
// read its `next`; here nodes are kept until all threads have ended. With -DDELETE_AT_ONCE pop deletes the node, and
// heddle shows the execution in which the other thread uses it.
//
// $ heddle check treiber.cpp => verified
// $ heddle check treiber.cpp -- -DDELETE_AT_ONCE => error memory, line 28
#include <pthread.h>

#include <atomic>
#include <cassert>

template <typename T>
class Stack {
 public:
  struct Node {
    T value;
    Node* next;
  };

  void push(Node* node) {
    node->next = head_.load(std::memory_order_relaxed);
    while (!head_.compare_exchange_strong(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  Node* pop() {
    Node* node = head_.load(std::memory_order_acquire);
    while (node && !head_.compare_exchange_strong(node, node->next, std::memory_order_acquire)) {
    }
    return node;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

using Node = Stack<int>::Node;

struct Worker {
  int pushes;
  int popped = 0;
  Node* retired = nullptr;
};

static Stack<int> stack;

static void* work(void* arg) {
  auto* self = static_cast<Worker*>(arg);
  stack.push(new Node{self->pushes, nullptr});
  Node* node = stack.pop();
  self->popped = node->value;
#ifdef DELETE_AT_ONCE
  delete node;
#else
  self->retired = node;
#endif
  return nullptr;
}

int main() {
  Worker workers[2] = {{1}, {2}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], nullptr, work, &workers[i]);
  for (pthread_t t : threads) pthread_join(t, nullptr);
  // Each thread pushes before it pops, so nobody finds the stack empty, and no value comes out twice.
  assert(workers[0].popped + workers[1].popped == 3);
  for (Worker& worker : workers) delete worker.retired;
  return 0;
}
