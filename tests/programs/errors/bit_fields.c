// Bit-fields that share their storage are one memory location: who writes one of them reads and writes all.
// $ heddle check bit_fields.c => error race here, "data race on flags.{a, b}, bit-fields of one memory location: "
// $ heddle check bit_fields.c -- -DAPART => verified
#include <pthread.h>

struct {
  unsigned a : 1;
#ifdef APART
  unsigned : 0;
#endif
  unsigned b : 1;
  unsigned char c;
} flags;

void* left(void* arg) {
  flags.a = 1;  // here
  return arg;
}

void* right(void* arg) {
  flags.b = 1;  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
