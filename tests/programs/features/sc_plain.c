// Store buffering with SC accesses that guard plain ones. rcmc passes through executions in which both threads read 0;
// they break the SC axiom, and the race in them is none. What comes behind that race must not be lost: y = 2 may be read.
// $ heddle check --no-symmetry sc_plain.c => verified, 5 executions
// $ heddle check --algorithm rcmc --count-duplicates sc_plain.c => verified, 5 executions
// $ heddle check --algorithm rcmc --no-psc sc_plain.c => verified
// $ heddle check sc_plain.c -- -DCHECK => error assertion
// $ heddle check --algorithm rcmc sc_plain.c -- -DCHECK => error assertion
// $ heddle check --algorithm rcmc --no-psc sc_plain.c -- -DCHECK => error assertion
// $ heddle check --algorithm rcmc --model wrc11 sc_plain.c -- -DCHECK => error assertion
// $ heddle check --algorithm rcmc sc_plain.c -- -DFENCES -DCHECK => error assertion
// Freed memory is another matter.
// $ heddle check --algorithm rcmc sc_plain.c -- -DFREE => exit 2, "use --algorithm spore"
// $ heddle check --no-symmetry sc_plain.c -- -DFREE => verified, 5 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FENCES
#define STORE(x, v) (atomic_store_explicit(x, v, memory_order_relaxed), atomic_thread_fence(memory_order_seq_cst))
#define LOAD(x) atomic_load_explicit(x, memory_order_relaxed)
#else
#define STORE(x, v) atomic_store(x, v)
#define LOAD(x) atomic_load(x)
#endif

static atomic_int x, y;
static int p, r, s;
static int* block;

static void use(void) {
#ifdef FREE
  free(block);
#else
  ++p;
#endif
}

static void* first(void* arg) {
  STORE(&x, 1);
  r = LOAD(&y);
  if (r == 0) use();
  return arg;
}

static void* second(void* arg) {
  STORE(&y, 1);
  s = LOAD(&x);
  if (s == 0) use();
  STORE(&y, 2);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  block = malloc(sizeof *block);
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
#ifdef CHECK
  assert(!(r == 2 && s == 0));
#endif
  return 0;
}
