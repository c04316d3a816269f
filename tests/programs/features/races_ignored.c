// With --races ignore a plain increment is a read and a write: an update may be lost.
// $ heddle check races_ignored.c => error race here
// $ heddle check --races ignore races_ignored.c => verified
// $ heddle check --races ignore races_ignored.c -- -DSTRICT => error assertion
#include <assert.h>
#include <pthread.h>

static int x;

static void* f(void* arg) {
  ++x;  // here
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(x == 1 || x == 2);
#ifdef STRICT
  assert(x == 2);
#endif
  return 0;
}
