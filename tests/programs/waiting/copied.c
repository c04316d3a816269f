// A round copies into a variable of the function, and what it has copied outlives the round: that is a change.
// $ heddle check copied.c => error assertion
// $ heddle check --model sc copied.c => error assertion
// $ heddle check --no-await copied.c => error assertion
// $ heddle check copied.c -- -DFILLED => error assertion
// $ heddle check --no-await copied.c -- -DFILLED => error assertion
// Each round copies anew: no change.
// $ heddle check copied.c -- -DDEAD => verified, 3 executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x, y;
static const char text[2][24] = {"nothing has been seen  ", "a one has been seen    "};

static void* writer(void* p) {
  atomic_store(&x, 1);
  atomic_store(&x, 0);
  atomic_store(&y, 1);
  return p;
}
static int wait_for_y(void) {
  char seen[24];
  memcpy(seen, text[0], sizeof seen);
  for (;;) {
#ifdef DEAD
    memcpy(seen, text[atomic_load(&x) & 1], sizeof seen);
#else
    if (atomic_load(&x)) {
#ifdef FILLED
      memset(seen, 'a', sizeof seen);
#else
      memcpy(seen, text[1], sizeof seen);
#endif
    }
#endif
    if (atomic_load(&y)) break;
  }
  return seen[0];
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  const int seen = wait_for_y();
#ifdef DEAD
  assert(seen == 'n' || seen == 'a');
#else
  assert(seen == 'n');
#endif
  pthread_join(t, 0);
  return 0;
}
