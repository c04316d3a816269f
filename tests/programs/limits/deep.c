// A stack is of 8 MiB, as natively.
// $ heddle check deep.c -- -DDEPTH=7000 => verified, 1 executions
// $ heddle check deep.c -- -DDEPTH=9000 => error crash, "stack overflow"
// $ heddle check deep.c -- -DDEPTH=7000 -DIN_THREADS=40 => verified, 1 executions
// $ heddle check deep.c -- -DDEPTH=9000 -DIN_THREADS=2 => error crash, "stack overflow"
#include <assert.h>
#include <pthread.h>

static int descend(int n);
static int (*volatile again)(int) = descend;  // no loop comes of it

// Somewhat more than 1 KiB for each frame.
static int descend(int n) {
  volatile char a[1024];
  for (int i = 0; i < 1024; i += 64) a[i] = (char)n;
  if (n == 0) return 0;
  return again(n - 1) + (a[n / 64 * 64 % 1024] == (char)n);
}

static void* run(void* argument) {
  assert(descend(DEPTH) == DEPTH);
  return argument;
}

int main(void) {
#ifdef IN_THREADS
  pthread_t t[IN_THREADS];
  for (int i = 0; i < IN_THREADS; i++) pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < IN_THREADS; i++) pthread_join(t[i], NULL);
#else
  run(NULL);
#endif
  return 0;
}
