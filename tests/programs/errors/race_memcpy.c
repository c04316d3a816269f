// A memcpy reads a struct that another thread is writing.
// $ heddle check race_memcpy.c => error race here
#include <pthread.h>
#include <string.h>

static struct { int a[8]; } from, to;

static void* copy(void* arg) {
  memcpy(&to, &from, sizeof to);  // here
  return arg;
}

static void* write(void* arg) {
  from.a[5] = 1;  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, copy, NULL);
  pthread_create(&b, NULL, write, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
