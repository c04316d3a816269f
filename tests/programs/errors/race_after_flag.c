// The flag is set before the data is written, so no memory order of the flag would help.
// $ heddle check race_after_flag.c => error race here
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int started;

void* writer(void* arg) {
  atomic_store_explicit(&started, 1, memory_order_relaxed);
  data = 1;  // here
  return arg;
}

void* reader(void* arg) {
  if (atomic_load_explicit(&started, memory_order_relaxed)) return (void*)(long)data;  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
