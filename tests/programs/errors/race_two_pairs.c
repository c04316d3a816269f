// Two pairs of accesses race, and which one is met depends on who runs first. The report is of one pair: not of the two
// reads, one from each.
// $ heddle check race_two_pairs.c => error race, line 21, line 12, "main reads it and T1 (thread) writes it"
// $ heddle check --model tso race_two_pairs.c => error race, line 21, line 12
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void* thread(void* arg) {
  int r = x;
  x = 1;
  return r == 2 ? arg : 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  int r = x;
  x = 2;
  pthread_join(t, 0);
  return r == 3;
}
