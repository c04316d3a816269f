// Waits for condition variables without a time limit. One that ends for no reason gives the mutex back and takes it
// again, and nothing else.
#include <pthread.h>
#include <stdbool.h>
#include <threads.h>

#define INLINE __attribute__((always_inline))

bool __heddle_condition_wakes_for_nothing(pthread_cond_t* condition, pthread_mutex_t* mutex);
void __heddle_condition_wait(pthread_cond_t* condition, pthread_mutex_t* mutex);

INLINE int pthread_cond_wait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex) {
  if (__heddle_condition_wakes_for_nothing(condition, mutex)) {
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
  } else {
    __heddle_condition_wait(condition, mutex);
  }
  return 0;
}

INLINE int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return pthread_cond_wait((pthread_cond_t*)condition, (pthread_mutex_t*)mutex);
}
