// A waiting loop reads y in rounds that change nothing, and not in the last one. What its thread tells after the loop,
// in a relaxed access, lets another one write to y, or free it, in no order with those reads: a race, though the rounds
// are left out.
// $ heddle check lost_race.c => error race, "data race on y"
// $ heddle check --no-await --no-purity lost_race.c => error race
// $ heddle check --algorithm rcmc lost_race.c => error race
// $ heddle check --model sc lost_race.c => error race
// $ heddle check --algorithm await --model sc lost_race.c => error race
// $ heddle check --algorithm rvf --model sc lost_race.c => error race
// $ heddle check lost_race.c -- -DFREED => error memory
// $ heddle check --no-await --no-purity lost_race.c -- -DFREED => error memory
// The thread stops at the end of a round, and not in a read.
// $ heddle check lost_race.c -- -DROUND => error race
// In order: no race.
// $ heddle check lost_race.c -- -DORDERED => verified, 2 executions
// $ heddle check lost_race.c -- -DORDERED -DFREED => verified, 2 executions
// $ heddle check --model ra lost_race.c => verified, 2 executions
// Other memory than the rounds read.
// $ heddle check lost_race.c -- -DOTHER => verified, 2 executions
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, gone;
static int other = 1;
#ifdef FREED
static atomic_int* place;
#define y (*place)
#else
static atomic_int y;
#endif

#ifdef ORDERED
#define TELL memory_order_release
#else
#define TELL memory_order_relaxed
#endif

static void* one(void* p) {
  atomic_store(&x, 1);
  if (!atomic_load_explicit(&gone, memory_order_acquire)) return p;
#if defined FREED
  free(place);
#elif defined OTHER
  other = 5;
#else
  atomic_init(&y, 5);
#endif
  return p;
}
#ifdef ROUND
static int look(void) { return atomic_load(&y); }
static int (*volatile looks)(void) = look;
#endif
static void* two(void* p) {
  while (atomic_load(&x) != 1) {
#if defined ROUND
    if (looks() == 7) break;
#else
    if (atomic_load(&y) == 7) break;
#endif
  }
  atomic_store_explicit(&gone, 1, TELL);
  return p;
}

int main(void) {
  pthread_t a, b;
#ifdef FREED
  place = calloc(1, sizeof *place);
#endif
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
