// A version is copied, changed and put in the place of the old one, unless somebody was faster: then the copy is thrown
// away, and the round has changed nothing: one execution for each order of the threads. --no-retries follows it.
// $ heddle check copy_on_write.c => verified, 2 executions
// $ heddle check --model sc copy_on_write.c => verified, 2 executions
// $ heddle check --model tso copy_on_write.c => verified, 2 executions
// $ heddle check --model ra copy_on_write.c => verified, 2 executions
// $ heddle check --algorithm rcmc copy_on_write.c => verified, 2 executions
// $ heddle check --algorithm await --model sc copy_on_write.c => verified, 2 executions
// $ heddle check copy_on_write.c -- -DWEAK => error race
// $ heddle check --algorithm rcmc copy_on_write.c -- -DWEAK => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

struct version {
  int a, b;
};
static _Atomic(struct version*) current;

static void update(int amount) {
  for (;;) {
    struct version* old = atomic_load_explicit(&current, memory_order_acquire);
    struct version* mine = malloc(sizeof *mine);
    mine->a = old->a - amount;
    mine->b = old->b + amount;
    if (atomic_compare_exchange_weak_explicit(&current, &old, mine, RELEASE, memory_order_relaxed)) return;
    free(mine);
  }
}

static void* worker(void* arg) {
  update((int)(long)arg);
  return 0;
}

int main(void) {
  pthread_t t, u;
  struct version first = {9, 0};
  atomic_init(&current, &first);
  pthread_create(&t, 0, worker, (void*)1);
  pthread_create(&u, 0, worker, (void*)2);
  struct version* v;
  while ((v = atomic_load_explicit(&current, memory_order_acquire))->b != 3) assert(v->a + v->b == 9);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
