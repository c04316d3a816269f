// pthread_once runs its function once, and everybody sees what it did.
// $ heddle check once.c => verified
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x;

static void init(void) { x += 42; }

static void* f(void* arg) {
  pthread_once(&once, init);
  assert(x == 42);
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
