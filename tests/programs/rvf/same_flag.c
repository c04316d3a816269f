// A flag guards plain data. With -DBUG another thread sets it too, to the same value: who reads it must be told apart, because
// only one of the two writes makes the data safe to read.
// $ heddle check --algorithm rvf --model sc same_flag.c => verified, 2 executions
// $ heddle check --algorithm rvf --model sc same_flag.c -- -DBUG => error race
// $ heddle check --algorithm rvf --model sc --races ignore same_flag.c -- -DBUG => error assertion
// $ heddle check --algorithm await --model sc same_flag.c -- -DBUG => error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *publish(void *unused) {
  data = 1;
  atomic_store(&flag, 1);
  return unused;
}

static void *meddle(void *unused) {
#ifdef BUG
  atomic_store(&flag, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, publish, 0);
  pthread_create(&b, 0, meddle, 0);
  if (atomic_load(&flag) == 1) assert(data == 1);
}
