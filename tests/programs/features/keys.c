// Thread-specific data: one value per thread, null at first, destroyed at the thread's end.
// $ heddle check keys.c => verified, 1 executions
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int destroyed[2];

static void destroy(void* p) {
  destroyed[*(int*)p] = 1;
  free(p);
}

static void* f(void* arg) {
  assert(pthread_getspecific(key) == NULL);
  int* p = malloc(sizeof *p);
  *p = (int)(long)arg;
  pthread_setspecific(key, p);
  assert(*(int*)pthread_getspecific(key) == (int)(long)arg);
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t t, u;
  pthread_create(&t, NULL, f, (void*)0);
  pthread_create(&u, NULL, f, (void*)1);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(destroyed[0] && destroyed[1]);
  pthread_key_delete(key);
  return 0;
}
