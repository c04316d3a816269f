// An exception that nobody catches, in one execution.
// $ heddle check uncaught.cpp => error exception
#include <pthread.h>

#include <atomic>
#include <stdexcept>

static std::atomic<int> x;

static void* f(void*) {
  if (x.load() == 1) throw std::logic_error("too late");
  return nullptr;
}

static void* g(void*) {
  x.store(1);
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, f, nullptr);
  pthread_create(&u, nullptr, g, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
}
