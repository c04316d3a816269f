// Each read of the execution that is shown sees what was written last before it: rows are moments in time.
// $ heddle check --model sc interleaved.c => error assertion here
// $ heddle check interleaved.c => error assertion here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void* writer(void* arg) {
  atomic_store(&x, 1);
  atomic_store(&y, 1);
  atomic_store(&x, 2);
  return arg;
}

// Reads y before the write and x between the two.
static void* reader(void* arg) {
  const int b = atomic_load(&y);
  const int a = atomic_load(&x);
  const int c = atomic_load(&y);
  assert(!(b == 0 && a == 1 && c == 1));  // here
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, reader, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
