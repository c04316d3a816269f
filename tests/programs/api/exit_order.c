// Exit handlers run in the reverse order of their registration, whichever threads have registered them (C11 7.22.4.4).
// $ heddle check exit_order.c => verified, 1 executions
// $ heddle check exit_order.c --algorithm rcmc => verified, 1 executions
// $ heddle check exit_order.c --model sc --algorithm await => verified, 1 executions
// $ heddle check exit_order.c --model sc --algorithm rvf => verified, 1 executions
// Two threads at once: both orders, but nothing else.
// $ heddle check exit_order.c -- -DAT_ONCE => error assertion ordered
// $ heddle check exit_order.c --model sc --algorithm await -- -DAT_ONCE => error assertion ordered
// $ heddle check exit_order.c -- -DAT_ONCE -DANY_ORDER => verified, 2 executions
// $ heddle check exit_order.c --algorithm rcmc -- -DAT_ONCE -DANY_ORDER => verified, 2 executions
// $ heddle check exit_order.c --model sc --algorithm await -- -DAT_ONCE -DANY_ORDER => verified, 2 executions
// $ heddle check exit_order.c --model sc --algorithm rvf -- -DAT_ONCE -DANY_ORDER => verified, 2 executions
// Main registers in between.
// $ heddle check exit_order.c -- -DMAIN_TOO => verified, 1 executions
// The same for quick_exit.
// $ heddle check exit_order.c -- -DQUICK => verified, 1 executions
// $ heddle check exit_order.c -- -DQUICK -DAT_ONCE => error assertion ordered
// $ heddle check exit_order.c -- -DQUICK -DAT_ONCE -DANY_ORDER => verified, 2 executions
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef QUICK
#define REGISTER at_quick_exit
#else
#define REGISTER atexit
#endif

static int order;
static void first(void) { order = order * 10 + 1; }
static void second(void) { order = order * 10 + 2; }
static void between(void) { order = order * 10 + 3; }

static void check(void) {
#ifdef ANY_ORDER
  assert(order == 21 || order == 12);
#elif defined MAIN_TOO
  assert(order == 231);
#else
  assert(order == 21);  // ordered
#endif
}

static void* register_first(void* arg) {
  REGISTER(first);
  return arg;
}
static void* register_second(void* arg) {
  REGISTER(second);
  return arg;
}

int main(void) {
  REGISTER(check);
  (void)between;
  pthread_t a, b;
#ifdef AT_ONCE
  pthread_create(&a, 0, register_first, 0);
  pthread_create(&b, 0, register_second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#else
  pthread_create(&a, 0, register_first, 0);
  pthread_join(a, 0);
#ifdef MAIN_TOO
  REGISTER(between);
#endif
  pthread_create(&b, 0, register_second, 0);
  pthread_join(b, 0);
#endif
#ifdef QUICK
  quick_exit(0);
#endif
}
