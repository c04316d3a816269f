// The retry loops that people write to push onto a stack, and to change a number. A look at the location, and a
// compare-exchange that confirms it: no look is tried with which it would fail, so that nothing is blocked, and a round
// that fails is none of its own. Also if what is expected is in the node itself, and the location in a structure.
// $ heddle check push.cpp -- -DIN_NODE => verified, 120 executions, 0 blocked
// $ heddle check push.cpp --model sc -- -DIN_NODE => verified, 120 executions, 0 blocked
// $ heddle check push.cpp --model tso -- -DIN_NODE => verified, 120 executions, 0 blocked
// $ heddle check push.cpp --algorithm rcmc -- -DIN_NODE => verified, 120 executions
// $ heddle check push.cpp --model sc --algorithm await -- -DIN_NODE => verified, 120 executions
// $ heddle check push.cpp --races ignore -- -DIN_NODE => verified
// $ heddle check push.cpp -- -DIN_NODE -DBAD => error race
// $ heddle check push.cpp -- -DCARRIED => verified, 120 executions, 0 blocked
// $ heddle check push.cpp -- -DCARRIED -DBAD => error race
// $ heddle check push.cpp -- -DEACH_ROUND => verified, 120 executions, 0 blocked
// $ heddle check push.cpp --model sc --jobs 2 -- -DEACH_ROUND => verified, 120 executions, 0 blocked
// $ heddle check push.cpp -- -DEACH_ROUND -DACQUIRE => verified, 120 executions, 440 blocked
// $ heddle check push.cpp -- -DMAXIMUM => verified, 0 blocked
// $ heddle check push.cpp -- -DUNLESS_ZERO => verified, 0 blocked
// $ heddle check push.cpp -- -DSTUCK => error livelock
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value;
  Node* next;
};

struct Stack {
  int unused;
  std::atomic<Node*> top{nullptr};
} stack;

std::atomic<int> number{1};

#ifdef BAD
constexpr auto publish = std::memory_order_relaxed;
#else
constexpr auto publish = std::memory_order_release;
#endif
constexpr auto relaxed = std::memory_order_relaxed;

void work(int i) {
#if defined MAXIMUM
  int old = number.load();
  while (old < i && !number.compare_exchange_weak(old, i)) {
  }
#elif defined UNLESS_ZERO
  int old = number.load(relaxed);
  do {
    if (old == 0) return;
  } while (!number.compare_exchange_weak(old, old - 1, std::memory_order_acq_rel, relaxed));
#else
  auto* node = new Node{i, nullptr};
  Stack* s = &stack;
#if defined IN_NODE
  node->next = s->top.load(relaxed);
  while (!s->top.compare_exchange_weak(node->next, node, publish, relaxed)) {
  }
#elif defined CARRIED
  Node* top = s->top.load(relaxed);
  do {
    node->next = top;
  } while (!s->top.compare_exchange_weak(top, node, publish, relaxed));
#elif defined STUCK  // a failure does not change what is expected
  node->next = s->top.load(relaxed);
  for (;;) {
    Node* expected = node->next;
    if (s->top.compare_exchange_strong(expected, node, publish, relaxed)) break;
  }
#else
#ifdef ACQUIRE  // more than the compare-exchange asks for
  constexpr auto look = std::memory_order_acquire;
#else
  constexpr auto look = relaxed;
#endif
  for (;;) {
    Node* top = s->top.load(look);
    node->next = top;
    if (s->top.compare_exchange_strong(top, node, publish, relaxed)) break;
  }
#endif
#endif
}

int main() {
  std::thread a(work, 1), b(work, 2), c(work, 3), d(work, 4);
  if (const Node* top = stack.top.load(std::memory_order_acquire)) assert(top->value > 0);
  a.join();
  b.join();
  c.join();
  d.join();
}
