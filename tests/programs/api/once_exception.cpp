// A function that pthread_once calls and that throws, or ends its thread, has not run: the next one to come runs it.
// $ heddle check once_exception.cpp => verified
// $ heddle check once_exception.cpp -- -DALWAYS => verified
#include <pthread.h>
#include <threads.h>

#include <cassert>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static int calls, calls_of_flag;

extern "C" void initialise() {
  if (calls++ == 0) throw 1;
}
extern "C" void end_thread() {
  if (calls_of_flag++ == 0) pthread_exit(nullptr);
}

static void* f(void*) {
  try {
    pthread_once(&once, initialise);
  } catch (int) {
#ifdef ALWAYS
    pthread_once(&once, initialise);
#endif
  }
  call_once(&flag, end_thread);
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, f, nullptr);
  pthread_create(&u, nullptr, f, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
  assert(calls == 2 && calls_of_flag == 2);
}
