// Threads that threads create share their parent's part of memory. Each block is known to be of its thread, also the first
// one of the third child, whose part does not begin at a round number of pages.
// $ heddle check grandchildren.c => verified
// $ heddle check grandchildren.c -- -DTWICE => error memory here
// $ heddle check grandchildren.c -- -DTWICE -DWHICH=1 => error memory here
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef WHICH
#define WHICH 2
#endif

enum { N = 5 };
static int* block[N];

static void* grandchild(void* place) {
  int** const mine = place;
  *mine = malloc(sizeof **mine);
  **mine = (int)(mine - block);
  return NULL;
}

static void* child(void* unused) {
  pthread_t t[N];
  for (int i = 0; i < N; ++i) pthread_create(&t[i], NULL, grandchild, &block[i]);
  for (int i = 0; i < N; ++i) pthread_join(t[i], NULL);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, child, NULL);
  pthread_join(t, NULL);
  for (int i = 0; i < N; ++i) {
    assert(*block[i] == i);
    free(block[i]);
  }
#ifdef TWICE
  free(block[WHICH]);  // here
#endif
}
