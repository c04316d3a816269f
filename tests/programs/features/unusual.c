// What is unusual is noted, if nothing is wrong.
// $ heddle check unusual.c => verified, 1 executions, "starts no threads"
// $ heddle check unusual.c -- -DTHREADS=2 => verified, 2 executions
// $ heddle check unusual.c -- -DTHREADS=2 -DALONE => verified, 1 executions, "only one execution, although the program starts 2 threads"
// $ heddle check unusual.c -- -DTHREADS=2 -DJOINED=1 => verified, 2 executions, "T2 (run) is neither joined nor detached"
// $ heddle check --algorithm await --model sc unusual.c -- -DTHREADS=2 -DJOINED=1 => verified, "T2 (run) is neither joined nor detached"
// $ heddle check --algorithm rvf --model sc unusual.c -- -DTHREADS=2 -DJOINED=1 => verified, "T2 (run) is neither joined nor detached"
// $ heddle check unusual.c -- -DTHREADS=2 -DLEAK => verified, "2 blocks of memory are not freed at the end (16 bytes); the first is allocated at unusual.c:18:10"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static int ids[] = {1, 2, 3, 4};

static void* run(void* id) {
#ifdef LEAK
  *(int*)malloc(8) = 1;
#else
  free(malloc(8));
#endif
#ifdef ALONE
  (void)id;
#else
  atomic_exchange(&x, *(int*)id);
#endif
  return NULL;
}

#ifndef THREADS
#define THREADS 0
#endif
#ifndef JOINED
#define JOINED THREADS
#endif

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, run, &ids[i]);
  for (int i = 0; i < JOINED; i++) pthread_join(t[i], NULL);
  return 0;
}
