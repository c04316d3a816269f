// pthread_exit leaves all functions of the thread: destructors run, and catch (...) must throw it on.
// $ heddle check pthread_exit_unwinds.cpp => verified, 1 executions
// $ heddle check pthread_exit_unwinds.cpp -- -DSWALLOW => error crash, "does not throw it again"
#include <pthread.h>

#include <cassert>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int left;

struct Guard {
  Guard() { pthread_mutex_lock(&m); }
  ~Guard() {
    ++left;
    pthread_mutex_unlock(&m);
  }
};

static void end() {
  Guard guard;
  pthread_exit(&left);
}

static void clean_up(void* p) { ++*static_cast<int*>(p); }

static void* f(void*) {
  pthread_cleanup_push(clean_up, &left);
  try {
    end();
  } catch (...) {
    ++left;
#ifndef SWALLOW
    throw;
#endif
  }
  pthread_cleanup_pop(0);
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, f, nullptr);
  void* result = nullptr;
  pthread_join(t, &result);
  pthread_mutex_lock(&m);
  assert(left == 3 && result == &left);
  pthread_mutex_unlock(&m);
}
