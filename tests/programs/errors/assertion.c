// A failing assertion in a thread.
// $ heddle check assertion.c => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* writer(void* arg) {
  atomic_store(&x, 1);
  return arg;
}

static void* reader(void* arg) {
  assert(atomic_load(&x) == 0);  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
