// Sorting writes the array: a reader beside it races.
// $ heddle check sort_race.c => error race here
// $ heddle check sort_race.c -- -DLOCKED => verified, 2 executions
#include <pthread.h>
#include <stdlib.h>

static int numbers[3] = {3, 1, 2};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef LOCKED
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
#else
#define LOCK (void)m
#define UNLOCK (void)m
#endif

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* sort(void* unused) {
  LOCK;
  qsort(numbers, 3, sizeof(int), compare);  // here
  UNLOCK;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sort, NULL);
  LOCK;
  int sum = numbers[0] + numbers[2];
  UNLOCK;
  pthread_join(t, NULL);
  return sum < 0;
}
