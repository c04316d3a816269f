// Memory has names: blocks those of their types, counted by thread, local variables those of their threads.
// $ heddle check names.cpp => error race, "data race on Node#2.value: T1 (write) writes it"
// $ heddle check names.cpp -- -DARRAY => error race, "data race on Node#1[3].value: T1 (write) writes it"
// $ heddle check names.cpp -- -DMALLOC => error race, "data race on Node#1.value: T1 (write) writes it"
// $ heddle check names.cpp -- -DTHREAD => error race, "data race on T1's Node#1.value: "
// $ heddle check names.cpp -- -DLOCAL => error race, "data race on T1's own.value: "
// $ heddle check names.cpp -- -DUNTYPED => error race, "data race on malloc#1 (names.cpp:38) + 4: "
// $ heddle check names.cpp => exit 1, "read(acq) shared = &Node#2 "
// $ heddle check names.cpp => exit 1, "T1 write"
// $ heddle check names.cpp -- -DLOCAL => exit 1, "write(rlx) shared = &T1's own"
#include <atomic>
#include <cstdlib>
#include <thread>

struct Node {
  int value = 0;
  Node* next = nullptr;
};

std::atomic<Node*> shared;

void write() {
#if defined(THREAD)
  auto* const mine = new Node;
  shared.store(mine, std::memory_order_relaxed);
  mine->value = 1;
#elif defined(LOCAL)
  Node own;
  shared.store(&own, std::memory_order_relaxed);
  own.value = 1;
  while (shared.load() != nullptr) {
  }
#else
  if (Node* const n = shared.load(std::memory_order_acquire)) n->value = 1;
#endif
}

void* anything() { return malloc(64); }

int main() {
#if defined(ARRAY)
  shared = new Node[4] + 3;
#elif defined(MALLOC)
  Node* const n = static_cast<Node*>(malloc(sizeof(Node)));
  shared = n;
#elif defined(UNTYPED)
  shared = reinterpret_cast<Node*>(static_cast<char*>(anything()) + 4);
#elif !defined(THREAD) && !defined(LOCAL)
  Node* const first = new Node;
  shared = new Node{0, first};
#endif
  std::thread t(write);
#ifdef LOCAL
  while (shared.load(std::memory_order_acquire) == nullptr) {
  }
#endif
  if (Node* const n = shared.load(std::memory_order_acquire)) {
    n->value = 2;
    shared = nullptr;
  }
  t.join();
}
