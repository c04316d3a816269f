// The holes of a structure have no value, and nobody minds when it is copied, also if each plain access is an event.
// $ heddle check holes.c => verified
// $ heddle check --races ignore holes.c => verified
// A member is no hole.
// $ heddle check holes.c -- -DUSED=to => error memory here, "uninitialised"
// $ heddle check --races ignore holes.c -- "-DUSED=(*from)" => error memory here, "uninitialised"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct with_hole {
  char tag;
  int number;
  short last;
};
static struct with_hole *from, to;

static void* copy(void* arg) {
  to = *from;
  return arg;
}

int main(void) {
  from = malloc(sizeof *from);
  from->tag = 'a';
  from->number = 7;
#ifndef USED
#define USED to
  from->last = 9;
#endif
  pthread_t t;
  pthread_create(&t, NULL, copy, NULL);
  pthread_join(t, NULL);
  assert(to.tag == 'a' && to.number == 7);
  assert(USED.last == 9);  // here
  free(from);
  return 0;
}
