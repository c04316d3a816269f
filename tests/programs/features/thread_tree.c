// Threads start threads; results come back through join; a thread may end itself.
// $ heddle check thread_tree.c => verified, 1 executions
#include <assert.h>
#include <pthread.h>

static void* leaf(void* arg) { return (void*)((long)arg + 1); }

static void* inner(void* arg) {
  pthread_t t;
  void* result;
  pthread_create(&t, NULL, leaf, arg);
  pthread_join(t, &result);
  pthread_exit((void*)((long)result * 10));
}

int main(void) {
  pthread_t t[3];
  void* result;
  for (long i = 0; i < 3; ++i) pthread_create(&t[i], NULL, inner, (void*)i);
  for (long i = 0; i < 3; ++i) {
    pthread_join(t[i], &result);
    assert((long)result == (i + 1) * 10);
  }
  assert(pthread_equal(pthread_self(), pthread_self()));
  return 0;
}
