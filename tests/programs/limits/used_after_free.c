// A use of freed memory is found although memory is used again.
// $ heddle check used_after_free.c --step-limit 100000 => error memory here, "is freed"
// $ heddle check used_after_free.c --step-limit 100000 -- -DOTHER_THREAD => error memory, "freed"
#include <pthread.h>
#include <stdlib.h>

static int* kept;

static void churn(int n) {
  for (int i = 0; i < n; i++) {
    int* p = malloc(sizeof *p);
    *p = i;
    free(p);
  }
}

static void* run(void* argument) {
#ifdef OTHER_THREAD
  free(kept);
  return argument;
#else
  churn(20000);
  int* p = malloc(sizeof *p);
  *p = 1;
  free(p);
  churn(8000);
  *p = 2;  // here
  return argument;
#endif
}

int main(void) {
  pthread_t t;
  churn(20000);
  kept = malloc(sizeof *kept);
  *kept = 1;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
#ifdef OTHER_THREAD
  churn(30000);  // another thread has freed it: it is never used again
#endif
  return *kept - 1;
}
