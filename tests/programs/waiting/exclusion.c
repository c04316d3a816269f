// Mutual exclusion by loads and stores, in which a thread takes back that it wants to enter: Burns and Lynch; Burns and
// Lamport; Knuth. Each thread enters once.
// $ heddle check --no-symmetry exclusion.c => verified, 7 executions
// $ heddle check --no-symmetry --model sc exclusion.c => verified, 7 executions
// $ heddle check --algorithm rcmc exclusion.c => verified, 7 executions
// $ heddle check --algorithm await --model sc exclusion.c => verified, 7 executions
// $ heddle check --no-symmetry exclusion.c -- -DLAMPORT => verified, 4 executions
// $ heddle check --algorithm await --model sc exclusion.c -- -DLAMPORT => verified, 4 executions
// $ heddle check --no-symmetry exclusion.c -- -DKNUTH => verified, 20 executions
// $ heddle check --algorithm rcmc exclusion.c -- -DKNUTH => verified, 20 executions
// $ heddle check --algorithm await --model sc exclusion.c -- -DKNUTH => verified, 20 executions
// $ heddle check exclusion.c -- -DWRONG => error race
// $ heddle check exclusion.c -- -DLAMPORT -DWRONG => error race
// $ heddle check exclusion.c -- -DKNUTH -DWRONG => error race
// $ heddle check exclusion.c -- -DORDER=memory_order_relaxed => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 2
#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

static atomic_int wants[N], turn;
static int entered;

#define LOAD(place) atomic_load_explicit(&(place), ORDER)
#define STORE(place, value) atomic_store_explicit(&(place), value, ORDER)

static void enter(int i) {
#if defined KNUTH
again:
  STORE(wants[i], 1);
  for (int j = LOAD(turn); j != i;) j = LOAD(wants[j]) != 0 ? LOAD(turn) : (j + N - 1) % N;
  STORE(wants[i], 2);
#ifndef WRONG
  for (int j = N - 1; j >= 0; --j) {
    if (j != i && LOAD(wants[j]) == 2) goto again;
  }
#endif
  STORE(turn, i);
#elif defined LAMPORT
again:
  STORE(wants[i], 1);
  for (int j = 0; j < i; ++j) {
    if (LOAD(wants[j])) {
      STORE(wants[i], 0);
      while (LOAD(wants[j])) {}
      goto again;
    }
  }
#ifndef WRONG
  for (int j = i + 1; j < N; ++j) {
    while (LOAD(wants[j])) {}
  }
#endif
#else
again:
  STORE(wants[i], 0);
  for (int j = 0; j < i; ++j) {
    if (LOAD(wants[j])) goto again;
  }
  STORE(wants[i], 1);
  for (int j = 0; j < i; ++j) {
    if (LOAD(wants[j])) goto again;
  }
#ifndef WRONG
  for (int j = i + 1; j < N; ++j) {
    while (LOAD(wants[j])) {}
  }
#endif
#endif
}

static void leave(int i) {
#ifdef KNUTH
  STORE(turn, i == 0 ? N - 1 : i - 1);
#endif
  STORE(wants[i], 0);
}

static void* work(void* p) {
  const int i = (int)(long)p;
  enter(i);
  ++entered;
  leave(i);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; ++i) pthread_create(&t[i], 0, work, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(t[i], 0);
  assert(entered == N);
}
