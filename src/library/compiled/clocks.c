// Clocks that tell the time in memory, over one that tells it as a number; and waits that are told their time limit in
// memory, over functions that are told it in numbers. So it can be seen in a loop what becomes of the time
// (frontend/loops/time_limits.cpp).
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>

#define INLINE __attribute__((always_inline))

enum { SECOND = 1000000000 };

bool __heddle_is_clock(clockid_t clock);
long __heddle_clock(clockid_t clock);  // nanoseconds

static inline INLINE bool can_wait(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

INLINE int clock_gettime(clockid_t clock, struct timespec* out) {
  if (!can_wait(clock) && !__heddle_is_clock(clock)) {
    errno = EINVAL;
    return -1;
  }
  const long now = __heddle_clock(clock);
  out->tv_sec = now / SECOND;
  out->tv_nsec = now % SECOND;
  return 0;
}

INLINE int timespec_get(struct timespec* out, int base) {
  if (base != TIME_UTC) return 0;
  const long now = __heddle_clock(CLOCK_REALTIME);
  out->tv_sec = now / SECOND;
  out->tv_nsec = now % SECOND;
  return base;
}

INLINE int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  (void)zone;
  const long now = __heddle_clock(CLOCK_REALTIME);
  out->tv_sec = now / SECOND;
  out->tv_usec = now % SECOND / 1000;
  return 0;
}

bool __heddle_is_limit(long nanoseconds);
// The time limit has come. ETIMEDOUT, or EINVAL if it is none.
int __heddle_reach_limit(clockid_t clock, long seconds, long nanoseconds);

int __heddle_lock_in_time(pthread_mutex_t* mutex);  // ETIMEDOUT if it takes too long, as with the next three
int __heddle_read_lock_in_time(pthread_rwlock_t* lock);
int __heddle_write_lock_in_time(pthread_rwlock_t* lock);
int __heddle_take_in_time(sem_t* semaphore);
clockid_t __heddle_condition_clock(const pthread_cond_t* condition);
bool __heddle_condition_times_out(pthread_cond_t* condition, pthread_mutex_t* mutex, long nanoseconds);
bool __heddle_condition_wakes_for_nothing(pthread_cond_t* condition, pthread_mutex_t* mutex);
void __heddle_condition_wait_in_time(pthread_cond_t* condition, pthread_mutex_t* mutex);
__attribute__((pure)) bool __heddle_condition_is_late_at(clockid_t clock, long seconds, long nanoseconds);

static inline INLINE int ended(int status, clockid_t clock, const struct timespec* until) {
  return status == ETIMEDOUT ? __heddle_reach_limit(clock, until->tv_sec, until->tv_nsec) : status;
}

INLINE int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  return can_wait(clock) ? ended(__heddle_lock_in_time(mutex), clock, until) : EINVAL;
}
INLINE int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* until) {
  return ended(__heddle_lock_in_time(mutex), CLOCK_REALTIME, until);
}
INLINE int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* until) {
  return can_wait(clock) ? ended(__heddle_read_lock_in_time(lock), clock, until) : EINVAL;
}
INLINE int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* until) {
  return ended(__heddle_read_lock_in_time(lock), CLOCK_REALTIME, until);
}
INLINE int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* until) {
  return can_wait(clock) ? ended(__heddle_write_lock_in_time(lock), clock, until) : EINVAL;
}
INLINE int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* until) {
  return ended(__heddle_write_lock_in_time(lock), CLOCK_REALTIME, until);
}

static inline INLINE int with_errno(int status) {
  if (status == 0) return 0;
  if (errno != status) errno = status;  // the same again is no change
  return -1;
}
INLINE int sem_clockwait(sem_t* semaphore, clockid_t clock, const struct timespec* until) {
  return with_errno(can_wait(clock) ? ended(__heddle_take_in_time(semaphore), clock, until) : EINVAL);
}
INLINE int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict until) {
  return with_errno(ended(__heddle_take_in_time(semaphore), CLOCK_REALTIME, until));
}

static inline INLINE int wait_until(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                    const struct timespec* until) {
  if (!__heddle_is_limit(until->tv_nsec)) return EINVAL;
  if (__heddle_condition_times_out(condition, mutex, 0)) {
    __heddle_reach_limit(clock, until->tv_sec, until->tv_nsec);
    // From here on the round needs nothing that it has computed (frontend/loops/rounds.cpp).
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return ETIMEDOUT;
  }
  if (__heddle_condition_wakes_for_nothing(condition, mutex)) {
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return 0;
  }
  __heddle_condition_wait_in_time(condition, mutex);
  return __heddle_condition_is_late_at(clock, until->tv_sec, until->tv_nsec) ? ETIMEDOUT : 0;
}
INLINE int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const struct timespec* until) {
  if (!can_wait(clock)) return EINVAL;
  return wait_until(condition, mutex, clock, until);
}
INLINE int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                                  const struct timespec* restrict until) {
  return wait_until(condition, mutex, __heddle_condition_clock(condition), until);
}

static inline INLINE int as_thrd(int status) {
  return status == 0 ? thrd_success : status == ETIMEDOUT ? thrd_timedout : thrd_error;
}
INLINE int cnd_timedwait(cnd_t* restrict condition, mtx_t* restrict mutex, const struct timespec* restrict until) {
  return as_thrd(wait_until((pthread_cond_t*)condition, (pthread_mutex_t*)mutex, CLOCK_REALTIME, until));
}
INLINE int mtx_timedlock(mtx_t* restrict mutex, const struct timespec* restrict until) {
  return as_thrd(pthread_mutex_timedlock((pthread_mutex_t*)mutex, until));
}
