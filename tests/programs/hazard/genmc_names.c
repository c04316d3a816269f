// The same under the names that GenMC's interface has, with hazard pointers in an array.
// $ heddle check genmc_names.c => verified
// $ heddle check genmc_names.c -- -DUNPROTECTED => error memory here
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
  unsigned value;
  _Atomic(struct node*) next;
} node_t;

static node_t* _Atomic top;
static __VERIFIER_hp_t hps[3][2];
static _Thread_local int tid;
static _Thread_local int used;

static __VERIFIER_hp_t* free_hp(void) { return &hps[tid][used++]; }

static void* pop(void* arg) {
  tid = (int)(long)arg;
  __VERIFIER_hp_t* hp = free_hp();
#ifdef UNPROTECTED
  node_t* n = top;
#else
  node_t* n = __VERIFIER_hp_protect(hp, &top);
#endif
  if (n != NULL && atomic_compare_exchange_strong(&top, &n, n->next)) {  // here
    assert(n->value == 42);
    __VERIFIER_hp_retire(n);
  }
  __VERIFIER_hp_clear(hp);
  hp = __VERIFIER_hp_alloc();
  __VERIFIER_hp_free(hp);
  return NULL;
}

int main(void) {
  node_t* n = malloc(sizeof *n);
  n->value = 42;
  atomic_init(&n->next, NULL);
  atomic_init(&top, n);
  pthread_t t[2];
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, pop, (void*)(i + 1));
  for (long i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
