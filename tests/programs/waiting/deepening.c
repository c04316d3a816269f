// A loop that counts its rounds, so that each leads to another state: there is no end to it, and it is followed more and
// more often. The other loop goes round 111 times, which nobody can know beforehand.
// $ heddle check --max-executions 300 deepening.c => incomplete, "times have been explored"
// $ heddle check deepening.c -- -DBUG=5 => error assertion here
// $ heddle check --algorithm rcmc deepening.c -- -DBUG=5 => error assertion here
// $ heddle check --algorithm await --model sc deepening.c -- -DBUG=5 => error assertion here
// $ heddle check --unroll wait_and_count:3 deepening.c => incomplete, 4 executions, "was cut; raise --unroll"
// $ heddle check --unroll deepening.c:27:3 deepening.c => incomplete, 4 executions, "was cut; raise --unroll"
// $ heddle check --unroll wait_and_count:3 --unroll 1000 deepening.c => incomplete, 4 executions
// $ heddle check --unroll wait_and_count:3 deepening.c -- -DBUG=5 => incomplete
// $ heddle check --unroll no_such:3 deepening.c => exit 2, "--unroll no_such:3: the program has no such loop"
// $ heddle check --verbose --max-executions 300 deepening.c => incomplete, "each round changes n"
// $ heddle check deepening.c -- -DENDS => verified, 112 executions
// $ heddle check --algorithm rcmc deepening.c -- -DENDS => verified, 112 executions
// $ heddle check --algorithm await --model sc deepening.c -- -DENDS => verified, 112 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, steps;

static void* wait_and_count(void* arg) {
  int n = 0;
#ifdef ENDS
  n = atomic_load(&steps);
#else
  while (!atomic_load(&flag)) {
    n++;
  }
#endif
#ifdef BUG
  assert(n != BUG);  // here
#endif
  *(int*)arg = n;
  return 0;
}

static void* go_far(void* unused) {
  for (int n = 27; n != 1;) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    atomic_store(&steps, n);
  }
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  int n = 0;
  pthread_create(&a, 0, wait_and_count, &n);
  pthread_create(&b, 0, go_far, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return n < 0;
}
