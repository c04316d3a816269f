// __VERIFIER_assume of a bool that the program declares for itself: pointers and wide numbers convert.
// $ heddle check assume_bool.cpp => verified, 1 executions, 1 blocked
// $ heddle check assume_bool.cpp -- -DREACHED => error assertion here
#include <atomic>
#include <cassert>
#include <pthread.h>

extern "C" void __VERIFIER_assume(bool);

std::atomic<int*> p;
int object;

void* publish(void*) {
  p = &object;
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, publish, nullptr);
  __VERIFIER_assume(p.load());
  __VERIFIER_assume(1ull << 40);
#ifdef REACHED
  assert(false);  // here
#endif
  pthread_join(t, nullptr);
}
