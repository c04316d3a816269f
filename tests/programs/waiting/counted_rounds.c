// Loops that look like counted spins and must be followed round by round, because somebody wants to know the count; and
// some in which nobody does.
// The count is printed, returned or compared with a number in the middle: each is possible.
// $ heddle check counted_rounds.c -- -DUSED => verified
// $ heddle check counted_rounds.c -- -DUSED -DNOT=0 => error assertion
// $ heddle check counted_rounds.c -- -DUSED -DNOT=1 => error assertion
// $ heddle check counted_rounds.c -- -DUSED -DNOT=2 => error assertion
// $ heddle check counted_rounds.c -- -DUSED -DNOT=3 => error assertion
// $ heddle check --model sc counted_rounds.c -- -DUSED -DNOT=2 => error assertion
// $ heddle check --model tso counted_rounds.c -- -DUSED -DNOT=1 => error assertion
// $ heddle check --algorithm rcmc counted_rounds.c -- -DUSED -DNOT=2 => error assertion
// $ heddle check --algorithm await --model sc counted_rounds.c -- -DUSED -DNOT=2 => error assertion
// The counter lives in memory that others see:
// $ heddle check counted_rounds.c -- -DSHARED => verified
// $ heddle check counted_rounds.c -- -DSHARED -DNOT=1 => error assertion
// $ heddle check counted_rounds.c -- -DSHARED -DNOT=2 => error assertion
// $ heddle check --model sc counted_rounds.c -- -DSHARED -DNOT=3 => error assertion
// It decides what a round does:
// $ heddle check counted_rounds.c -- -DDECIDES => verified
// $ heddle check counted_rounds.c -- -DDECIDES -DNOT=1 => error assertion
// $ heddle check --model sc counted_rounds.c -- -DDECIDES -DNOT=1 => error assertion
// Some rounds change something. The thread adds twice and looks once:
// $ heddle check counted_rounds.c -- -DMIXED => verified
// $ heddle check counted_rounds.c -- -DMIXED -DNOT=1 => error assertion
// $ heddle check counted_rounds.c -- -DMIXED -DNOT=2 => error assertion
// $ heddle check --model sc counted_rounds.c -- -DMIXED -DNOT=2 => error assertion
// $ heddle check --algorithm await --model sc counted_rounds.c -- -DMIXED -DNOT=2 => error assertion
// The same where a round is skipped before it shows that others change something:
// $ heddle check --verbose counted_rounds.c -- -DMIXED -DMAIN_LOOKS => verified, "each of its rounds is followed"
// $ heddle check counted_rounds.c -- -DMIXED -DMAIN_LOOKS -DNOT=1 => error assertion
// $ heddle check counted_rounds.c -- -DMIXED -DMAIN_LOOKS -DNOT=2 => error assertion
// $ heddle check counted_rounds.c -- -DMIXED -DMAIN_LOOKS -DNOT=3 => error assertion
// $ heddle check --model tso counted_rounds.c -- -DMIXED -DMAIN_LOOKS -DNOT=2 => error assertion
// $ heddle check --algorithm rcmc counted_rounds.c -- -DMIXED -DMAIN_LOOKS -DNOT=2 => error assertion
// $ heddle check --algorithm await --model sc counted_rounds.c -- -DMIXED -DMAIN_LOOKS -DNOT=2 => error assertion
// A round of two reads may have seen what never was, so it cannot be repeated at will. Here the first read comes before
// both writes and the second after them, and that happens once.
// $ heddle check --model sc counted_rounds.c -- -DTORN => verified
// $ heddle check --algorithm await --model sc counted_rounds.c -- -DTORN => verified
// Only whether the loop ran out counts:
// $ heddle check counted_rounds.c -- -DEXITS => verified, 2 executions
// $ heddle check counted_rounds.c -- -DEXITS -DNOT=0 => error assertion
// $ heddle check counted_rounds.c -- -DEXITS -DNOT=1 => error assertion
// $ heddle check --model sc counted_rounds.c -- -DEXITS -DNOT=1 => error assertion
// $ heddle check --algorithm rcmc counted_rounds.c -- -DEXITS -DNOT=1 => error assertion
// $ heddle check --algorithm await --model sc counted_rounds.c -- -DEXITS -DNOT=1 => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef NOT
#define NOT 77
#endif

static atomic_int flag, other, shared_count;
static int outcome;

#ifdef USED
static int spin(void) {
  int i;
  for (i = 0; i < 3 && !atomic_load(&flag); ++i) {
  }
  return i;
}
#endif
#ifdef SHARED
static int spin(void) {
  for (atomic_store(&shared_count, 0); atomic_load(&shared_count) < 3 && !atomic_load(&flag);)
    atomic_fetch_add(&shared_count, 1);
  return atomic_load(&shared_count);
}
#endif
#ifdef DECIDES
static int spin(void) {
  for (int i = 0; i < 4 && !atomic_load(&flag); ++i) {
    if (i == 2) return 1;
  }
  return 0;
}
#endif
#ifdef MIXED
static int spin(void) {
  for (int i = 0; i < 3; ++i) {
    const int seen = atomic_load(&flag);
    if (seen == 2) return 0;
    if (seen) atomic_fetch_add(&other, 1);
  }
  return atomic_load(&other);
}
#endif
#ifdef TORN
static int spin(void) {
  for (int i = 0; i < 3; ++i) {
    const int first = atomic_load(&flag), second = atomic_load(&other);
    if (first == 1 || second == 0) return 0;
  }
  return NOT;
}
#endif
#ifdef EXITS
static int spin(void) {
  unsigned long i = 0;
  while (i < 1000000 && !atomic_load(&flag)) i++;
  return i == 1000000;
}
#endif

static void* look(void* arg) {
  outcome = spin();
  return arg;
}

static void* set(void* arg) {
  atomic_store(&flag, 1);
#ifdef TORN
  atomic_store(&other, 1);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
#ifdef MAIN_LOOKS
  pthread_create(&t, 0, set, 0);
  look(0);
#else
  pthread_create(&t, 0, look, 0);
  set(0);
#endif
  pthread_join(t, 0);
  assert(outcome != NOT);
  return 0;
}
