// What containers do out of their headers is seen like the rest, at the line that calls it.
// $ heddle check containers_race.cpp -- "-DFIRST=for (auto it = numbers.begin(); it != numbers.end(); ++it) {}" -DSECOND=numbers.erase(3) => error race here
// $ heddle check containers_race.cpp -- -DFIRST=some.insert(25) -DSECOND=some.insert(5) => error race here
// $ heddle check containers_race.cpp -- -DFIRST=queue.push_back(3) -DSECOND=queue.push_front(0) => error race here
// $ heddle check containers_race.cpp -- -DFIRST=table.reserve(100) -DSECOND=table.find(2) => error race here
// $ heddle check containers_race.cpp -- "-DFIRST=auto it = numbers.begin(); numbers.erase(1); ++it" -DSECOND= => error memory here
#include <pthread.h>

#include <list>
#include <map>
#include <set>
#include <unordered_map>

static std::map<int, int> numbers{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
static std::set<int> some{10, 20, 30};
static std::list<int> queue{1, 2};
static std::unordered_map<int, int> table{{1, 1}, {2, 2}};

static void* first(void*) {
  FIRST;  // here
  return nullptr;
}
static void* second(void*) {
  SECOND;  // here
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, first, nullptr);
  pthread_create(&u, nullptr, second, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
  return 0;
}
