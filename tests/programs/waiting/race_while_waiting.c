// A thread waits for x, and meanwhile another one writes it without an atomic store. When the value comes that it waits
// for, all is in order; but it has looked before.
// $ heddle check race_while_waiting.c => error race here
// $ heddle check --model sc race_while_waiting.c => error race here
// $ heddle check --algorithm rcmc race_while_waiting.c => error race here
// $ heddle check --algorithm await --model sc race_while_waiting.c => error race here
// $ heddle check race_while_waiting.c -- -DCALM => verified, 1 executions, 0 blocked
// $ heddle check --algorithm await --model sc race_while_waiting.c -- -DCALM => verified, 1 executions, 0 blocked
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* wait_for_it(void* arg) {
  while (atomic_load_explicit(&x, memory_order_acquire) != 1) {  // here
  }
  return arg;
}

static void* reset(void* arg) {
#ifndef CALM
  *(int*)&x = 0;
#endif
  return arg;
}

static void* set(void* arg) {
  atomic_store_explicit(&x, 1, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t waiting, resetting, setting;
  pthread_create(&waiting, NULL, wait_for_it, NULL);
  pthread_create(&resetting, NULL, reset, NULL);
  pthread_join(resetting, NULL);
  pthread_create(&setting, NULL, set, NULL);
  pthread_join(setting, NULL);
  pthread_join(waiting, NULL);
  return 0;
}
