// Multiset(N), appendix H.1: (N + 1) / 2 threads put a value each, N / 2 threads take one. In the end what was taken
// and what is left is what was put.
#include "container.h"

#define PUTS ((N + 1) / 2)

static unsigned input[N + 1], output[N + 1];

static void* putter(void* arg) {
  self = (long)arg;
  input[self] = 42 + (unsigned)self;
  put(input[self]);
  return NULL;
}

static void* taker(void* arg) {
  self = (long)arg;
  take(&output[self]);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  init();
  start(threads, 1, PUTS, putter);
  start(threads, PUTS + 1, N, taker);
  join(threads, 1, N);

  unsigned value, in = 0, out = 0;
  while (take(&value)) out += value;
  for (int i = 1; i <= N; ++i) {
    in += input[i];
    out += output[i];
  }
  assert(in == out);
  return 0;
}
