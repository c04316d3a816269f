// What containers do out of their headers is seen like the rest, at the line that calls it.
// $ heddle check containers_race.cpp -- -DITERATE => error race here
// $ heddle check containers_race.cpp -- -DINSERT => error race here
// $ heddle check containers_race.cpp -- -DLIST => error race here
// $ heddle check containers_race.cpp -- -DREHASH => error race here
// $ heddle check containers_race.cpp -- -DERASED => error memory here
// $ heddle check containers_race.cpp -- -DLOCKED => verified, 2 executions
#include <pthread.h>

#include <cassert>
#include <list>
#include <map>
#include <set>
#include <unordered_map>

static std::map<int, int> numbers{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
static std::set<int> some{10, 20, 30};
static std::list<int> queue{1, 2};
static std::unordered_map<int, int> table{{1, 1}, {2, 2}};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* first(void*) {
#if defined ITERATE
  for (auto it = numbers.begin(); it != numbers.end(); ++it) {  // here
  }
#elif defined INSERT
  some.insert(25);  // here
#elif defined LIST
  queue.push_back(3);  // here
#elif defined REHASH
  table.reserve(100);  // here
#elif defined ERASED
  auto it = numbers.begin();
  numbers.erase(1);
  ++it;  // here
#elif defined LOCKED
  pthread_mutex_lock(&m);
  numbers[6] = 6;
  queue.push_back(3);
  table.reserve(100);
  table[3] = 3;
  pthread_mutex_unlock(&m);
#endif
  return nullptr;
}

static void* second(void*) {
#if defined ITERATE
  numbers.erase(3);  // here
#elif defined INSERT
  some.insert(5);  // here
#elif defined LIST
  queue.push_front(0);  // here
#elif defined REHASH
  table.find(2);  // here
#elif defined LOCKED
  pthread_mutex_lock(&m);
  numbers.erase(3);
  queue.pop_front();
  table.erase(1);
  pthread_mutex_unlock(&m);
#endif
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, first, nullptr);
  pthread_create(&u, nullptr, second, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
#ifdef LOCKED
  assert(numbers.size() == 5 && queue.size() == 2 && queue.back() == 3 && table.size() == 2 && table.at(3) == 3);
#endif
  return 0;
}
