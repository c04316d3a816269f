// Memory with an alignment that there is none of.
// $ heddle check aligned.c => verified, "asks for an alignment of 24, which is no power of two: it gets none"
// $ heddle check aligned.c -- -DHUGE_FILL => error memory here
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int x;
static void* run(void* arg) {
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  volatile size_t align = 24;
  void* p = 0;
  assert(aligned_alloc(align, 48) == 0 && errno == EINVAL);
  assert(posix_memalign(&p, align, 48) == EINVAL);
#ifdef HUGE_FILL
  volatile size_t size = (size_t)1 << 45;
  memset(malloc(8), 0, size);  // here
#endif
  pthread_join(t, 0);
}
