// sortnet(N), optimal-dpor-await (FMCAD 2022), Fig. 1 and Table I: N threads sort 2N elements with a sorting network,
// Batcher's odd-even mergesort. Each comparator has its thread. Each element has a count of the comparators that are
// done with it: a comparator waits until both its elements have got as far as the network says, sorts the two, and
// counts on. All accesses of the counts are seq_cst.
//
// If the loops are awaits there is one execution: nothing is read before it is settled.
// $ heddle check --algorithm await --model sc sortnet.c -- -DN=4 => verified, 1 executions, 0 blocked
// $ heddle check --algorithm await --model sc sortnet.c -- -DN=5 => verified, 1 executions, 0 blocked
// $ heddle check --algorithm await --model sc sortnet.c -- -DN=6 => verified, 1 executions, 0 blocked
// $ heddle check --algorithm await --model sc sortnet.c -- -DN=7 => verified, 1 executions, 0 blocked
// $ heddle check --algorithm await --model sc sortnet.c -- -DN=8 => verified, 1 executions, 0 blocked
// $ heddle check --model sc sortnet.c -- -DN=6 => verified, 1 executions, 0 blocked
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

#define ELEMENTS (2 * N)

static int element[ELEMENTS];
static atomic_int done[ELEMENTS];

static void await(int i, int count) {
  while (atomic_load(&done[i]) != count) {
  }
}

static void sort_two(int low, int high) {
  if (element[low] <= element[high]) return;
  const int swapped = element[low];
  element[low] = element[high];
  element[high] = swapped;
}

// All comparators in turn; those of thread `self` are done.
static void run(int self) {
  int count[ELEMENTS] = {0};  // of comparators before, for each element
  int next = 0;               // the thread of the next comparator
  for (int p = 1; p < ELEMENTS; p *= 2) {
    for (int k = p; k >= 1; k /= 2) {
      for (int j = k % p; j + k < ELEMENTS; j += 2 * k) {
        for (int i = 0; i < k && i + j + k < ELEMENTS; ++i) {
          const int low = i + j;
          const int high = i + j + k;
          if (low / (2 * p) != high / (2 * p)) continue;
          if (next++ % N == self) {
            await(low, count[low]);
            await(high, count[high]);
            sort_two(low, high);
            atomic_store(&done[low], count[low] + 1);
            atomic_store(&done[high], count[high] + 1);
          }
          ++count[low];
          ++count[high];
        }
      }
    }
  }
}

static void* work(void* arg) {
  run(*(int*)arg);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  static int self[N];
  for (int i = 0; i < ELEMENTS; ++i) element[i] = (7 * i + 3) % ELEMENTS;
  for (int i = 0; i < N; ++i) {
    self[i] = i;
    pthread_create(&threads[i], NULL, work, &self[i]);
  }
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  for (int i = 1; i < ELEMENTS; ++i) assert(element[i - 1] <= element[i]);
  return 0;
}
