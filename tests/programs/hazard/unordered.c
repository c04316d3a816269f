// Nothing orders the two stores to top, so the protect may read the pointer although the block is retired already.
// $ heddle check unordered.c => error memory, "too late"
// $ heddle check --algorithm rcmc unordered.c => error memory, "too late"
// $ heddle check --algorithm rcmc --model wrc11 unordered.c => error memory, "too late"
// $ heddle check --algorithm rcmc --model wrc11 unordered.c -- -DSWAP => error memory, "too late"
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int* node;
static _Atomic(atomic_int*) top;

static void* link(void* arg) {
  atomic_store_explicit(&top, node, memory_order_relaxed);
  return arg;
}

static void* retire(void* arg) {
  atomic_store_explicit(&top, NULL, memory_order_relaxed);
  heddle_hp_retire(node);
  return arg;
}

static void* use(void* arg) {
  heddle_hp_t hp = {0};
  atomic_int* p = heddle_hp_protect(&hp, &top);
  if (p != NULL) atomic_load(p);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  node = malloc(sizeof *node);
  atomic_init(node, 1);
#ifdef SWAP
  pthread_create(&threads[1], NULL, retire, NULL);
  pthread_create(&threads[0], NULL, link, NULL);
#else
  pthread_create(&threads[0], NULL, link, NULL);
  pthread_create(&threads[1], NULL, retire, NULL);
#endif
  pthread_create(&threads[2], NULL, use, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
