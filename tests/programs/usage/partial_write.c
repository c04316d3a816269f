// A plain write to a part of an atomic variable is no mixed-size atomic access, but is refused too.
// $ heddle check partial_write.c => exit 2, "a plain write to a part of what is used atomically is not supported"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* f(void* arg) {
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  *(char*)&x = 2;
  return 0;
}
