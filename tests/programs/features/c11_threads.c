// <threads.h>: threads with results, mutexes, once, thread-specific storage.
// $ heddle check c11_threads.c => verified
#include <assert.h>
#include <threads.h>

static mtx_t m;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int x, inits;

static void init(void) { ++inits; }

static int f(void* arg) {
  call_once(&once, init);
  tss_set(key, arg);
  mtx_lock(&m);
  ++x;
  mtx_unlock(&m);
  assert(inits == 1);
  assert(tss_get(key) == arg);
  return *(int*)arg;
}

int main(void) {
  assert(mtx_init(&m, mtx_plain) == thrd_success);
  assert(tss_create(&key, NULL) == thrd_success);
  int a = 10, b = 20, ra, rb;
  thrd_t t, u;
  assert(thrd_create(&t, f, &a) == thrd_success);
  assert(thrd_create(&u, f, &b) == thrd_success);
  thrd_join(t, &ra);
  thrd_join(u, &rb);
  assert(ra == 10 && rb == 20 && x == 2);
  mtx_destroy(&m);
  tss_delete(key);
  return 0;
}
