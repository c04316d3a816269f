// How often a race was met is counted in the last exploration: not before, if the rounds of a loop were bounded more
// tightly, or where an exploration on several cores had to start again.
// $ heddle check --format text --suppress made_up.supp met.c => exit 0, "met 2 times"
// $ heddle check --format text --suppress made_up.supp met.c --jobs 1 => exit 0, "met 2 times"
// $ heddle check --format text --suppress made_up.supp met.c -- -DROUNDS=3 => exit 0, "met 2 times"
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 40
#endif

static atomic_int left = ROUNDS;
static int statistic;

static void* write(void* arg) {
  statistic = 1;
  return arg;
}
static void* read(void* arg) { return statistic ? arg : 0; }

static void* take(void* arg) {
  while (atomic_fetch_sub(&left, 1) > 0) {
  }
  return arg;
}
static void* give(void* arg) {
  atomic_fetch_add(&left, 1);
  return arg;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, write, 0);
  pthread_create(&t[1], 0, read, 0);
  pthread_create(&t[2], 0, take, 0);
  pthread_create(&t[3], 0, give, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
}
