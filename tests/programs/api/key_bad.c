// Keys that nobody has created, and more keys than POSIX allows.
// $ heddle check key_bad.c => verified
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <threads.h>

static pthread_key_t keys[PTHREAD_KEYS_MAX];

static void* f(void* arg) {
  pthread_key_t mine;
  assert(pthread_setspecific(12345, arg) == EINVAL);
  assert(pthread_getspecific(12345) == NULL);
  assert(pthread_key_create(&mine, NULL) == 0);
  assert(pthread_setspecific(mine, &mine) == 0);
  assert(pthread_getspecific(mine) == &mine);
  assert(pthread_key_delete(mine) == 0);
  return arg;
}

int main(void) {
  pthread_key_t one_more;
  for (int i = 0; i < PTHREAD_KEYS_MAX; ++i) assert(pthread_key_create(&keys[i], NULL) == 0);
  assert(pthread_key_create(&one_more, NULL) == EAGAIN);
  assert(pthread_key_delete(keys[7]) == 0);
  assert(pthread_key_create(&keys[7], NULL) == 0);
  for (int i = 0; i < PTHREAD_KEYS_MAX; ++i) assert(pthread_key_delete(keys[i]) == 0);
  assert(pthread_setspecific((pthread_key_t)-1, keys) == EINVAL);
  assert(pthread_key_delete((pthread_key_t)-1) == EINVAL);
  assert(tss_set(12345, keys) == thrd_error);
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
