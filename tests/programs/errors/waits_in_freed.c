// A thread waits for a mutex whose memory is freed meanwhile.
// $ heddle check waits_in_freed.c => error memory
// $ heddle check --model sc waits_in_freed.c => error memory
// $ heddle check --algorithm await --model sc waits_in_freed.c => error memory
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t* mutex;
static atomic_int started;

static void* wait(void* arg) {
  atomic_store(&started, 1);
  pthread_mutex_lock(mutex);
  return arg;
}

int main(void) {
  pthread_t thread;
  mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, NULL);
  pthread_mutex_lock(mutex);
  pthread_create(&thread, NULL, wait, NULL);
  heddle_assume(atomic_load(&started));
  free(mutex);
  return 0;
}
