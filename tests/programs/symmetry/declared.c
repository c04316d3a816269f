// Declared symmetry: the arguments differ, but that does not matter.
// $ heddle check declared.c => verified, 1 executions
// $ heddle check --no-symmetry declared.c => verified, 6 executions
// $ heddle check declared.c -- -DGENMC => verified, 1 executions
// $ heddle check declared.c -- -DNOT_DIRECTLY => error annotation, "created directly after the thread"
// $ heddle check declared.c -- -DNOT_LAST => error annotation, "created directly after the thread"
// $ heddle check declared.c -- -DOTHER_FUNCTION => error annotation, "must run the same function"
// $ heddle check declared.c -- -DNOBODY => error annotation, "does not exist"
// $ heddle check --no-symmetry declared.c -- -DNOBODY => verified, 6 executions
#include <genmc.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static long mine[3];

static void* work(void* arg) {
  mine[(long)arg] = 1;
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}
static void* other(void* arg) { return work(arg); }

#ifdef GENMC
#define spawn __VERIFIER_spawn_symmetric
#define join __VERIFIER_join_symmetric
#else
#define spawn heddle_spawn_symmetric
#define join heddle_join_symmetric
#endif

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, work, (void*)0);
#ifdef NOT_DIRECTLY
  (void)atomic_load(&x);
#endif
#ifdef NOBODY
  t[1] = spawn(work, (void*)1, 99);
#else
  t[1] = spawn(work, (void*)1, t[0]);
#endif
#ifdef NOT_LAST
  t[2] = spawn(work, (void*)2, t[0]);
#elif defined OTHER_FUNCTION
  t[2] = spawn(other, (void*)2, t[1]);
#else
  t[2] = spawn(work, (void*)2, t[1]);
#endif
  (void)other;
  for (int i = 0; i < 3; ++i) join(t[i]);
  return 0;
}
