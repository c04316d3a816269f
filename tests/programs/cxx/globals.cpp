// Global objects are constructed before main, in every execution anew.
// $ heddle check globals.cpp => verified, 2 executions
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <string>
#include <vector>

static std::vector<std::string> names{"first", "second, long enough to be on the heap"};
static std::atomic<int> x;

static void* f(void*) {
  x.store(1);
  return nullptr;
}

int main() {
  assert(names.size() == 2);
  pthread_t t;
  pthread_create(&t, nullptr, f, nullptr);
  if (x.load() == 1) names.push_back("third");
  pthread_join(t, nullptr);
}
