// The examples of optimal-dpor-await (FMCAD 2022, §II and III), as loops.
//
// Fig. 1: two threads sort three numbers in turn. With awaits, all executions are in one class (§I). Without, q finds y
// too early (0, and p then finds its own 1 only), or p does (1), or neither.
// $ heddle check --algorithm await --model sc figures.c -- -DFIGURE=1 => verified, 1 executions, 0 blocked
// $ heddle check --algorithm await --model sc --no-await figures.c -- -DFIGURE=1 => verified, 1 executions, 2 blocked
// $ heddle check --algorithm await --model sc figures.c -- -DFIGURE=1 -DNO_SIGNAL => error livelock
//
// Fig. 2: one trace with an await (c); two with an assume, of which one is blocked (b).
// $ heddle check --algorithm await --model sc figures.c -- -DFIGURE=2 => verified, 1 executions, 0 blocked
// $ heddle check --algorithm await --model sc --no-await figures.c -- -DFIGURE=2 => verified, 1 executions, 1 blocked
// $ heddle check --algorithm await --model sc --no-purity figures.c -- -DFIGURE=2 => verified, 1 executions, 0 blocked
//
// Fig. 3: four executions, one for each final value of x and y.
// $ heddle check --algorithm await --model sc figures.c -- -DFIGURE=3 => verified, 4 executions, 0 blocked
// $ heddle check --algorithm await --model sc --no-await --no-purity --no-commute figures.c -- -DFIGURE=3 => verified, 4 executions, 0 blocked
//
// Fig. 4: the await has two writes that satisfy it, so there are two traces. With an assume it may also find the 1.
// $ heddle check --algorithm await --model sc figures.c -- -DFIGURE=4 => verified, 2 executions, 0 blocked
// $ heddle check --algorithm await --model sc --no-await figures.c -- -DFIGURE=4 => verified, 2 executions, 1 blocked
//
// Fig. 5: only r alone lets s go on; else s waits for ever. The paper explores both. Without independent
// fetch-and-adds, p and q come after s in either order.
// $ heddle check --algorithm await --model sc figures.c -- -DFIGURE=5 => error livelock
// $ heddle check --algorithm await --model sc --keep-going figures.c -- -DFIGURE=5 => error livelock, 1 executions, 0 blocked
// $ heddle check --algorithm await --model sc --keep-going --no-commute figures.c -- -DFIGURE=5 => error livelock, 2 executions, 0 blocked
//
// Fig. 6: a round is pure if a > 4. The paper says of it where the assume goes, and no number. It goes after the load
// of x. Ours waits in the load of y, since a load that is left out might have failed; so an execution in which x was
// read too early ends there.
// $ heddle check --algorithm await --model sc figures.c -- -DFIGURE=6 => verified, 1 executions, 1 blocked
// $ heddle check --algorithm await --model sc --no-purity figures.c -- -DFIGURE=6 => verified, 1 executions, 1 blocked
// $ heddle check --algorithm await --model sc --no-await figures.c -- -DFIGURE=6 => verified, 1 executions, 1 blocked
// $ heddle check --algorithm await --model sc figures.c -- -DFIGURE=6 -DNO_SIGNAL => error livelock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

#if FIGURE == 1
static int element[3] = {3, 2, 1};

static void sort(int i, int j) {
  if (element[i] <= element[j]) return;
  const int other = element[i];
  element[i] = element[j];
  element[j] = other;
}
static void* p(void* unused) {
  sort(0, 1);
  atomic_store(&y, 1);
  while (atomic_load(&y) != 2) {
  }
  sort(0, 1);
  return unused;
}
static void* q(void* unused) {
  while (atomic_load(&y) != 1) {
  }
  sort(1, 2);
#ifndef NO_SIGNAL
  atomic_store(&y, 2);
#endif
  return unused;
}
static void check(void) { assert(element[0] == 1 && element[1] == 2 && element[2] == 3); }
#define THREADS p, q

#elif FIGURE == 2
static void* p(void* unused) {
  int a;
  do {
    a = atomic_load(&x);
  } while (a != 1);
  atomic_store(&y, a);
  return unused;
}
static void* q(void* unused) {
  atomic_store(&x, 1);
  return unused;
}
static void check(void) { assert(y == 1); }
#define THREADS p, q

#elif FIGURE == 3
static void* p(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&y, 1);
  return unused;
}
static void* q(void* unused) {
  atomic_store(&x, 2);
  atomic_store(&y, 2);
  return unused;
}
static void check(void) { assert(x != 0 && y != 0); }
#define THREADS p, q

#elif FIGURE == 4
static void* p(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 0);
  return unused;
}
static void* q(void* unused) {
  while (atomic_load(&x) != 0) {
  }
  atomic_store(&y, 1);
  return unused;
}
static void check(void) { assert(y == 1); }
#define THREADS p, q

#elif FIGURE == 5
static void* p(void* unused) {
  atomic_fetch_add(&x, 1);
  return unused;
}
static void* q(void* unused) {
  atomic_fetch_add(&x, 1);
  return unused;
}
static void* r(void* unused) {
  atomic_fetch_add(&x, 3);
  return unused;
}
static void* s(void* unused) {
  while (atomic_load(&x) != 3) {
  }
  return unused;
}
static void check(void) { assert(x == 5); }
#define THREADS p, q, r, s

#elif FIGURE == 6
static void* p(void* unused) {
  int a, b;
  do {
    a = atomic_load(&x);
    b = atomic_load(&y);
    if (a == 4) atomic_store(&z, b);
  } while (a >= 4);
  return unused;
}
static void* q(void* unused) {
#ifndef NO_SIGNAL
  atomic_store(&x, 3);
#endif
  return unused;
}
static void check(void) { assert(z == 0); }
#define THREADS p, q
#endif

int main(void) {
  static void* (*const functions[])(void*) = {THREADS};
  enum { N = sizeof functions / sizeof functions[0] };
  pthread_t t[N];
  (void)z;
#if FIGURE == 6
  x = 5;
#endif
  for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, functions[i], 0);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  check();
  return 0;
}
