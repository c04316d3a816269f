// A static local variable is initialised once, whoever comes first.
// $ heddle check static_local.cpp => verified
#include <pthread.h>

#include <atomic>
#include <cassert>

static std::atomic<int> made;

struct Object {
  int value;
  Object() : value(42) { ++made; }
};

static Object& instance() {
  static Object object;
  return object;
}

static void* f(void*) {
  assert(instance().value == 42);
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, f, nullptr);
  pthread_create(&u, nullptr, f, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
  assert(made == 1);
}
