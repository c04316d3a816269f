// Two threads exchange 16-byte values: a reader sees a whole value, never half of one.
// $ heddle check wide.c -- -mcx16 => verified
#include <assert.h>
#include <pthread.h>

struct pair {
  long first, second;
};
static _Atomic struct pair x;

static void* writer(void* arg) {
  const struct pair p = {7, 7};
  __c11_atomic_store(&x, p, __ATOMIC_RELEASE);
  return arg;
}

static void* reader(void* arg) {
  const struct pair p = __c11_atomic_load(&x, __ATOMIC_ACQUIRE);
  assert(p.first == p.second);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
