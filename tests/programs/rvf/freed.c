// The flag says that the memory is no longer used. With -DBUG another thread says so too: the value that is read is the same,
// and so is the class, but not in all its interleavings is the memory used before it is freed.
// $ heddle check --algorithm rvf --model sc freed.c => verified, 2 executions
// $ heddle check --algorithm rvf --model sc --races ignore freed.c => verified, 2 executions
// $ heddle check --algorithm rvf --model sc freed.c -- -DBUG => error memory
// $ heddle check --algorithm rvf --model sc --races ignore freed.c -- -DBUG => error memory
// $ heddle check --algorithm await --model sc --races ignore freed.c -- -DBUG => error memory
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *block;
static atomic_int flag;

static void *use(void *unused) {
  *block = 1;
  atomic_store(&flag, 1);
  return unused;
}

static void *meddle(void *unused) {
#ifdef BUG
  atomic_store(&flag, 1);
#endif
  return unused;
}

static void *give_back(void *unused) {
  if (atomic_load(&flag) == 1) free(block);
  return unused;
}

int main(void) {
  block = malloc(sizeof *block);
  pthread_t a, b, c;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, give_back, 0);
  pthread_create(&c, 0, meddle, 0);
}
