// Uses of local variables that are no more.
// $ heddle check local_life.c -- -DWRONG=0 => verified
// $ heddle check local_life.c -- -DWRONG=1 => error memory here, "out of scope"
// $ heddle check local_life.c -- -DWRONG=2 => error memory here, "out of scope"
// $ heddle check local_life.c -- -DWRONG=3 => error memory here, "out of scope"
// $ heddle check local_life.c -- -DWRONG=4 => error memory here, "out of scope"
// $ heddle check local_life.c -- -DWRONG=5 => error memory here, "out of scope"
// $ heddle check local_life.c -- -DWRONG=6 => error memory here, "out of scope"
// $ heddle check local_life.c -- -DWRONG=7 => error memory here, "out of scope"
// $ heddle check local_life.c -- -DWRONG=8 => error memory here, "out of scope"
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

static int* f(int v) {
  int x = v;
  int* p = &x;
  return p;
}

static int* deep(int v) {
  int x = v;
  int* p = &x;
  return v > 0 ? deep(v - 1) : p;
}

static _Atomic(int*) shared;

static void leave(int how) {
  if (how == 5) pthread_exit(0);
  if (how == 6) thrd_exit(0);
}

static void* worker(void* arg) {
  int x = 7;
  shared = &x;
#if WRONG == 5 || WRONG == 6
  leave(WRONG);
#endif
  shared = 0;
  return arg;
}

int main(void) {
  int* p = 0;
  int result = 0;
  for (int i = 0; i < 2; i++) {
    int y;
    if (i == 0) y = 3;
#if WRONG == 1
    if (i == 1) result += *p;  // here
#endif
    p = &y;
    y = i;
    result += *p - i;
  }
#if WRONG == 2
  *p = 2;  // here
#elif WRONG == 3
  p = f(5);
  result += *p;  // here
#elif WRONG == 4
  p = deep(2);
  result += *p;  // here
#elif WRONG == 7
  {
    int z = 3;
    p = &z;
  }
  result += *p;  // here
#elif WRONG == 8
  {
    int z = 3;
    p = &z;
    *p = 4;
  }
  *p = 5;  // here
#endif
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  if (shared) result += *shared;  // here
  return result;
}
