// The deletion of a key and the end of a thread that has a value for it: in either order.
// $ heddle check key_delete_order.c => error assertion here
// $ heddle check key_delete_order.c -- -DJOIN_FIRST => verified, 1 executions
// $ heddle check key_delete_order.c -- -DDELETE_FIRST => verified, 1 executions
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void* p) { atomic_store((atomic_int*)p, 1); }

static void* f(void* arg) {
#ifdef DELETE_FIRST
  assert(pthread_setspecific(key, &destroyed) == EINVAL);
  assert(pthread_getspecific(key) == NULL);
#else
  pthread_setspecific(key, &destroyed);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destroy);
#ifdef DELETE_FIRST
  assert(pthread_setspecific(key, &key) == 0);
  assert(pthread_key_delete(key) == 0);
  assert(pthread_getspecific(key) == NULL);
#endif
  pthread_create(&t, NULL, f, NULL);
#ifdef JOIN_FIRST
  pthread_join(t, NULL);
  assert(pthread_key_delete(key) == 0);
  assert(destroyed == 1);
#elif defined DELETE_FIRST
  pthread_join(t, NULL);
#else
  pthread_key_delete(key);
  pthread_join(t, NULL);
  assert(destroyed == 0);  // here
#endif
  assert(pthread_key_delete(key) == EINVAL);
  return 0;
}
