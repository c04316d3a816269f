// What must not be done with hazard pointers.
// $ heddle check misuse.c -- -DWRONG=0 => verified
// $ heddle check misuse.c -- -DWRONG=1 => error memory here, "not the start of a heap block"
// $ heddle check misuse.c -- -DWRONG=2 => error memory here, "not the start of a heap block"
// $ heddle check misuse.c -- -DWRONG=3 => error memory here, "not the start of a heap block"
// $ heddle check misuse.c -- -DWRONG=4 => error memory here, "double retire"
// $ heddle check misuse.c -- -DWRONG=5 => error memory here, "which is retired"
// $ heddle check misuse.c -- -DWRONG=6 => error memory here, "was freed before"
// $ heddle check misuse.c -- -DWRONG=7 => error memory here, "heddle_hp_alloc did not return"
// $ heddle check misuse.c -- -DWRONG=8 => error memory here, "freed"
// $ heddle check misuse.c -- -DWRONG=9 => error memory here, "is retired"
// $ heddle check misuse.c -- -DWRONG=10 => error race here
// $ heddle check misuse.c -- -DWRONG=11 => error memory here, "double retire"
// $ heddle check misuse.c -- -DWRONG=12 => error memory here, "protects memory for"
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int variable;
static _Atomic(int*) shared;
static heddle_hp_t hp;
static atomic_int flag;

static void* thread(void* arg) {
#if WRONG == 10
  heddle_hp_protect(&hp, &shared);  // here
#elif WRONG == 11
  heddle_hp_retire(atomic_load(&shared));  // here
#elif WRONG == 12 || WRONG == 0
  heddle_hp_protect(&hp, &shared);
  atomic_store(&flag, 1);
#endif
  return arg;
}

static void local_pointer(void) {
  heddle_hp_t local = {0};
  *heddle_hp_protect(&local, &shared) = 1;
}

int main(void) {
  int* p = calloc(2, sizeof *p);
  atomic_store(&shared, p);
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  (void)local_pointer;
#if WRONG == 1
  heddle_hp_retire(p + 1);  // here
#elif WRONG == 2
  heddle_hp_retire(&variable);  // here
#elif WRONG == 3
  heddle_hp_retire(NULL);  // here
#elif WRONG == 4
  heddle_hp_retire(p);
  heddle_hp_retire(p);  // here
#elif WRONG == 5
  heddle_hp_retire(p);
  free(p);  // here
#elif WRONG == 6
  free(p);
  heddle_hp_retire(p);  // here
#elif WRONG == 7
  heddle_hp_free(&hp);  // here
#elif WRONG == 8
  heddle_hp_t* q = heddle_hp_alloc();
  heddle_hp_free(q);
  heddle_hp_protect(q, &shared);  // here
#elif WRONG == 9
  local_pointer();
  heddle_hp_retire(p);
  *p = 1;  // here
#elif WRONG == 10
  heddle_hp_clear(&hp);  // here
#elif WRONG == 11
  heddle_hp_retire(p);  // here
#elif WRONG == 12
  if (atomic_load(&flag)) heddle_hp_clear(&hp);  // here
#elif WRONG == 0
  pthread_join(t, NULL);
  heddle_hp_protect(&hp, &shared);
  heddle_hp_clear(&hp);
  return 0;
#endif
  pthread_join(t, NULL);
  return variable;
}
