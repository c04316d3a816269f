// Attributes keep what is put into them, and refuse what POSIX does not know.
// $ heddle check attributes.c => verified, 1 executions
// $ heddle check attributes.c -- -DDESTROYED => error thread here
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

static void* f(void* arg) { return arg; }

int main(void) {
  pthread_attr_t a;
  int v = -1;
  size_t n = 0;
  assert(pthread_attr_init(&a) == 0);
  assert(pthread_attr_getdetachstate(&a, &v) == 0 && v == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setdetachstate(&a, 77) == EINVAL);
  assert(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&a, &v) == 0 && v == PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_setstacksize(&a, 1) == EINVAL);
  assert(pthread_attr_setstacksize(&a, 1 << 20) == 0);
  assert(pthread_attr_getstacksize(&a, &n) == 0 && n == 1 << 20);
  assert(pthread_attr_setguardsize(&a, 8192) == 0);
  assert(pthread_attr_getguardsize(&a, &n) == 0 && n == 8192);
  assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
  assert(pthread_attr_setscope(&a, 99) == EINVAL);
  assert(pthread_attr_getscope(&a, &v) == 0 && v == PTHREAD_SCOPE_SYSTEM);
  assert(pthread_attr_setinheritsched(&a, 99) == EINVAL);
  assert(pthread_attr_setschedpolicy(&a, SCHED_FIFO) == 0);
  assert(pthread_attr_setschedpolicy(&a, 99) == EINVAL);
  struct sched_param p = {.sched_priority = 7};
  assert(pthread_attr_setschedparam(&a, &p) == 0);
  p.sched_priority = 1000;
  assert(pthread_attr_setschedparam(&a, &p) == EINVAL);
  assert(pthread_attr_getschedparam(&a, &p) == 0 && p.sched_priority == 7);
  pthread_t t;
  assert(pthread_create(&t, &a, f, NULL) == 0);
  assert(pthread_attr_destroy(&a) == 0);
#ifdef DESTROYED
  pthread_create(&t, &a, f, NULL);  // here
#endif
  pthread_mutexattr_t m;
  assert(pthread_mutexattr_init(&m) == 0);
  assert(pthread_mutexattr_settype(&m, 99) == EINVAL);
  assert(pthread_mutexattr_settype(&m, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutexattr_setpshared(&m, 99) == EINVAL);
  assert(pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_mutexattr_getpshared(&m, &v) == 0 && v == PTHREAD_PROCESS_SHARED);
  assert(pthread_mutexattr_setprotocol(&m, 99) == EINVAL);
  assert(pthread_mutexattr_setprotocol(&m, PTHREAD_PRIO_INHERIT) == 0);
  assert(pthread_mutexattr_getprotocol(&m, &v) == 0 && v == PTHREAD_PRIO_INHERIT);
  assert(pthread_mutexattr_gettype(&m, &v) == 0 && v == PTHREAD_MUTEX_RECURSIVE);
  mtx_t x;
  assert(mtx_init(&x, 99) == thrd_error);
  assert(mtx_init(&x, mtx_plain | mtx_recursive) == thrd_success);
  return 0;
}
