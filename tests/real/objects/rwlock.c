// Readers-writer locks of pthread.h. Unlocked by somebody else, locked for reading to write, destroyed while held.
// $ heddle check rwlock.c => verified
// $ heddle check --model sc rwlock.c => verified
// $ heddle check --model tso rwlock.c => verified
// $ heddle check --algorithm await --model sc rwlock.c => verified
// $ heddle check rwlock.c -- -DNOT_HELD => error mutex, "does not hold"
// $ heddle check --model sc rwlock.c -- -DNOT_HELD => error mutex, "does not hold"
// $ heddle check --algorithm await --model sc rwlock.c -- -DNOT_HELD => error mutex, "does not hold"
// $ heddle check rwlock.c -- -DREAD_TO_WRITE => error race
// $ heddle check --model sc rwlock.c -- -DREAD_TO_WRITE => error race
// $ heddle check --algorithm await --model sc rwlock.c -- -DREAD_TO_WRITE => error race
// $ heddle check rwlock.c -- -DHELD => error mutex, "while it is held"
// $ heddle check --model sc rwlock.c -- -DHELD => error mutex, "while it is held"
// $ heddle check --algorithm await --model sc rwlock.c -- -DHELD => error mutex, "while it is held"
// $ heddle check rwlock.c -- -DUPGRADE => error deadlock
// $ heddle check --model sc rwlock.c -- -DUPGRADE => error deadlock
// $ heddle check --algorithm await --model sc rwlock.c -- -DUPGRADE => error deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void* writer(void* arg) {
  (void)arg;
#ifdef READ_TO_WRITE
  pthread_rwlock_rdlock(&l);
#else
  pthread_rwlock_wrlock(&l);
  assert(pthread_rwlock_rdlock(&l) == EDEADLK);
#endif
  a = b = 1;
  pthread_rwlock_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
#ifdef NOT_HELD
  pthread_rwlock_unlock(&l);
#endif
  pthread_rwlock_rdlock(&l);
  assert(pthread_rwlock_tryrdlock(&l) == 0);  // again
  assert(a == b && pthread_rwlock_trywrlock(&l) == EBUSY);
  pthread_rwlock_unlock(&l);
#ifdef UPGRADE
  pthread_rwlock_wrlock(&l);
#endif
#ifndef HELD
  pthread_rwlock_unlock(&l);
#endif
#ifdef HELD
  pthread_rwlock_destroy(&l);
#endif
  pthread_join(t, NULL);
  pthread_rwlock_destroy(&l);
}
