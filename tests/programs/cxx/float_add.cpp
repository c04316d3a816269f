// C++20: fetch_add on an atomic float is a load and a compare-exchange loop: four ways for two threads.
// $ heddle check --no-symmetry float_add.cpp -- -std=c++20 => verified, 4 executions
#include <pthread.h>

#include <atomic>
#include <cassert>

static std::atomic<float> x{1.0f};

static void* f(void*) {
  x.fetch_add(0.5f);
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, f, nullptr);
  pthread_create(&u, nullptr, f, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
  assert(x == 2.0f);
}
