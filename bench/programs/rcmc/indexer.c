// indexer(N), RCMC (POPL 2018), Table 2, after Flanagan and Godefroid (POPL 2005): N threads put four messages each
// into a shared hash table of 128 slots; a thread that finds a slot taken goes to the next one.
//
// Messages are m * 11 + tid for m = 1..4, so two threads send the same one exactly if their tids differ by 11, and then
// three times. The hash is one-to-one on messages below 128, and the slot after a taken one belongs to
// message + 55 (7 * 55 = 1 mod 128), which nobody sends. Each of the 3 * (N - 11) collisions has two outcomes:
// 8^(N-11) executions.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif
#define SIZE 128
#define MESSAGES 4

static atomic_int table[SIZE];

static void* put(void* arg) {
  const int tid = (int)(long)arg;
  for (int m = 1; m <= MESSAGES; ++m) {
    const int w = m * 11 + tid;
    int h = (w * 7) % SIZE;
    for (int expected = 0;
         !atomic_compare_exchange_strong_explicit(&table[h], &expected, w, memory_order_relaxed, memory_order_relaxed);
         expected = 0)
      h = (h + 1) % SIZE;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], NULL, put, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
