// The holes of a structure have no value, and nobody minds if an access of the whole covers them, also when each plain
// access is an event.
// $ heddle check holes.c => verified
// $ heddle check --races ignore holes.c => verified
// But an access to a hole alone reads no value.
// $ heddle check --races ignore holes.c -- -DHOLE => error memory here, "uninitialised"
// $ heddle check holes.c -- -DHOLE => error memory here, "uninitialised"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

union both {
  struct {
    char tag;
    int number;
  } parts;
  char bytes[8];
  uint64_t whole;
};
static union both* shared;

static void* writer(void* arg) {
  shared->parts.tag = 1;
  shared->parts.number = 7;
  return arg;
}

static void* reader(void* arg) {
  const union both copy = *shared;
  assert(copy.parts.tag == 1 && copy.parts.number == 7);
  assert((shared->whole & 0xff) == 1);  // little-endian
#ifdef HOLE
  assert(shared->bytes[2] == 0);  // here
#endif
  return arg;
}

int main(void) {
  pthread_t t, u;
  shared = malloc(sizeof *shared);
  pthread_create(&t, NULL, writer, NULL);
  pthread_join(t, NULL);
  pthread_create(&u, NULL, reader, NULL);
  pthread_join(u, NULL);
  free(shared);
  return 0;
}
