// An object that is used as it must not be has a name.
// $ heddle check misuse_names.cpp -- -std=c++20 -DCASE=1 => error mutex, "the semaphore gate[1].free of at most 2 is released to 3"
// $ heddle check misuse_names.cpp -- -std=c++20 -DCASE=2 => error mutex, "the latch gate[1].open is counted down by 1, but stands at 0"
// $ heddle check misuse_names.cpp -- -std=c++20 -DCASE=3 => error mutex, "the condition variable changed is used with right, while T1 (wait) waits for it with left"
// $ heddle check misuse_names.cpp -- -std=c++20 -DCASE=4 => error mutex, "unlock of the lock lock, which this thread does not hold: main does"
// $ heddle check misuse_names.cpp -- -std=c++20 -DCASE=5 => error mutex, "the lock lock is destroyed while it is held"
// $ heddle check misuse_names.cpp -- -std=c++20 -DCASE=6 => error mutex, "use of the barrier barrier, which has not been initialised"
#include <pthread.h>

#include <latch>
#include <semaphore>
#include <thread>

struct Gate {
  std::counting_semaphore<2> free{1};
  std::latch open{1};
};
Gate gate[2];
pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier;

void wait(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
  pthread_cond_wait(&changed, mutex);
  pthread_mutex_unlock(mutex);
}

int main() {
#if CASE == 1
  std::thread a([] { gate[1].free.release(2); });
  a.join();
#elif CASE == 2
  gate[1].open.count_down();
  gate[1].open.count_down();
#elif CASE == 3
  std::thread a(wait, &left), b(wait, &right);
  a.join();
  b.join();
#elif CASE == 4
  pthread_rwlock_wrlock(&lock);
  std::thread a([] { pthread_rwlock_unlock(&lock); });
  a.join();
#elif CASE == 5
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_destroy(&lock);
#else
  pthread_barrier_wait(&barrier);
#endif
}
