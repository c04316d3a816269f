// Mutexes that are initialised or destroyed while they are held, or used before or after their life.
// $ heddle check mutex_misuse.c -- -DCASE=1 => error mutex here, "initialised while it is held"
// $ heddle check mutex_misuse.c -- -DCASE=2 => error mutex here, "destroyed while it is held"
// $ heddle check mutex_misuse.c -- -DCASE=3 => error mutex here, "not been initialised"
// $ heddle check mutex_misuse.c -- -DCASE=4 => error memory here, "uninitialised"
// $ heddle check mutex_misuse.c -- -DCASE=5 => error mutex here, "been destroyed"
// $ heddle check mutex_misuse.c -- -DCASE=6 => error mutex here, "does not hold"
// $ heddle check mutex_misuse.c -- -DCASE=7 => verified
// $ heddle check mutex_misuse.c -- -DCASE=8 => error mutex here, "initialised while it is held"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* f(void* arg) {
  pthread_mutex_lock(&m);
  if (CASE == 8) return arg;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  if (CASE != 6) pthread_create(&t, NULL, f, NULL);
  if (CASE >= 7) pthread_join(t, NULL);
  pthread_mutex_t* p = malloc(sizeof *p);
  switch (CASE) {
    case 1:
      pthread_mutex_lock(&m);
      pthread_mutex_init(&m, NULL);  // here
      break;
    case 2:
      pthread_mutex_init(p, NULL);
      pthread_mutex_lock(p);
      pthread_mutex_destroy(p);  // here
      break;
    case 3:
      memset(p, 0x55, sizeof *p);
      pthread_mutex_lock(p);  // here
      break;
    case 4:
      pthread_mutex_lock(p);  // here
      break;
    case 5:
      pthread_mutex_init(p, NULL);
      pthread_mutex_destroy(p);
      pthread_mutex_lock(p);  // here
      break;
    case 6:
      pthread_mutex_unlock(&m);  // here
      break;
    case 7:
      memset(p, 1, sizeof *p);
      pthread_mutex_init(p, NULL);
      pthread_mutex_init(&m, NULL);
      pthread_mutex_lock(&m);
      pthread_mutex_unlock(&m);
      pthread_mutex_destroy(&m);
      pthread_mutex_init(&m, NULL);
      break;
    case 8:
      pthread_mutex_init(&m, NULL);  // here
      break;
  }
  return 0;
}
