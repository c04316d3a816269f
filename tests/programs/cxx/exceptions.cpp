// An exception is thrown and caught inside a thread, with destructors on the way.
// $ heddle check exceptions.cpp => verified
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>

static std::atomic<int> x;

struct Guard {
  int* count;
  ~Guard() { ++*count; }
};

static void risky(int* count) {
  Guard guard{count};
  if (x.fetch_add(1) >= 0) throw std::runtime_error("thrown");
}

static void* f(void*) {
  int destroyed = 0;
  bool caught = false;
  try {
    risky(&destroyed);
  } catch (const std::exception& e) {
    caught = std::string(e.what()) == "thrown";
  }
  assert(caught && destroyed == 1);
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, f, nullptr);
  pthread_create(&u, nullptr, f, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
}
