// The report names who holds a readers-writer lock, and a lock that main took before there were other threads.
// $ heddle check deadlock_rwlock.c => error deadlock, "T2 (produce) waits for lock held by T1 (consume)"
// $ heddle check deadlock_rwlock.c => exit 1, "why: T2 line 19 waits for lock, which T1 holds since line 10"
// $ heddle check deadlock_rwlock.c -- -DMAIN => exit 1, "waits for lock, which main holds since line 27"
#include <pthread.h>
#include <semaphore.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t items;
void* consume(void* arg) {
  pthread_rwlock_rdlock(&lock);
  sem_wait(&items);
  pthread_rwlock_unlock(&lock);
  return arg;
}
void* produce(void* arg) {
#ifdef MAIN
  pthread_rwlock_rdlock(&lock);
#else
  pthread_rwlock_wrlock(&lock);
#endif
  sem_post(&items);
  pthread_rwlock_unlock(&lock);
  return arg;
}
int main(void) {
#ifdef MAIN
  pthread_rwlock_wrlock(&lock);
#endif
  pthread_t a, b;
  sem_init(&items, 0, 0);
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, produce, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
