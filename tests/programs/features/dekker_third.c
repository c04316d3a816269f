// Dekker's entry with SC accesses: at most one of two threads gets in, so n needs no atomics. Executions in which both
// get in break the SC axiom; rcmc meets them all the same, and the races in them are none. With WIN a third thread opens
// the door, and they are real.
// $ heddle check --no-symmetry dekker_third.c => verified, 75 executions
// $ heddle check --no-symmetry dekker_third.c -- -DFIRST => verified, 75 executions
// $ heddle check --algorithm rcmc --count-duplicates dekker_third.c => verified, 75 executions
// $ heddle check --algorithm rcmc --count-duplicates dekker_third.c -- -DFIRST => verified, 75 executions
// $ heddle check --algorithm rcmc --model wrc11 dekker_third.c => verified
// $ heddle check --algorithm rcmc --no-psc dekker_third.c => verified
// $ heddle check --algorithm rcmc --no-psc dekker_third.c -- -DWIN -DFIRST => error race
// $ heddle check dekker_third.c -- -DWIN => error race
// $ heddle check --algorithm rcmc dekker_third.c -- -DWIN => error race
// $ heddle check --algorithm rcmc dekker_third.c -- -DWIN -DFIRST => error race
// $ heddle check --algorithm rcmc --model wrc11 dekker_third.c -- -DWIN -DFIRST => error race
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int n, m[8];

static void* first(void* arg) {
  atomic_store(&x, 1);
  if (!atomic_load(&y)) {
    ++n;
    m[n & 7]++;
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    n += 2;
  }
  atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
  return arg;
}

static void* second(void* arg) {
  atomic_store(&y, 1);
  if (!atomic_load(&x)) {
    n += 5;
    atomic_load_explicit(&z, memory_order_relaxed);
    --n;
  }
  atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
  return arg;
}

static void* third(void* arg) {
#ifdef WIN
  atomic_store(&y, 0);
#else
  atomic_store(&y, 2);
  atomic_load_explicit(&z, memory_order_relaxed);
#endif
  return arg;
}

int main(void) {
  pthread_t threads[3];
#ifdef FIRST
  pthread_create(&threads[2], NULL, third, NULL);
#endif
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
#ifndef FIRST
  pthread_create(&threads[2], NULL, third, NULL);
#endif
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
