// A thread that is created only where a read has been revisited: the other executions, explored later, do not have it.
//
// $ heddle check late_thread.c => verified, 4 executions
// $ heddle check --algorithm rcmc late_thread.c => verified, 4 executions
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, z, u;

static void* leaf(void* a) {
  atomic_store(&u, 1);
  return a;
}
static void* first(void* a) {
  atomic_store(&z, 1);
  return a;
}
static void* second(void* a) {
  (void)atomic_load(&z);
  if (atomic_load(&x) == 1) {
    pthread_t t;
    pthread_create(&t, NULL, leaf, NULL);
    pthread_join(t, NULL);
  }
  return a;
}
static void* third(void* a) {
  atomic_store(&x, 1);
  return a;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_create(&t[2], NULL, third, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  return 0;
}
