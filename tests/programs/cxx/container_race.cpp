// A vector is not made for two threads at once.
// $ heddle check container_race.cpp => error race
#include <pthread.h>

#include <vector>

static std::vector<int> v;

static void* f(void*) {
  v.push_back(1);
  return nullptr;
}

int main() {
  v.reserve(8);
  pthread_t t, u;
  pthread_create(&t, nullptr, f, nullptr);
  pthread_create(&u, nullptr, f, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
}
