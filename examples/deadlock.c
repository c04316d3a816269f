// A deadlock: the two threads take the same two mutexes in opposite orders. With -DORDERED both take `from` first.
//
// $ heddle check deadlock.c => error deadlock, line 12
// $ heddle check deadlock.c -- -DORDERED => verified, 2 executions
#include <pthread.h>

static pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER, to = PTHREAD_MUTEX_INITIALIZER;
static int money[2] = {100, 100};

static void transfer(pthread_mutex_t* first, pthread_mutex_t* second, int amount) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  money[0] -= amount;
  money[1] += amount;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* there(void* arg) {
  transfer(&from, &to, 10);
  return arg;
}

static void* back(void* arg) {
#ifdef ORDERED
  transfer(&from, &to, -5);
#else
  transfer(&to, &from, -5);
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, there, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
