// Containers of several kinds, under a mutex.
// $ heddle check containers_locked.cpp => verified, 2 executions
#include <pthread.h>

#include <cassert>
#include <list>
#include <map>
#include <unordered_map>

static std::map<int, int> numbers{{1, 1}, {2, 2}, {3, 3}};
static std::list<int> queue{1, 2};
static std::unordered_map<int, int> table{{1, 1}, {2, 2}};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* adds(void*) {
  pthread_mutex_lock(&m);
  numbers[6] = 6;
  queue.push_back(3);
  table.reserve(100);
  table[3] = 3;
  pthread_mutex_unlock(&m);
  return nullptr;
}

static void* erases(void*) {
  pthread_mutex_lock(&m);
  numbers.erase(3);
  queue.pop_front();
  table.erase(1);
  pthread_mutex_unlock(&m);
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, adds, nullptr);
  pthread_create(&u, nullptr, erases, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
  assert(numbers.size() == 3 && queue.size() == 2 && queue.back() == 3 && table.size() == 2 && table.at(3) == 3);
  return 0;
}
