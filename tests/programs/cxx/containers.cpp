// Containers of the real standard library, inside threads and handed from one to the other.
// $ heddle check containers.cpp => verified, 2 executions
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

static std::atomic<std::vector<int>*> shared{nullptr};

static void* producer(void*) {
  auto v = std::make_unique<std::vector<int>>();
  for (int i = 0; i < 20; ++i) v->push_back(i);
  shared.store(v.release(), std::memory_order_release);
  return nullptr;
}

static void* consumer(void*) {
  std::map<std::string, int> names;
  std::unordered_map<int, std::string> numbers;
  names["a long enough string to need the heap"] = 1;
  numbers[1] = "one";
  if (auto* v = shared.load(std::memory_order_acquire)) {
    assert(std::accumulate(v->begin(), v->end(), 0) == 190);
  }
  assert(names.size() == 1 && numbers.at(1) == "one");
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, producer, nullptr);
  pthread_create(&u, nullptr, consumer, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
  delete shared.load();
}
