// Spin locks, barriers and semaphores of pthread.h.
// $ heddle check spin_barrier.c => verified
// $ heddle check --model sc spin_barrier.c => verified
// $ heddle check --model tso spin_barrier.c => verified
// $ heddle check --algorithm await --model sc spin_barrier.c => verified
// $ heddle check spin_barrier.c -- -DSPIN => error race
// $ heddle check --model sc spin_barrier.c -- -DSPIN => error race
// $ heddle check --algorithm await --model sc spin_barrier.c -- -DSPIN => error race
// $ heddle check spin_barrier.c -- -DBARRIER => error deadlock
// $ heddle check --model sc spin_barrier.c -- -DBARRIER => error deadlock
// $ heddle check --algorithm await --model sc spin_barrier.c -- -DBARRIER => error deadlock
// $ heddle check spin_barrier.c -- -DSEMAPHORE => error deadlock
// $ heddle check --model sc spin_barrier.c -- -DSEMAPHORE => error deadlock
// $ heddle check --algorithm await --model sc spin_barrier.c -- -DSEMAPHORE => error deadlock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_spinlock_t spin;
static pthread_barrier_t meet;
static sem_t free_places;
static int n, last;

static void* work(void* arg) {
  (void)arg;
#ifndef SPIN
  pthread_spin_lock(&spin);
#endif
  ++n;
#ifndef SPIN
  pthread_spin_unlock(&spin);
#endif
  if (pthread_barrier_wait(&meet) == PTHREAD_BARRIER_SERIAL_THREAD) ++last;
  sem_wait(&free_places);
#ifndef SEMAPHORE
  sem_post(&free_places);
#endif
  return NULL;
}

int main(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
#ifdef BARRIER
  pthread_barrier_init(&meet, NULL, 3);
#else
  pthread_barrier_init(&meet, NULL, 2);
#endif
  sem_init(&free_places, 0, 1);
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  int value;
  assert(sem_getvalue(&free_places, &value) == 0 && value == 1 && n == 2 && last == 1);
  pthread_barrier_destroy(&meet);
  pthread_spin_destroy(&spin);
  sem_destroy(&free_places);
}
