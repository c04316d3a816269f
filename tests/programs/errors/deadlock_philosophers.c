// Three philosophers, each takes the left fork first.
// $ heddle check deadlock_philosophers.c => error deadlock, "fork_of[1] held by T2"
#include <pthread.h>

static pthread_mutex_t fork_of[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void* eat(void* arg) {
  const long i = (long)arg;
  pthread_mutex_lock(&fork_of[i]);
  pthread_mutex_lock(&fork_of[(i + 1) % 3]);
  pthread_mutex_unlock(&fork_of[(i + 1) % 3]);
  pthread_mutex_unlock(&fork_of[i]);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; ++i) pthread_create(&t[i], NULL, eat, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  return 0;
}
