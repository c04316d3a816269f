// Without assertions there is less to find, and the report says so.
// $ heddle check ndebug.c => error assertion here
// $ heddle check --format text ndebug.c -- -DNDEBUG => exit 0, "warning: NDEBUG is defined: assert() checks nothing"
// $ heddle check --format json ndebug.c -- -DNDEBUG => exit 0, ""NDEBUG is defined: assert() checks nothing""
// $ heddle estimate ndebug.c -- -DNDEBUG => exit 0, "warning: NDEBUG is defined"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* add(void* arg) {
  atomic_store(&x, atomic_load(&x) + 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(x == 2);  // here
}
