// Recursion with visible actions at each depth.
// $ heddle check recursion.c => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static int down(int n) { return n == 0 ? 0 : 1 + (atomic_fetch_add(&x, 1) >= 0) * down(n - 1); }

static void* f(void* arg) {
  assert(down(3) == 3);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, f, NULL);
  pthread_create(&b, NULL, f, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
