// A thread waits for a lock whose memory is freed meanwhile.
// $ heddle check waits_in_freed.c => error memory
// $ heddle check --model sc waits_in_freed.c => error memory
// $ heddle check --algorithm await --model sc waits_in_freed.c => error memory
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_spinlock_t* lock;
static atomic_int started;

static void* wait(void* arg) {
  atomic_store(&started, 1);
  pthread_spin_lock(lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  lock = malloc(sizeof *lock);
  pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(lock);
  pthread_create(&thread, NULL, wait, NULL);
  heddle_assume(atomic_load(&started));
  free((void*)lock);
  return 0;
}
