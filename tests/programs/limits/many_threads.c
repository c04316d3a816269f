// More than 255 threads over the life of a program. Few of them are there at a time.
// $ heddle check many_threads.c => verified, 1 executions
// $ heddle check --model sc --algorithm await many_threads.c -- -DMANY=300 => verified, 1 executions
// $ heddle check many_threads.c -- -DRACE => error race, "T700"
// $ heddle check many_threads.c -- -DLAST => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef MANY
#define MANY 1000
#endif

atomic_int sum;
int plain;

void* worker(void* number) {
  int* own = malloc(sizeof *own);
  *own = *(int*)number;
  sum += *own;
  plain += 1;
  free(own);
  return 0;
}

int main(void) {
  for (int i = 0; i < MANY; i++) {
    pthread_t t;
    int number = 1;
    pthread_create(&t, 0, worker, &number);
#ifdef RACE
    if (i == 699) plain = 0;
#endif
    pthread_join(t, 0);
  }
  int all = sum;
#ifdef LAST
  assert(all == MANY - 1);
#else
  assert(all == MANY);
#endif
  assert(plain == MANY);
}
