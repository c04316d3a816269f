// Two threads delete the same key: one of them is told that it is not there any more.
// $ heddle check key_concurrent.c => verified, 2 executions
// $ heddle check --no-symmetry --model sc key_concurrent.c => verified, 2 executions
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_key_t key;
static int status[2];

static void* f(void* arg) {
  status[(long)arg] = pthread_key_delete(key);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_key_create(&key, NULL);
  pthread_create(&t, NULL, f, (void*)0);
  pthread_create(&u, NULL, f, (void*)1);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert((status[0] == 0 && status[1] == EINVAL) || (status[0] == EINVAL && status[1] == 0));
  return 0;
}
