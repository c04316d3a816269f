// Aravind's mutual exclusion: who came first is known by dates, and a thread that meets another one steps back. The two
// loops wait, one inside of the other.
// $ heddle check aravind.c => verified
// $ heddle check aravind.c --model sc --algorithm await => verified
// $ heddle check aravind.c --algorithm rcmc => verified
// $ heddle check aravind.c -- -DORDER=memory_order_release => error race
// $ heddle check aravind.c -- -DNO_STAGE => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif
#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

static atomic_bool competes[N], is_ahead[N];
static atomic_int date[N];
static int inside;

static bool somebody_is_before(int me) {
  for (int j = 0; j < N; j++) {
    if (j == me || !atomic_load(&competes[j])) continue;
    if (atomic_load(&date[j]) < atomic_load(&date[me]) || atomic_load(&is_ahead[j])) return true;
  }
  return false;
}

static bool somebody_is_ahead(int me) {
#ifndef NO_STAGE
  for (int j = 0; j < N; j++) {
    if (j != me && atomic_load(&is_ahead[j])) return true;
  }
#endif
  return false;
}

static void* run(void* arg) {
  const int me = (int)(long)arg;
  atomic_store(&competes[me], true);
  do {
    atomic_store_explicit(&is_ahead[me], false, ORDER);
    while (somebody_is_before(me)) {
    }
    atomic_store_explicit(&is_ahead[me], true, ORDER);
  } while (somebody_is_ahead(me));
  inside++;
  int last = 0;
  for (int j = 0; j < N; j++) {
    const int other = atomic_load(&date[j]);
    if (other > last) last = other;
  }
  atomic_store(&date[me], last + 1);
  atomic_store(&is_ahead[me], false);
  atomic_store(&competes[me], false);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) atomic_store(&date[i], i);
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, run, (void*)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  assert(inside == N);
  return 0;
}
