// SP-CYC of the SPORE paper: program order, reads-from and coherence form a cycle. Threads that heddle has found to be
// symmetric are explored one by one then; for declared ones it is an error.
// $ heddle check cycle.c => verified
// $ heddle check --verbose cycle.c => exit 0, "no symmetry but what is declared: symmetry reduction is not applicable
// here" $ heddle check --symmetry cycle.c => error symmetry, "form a cycle" $ heddle check cycle.c -- -DDECLARED =>
// error symmetry, "form a cycle" $ heddle check --no-symmetry cycle.c -- -DDECLARED => verified $ heddle check --model
// sc --symmetry cycle.c => verified $ heddle check --model tso --symmetry cycle.c => verified
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void* one(void* arg) {
  (void)atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return arg;
}
static void* twin(void* arg) {
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}
static void* two(void* arg) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, twin, NULL);
#ifdef DECLARED
  t[2] = heddle_spawn_symmetric(twin, NULL, t[1]);
#else
  pthread_create(&t[2], NULL, twin, NULL);
#endif
  pthread_create(&t[3], NULL, two, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  return 0;
}
