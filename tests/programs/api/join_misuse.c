// A thread is joined once, or detached once.
// $ heddle check join_misuse.c -- -DCASE=1 => error thread here, "it was joined before"
// $ heddle check join_misuse.c -- -DCASE=2 => error thread here, "it was detached before"
// $ heddle check join_misuse.c -- -DCASE=3 => error thread here, "it was created detached before"
// $ heddle check join_misuse.c -- -DCASE=4 => error thread here, "it was detached before"
// $ heddle check join_misuse.c -- -DCASE=5 => error thread here, "it was joined before"
// $ heddle check join_misuse.c -- -DCASE=6 => error thread, "before"
// $ heddle check join_misuse.c -- -DCASE=7 => verified, 1 executions
// $ heddle check join_misuse.c -- -DCASE=8 => error thread here, "it was joined before"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

static pthread_t first;

static void* nothing(void* arg) { return arg; }

static void* join_first(void* arg) {
  pthread_join(first, NULL);
  return arg;
}

static int c11(void* arg) { return arg != NULL; }

int main(void) {
  pthread_t t, u;
  pthread_attr_t a;
  thrd_t c;
  (void)u;
  pthread_attr_init(&a);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, CASE == 3 ? &a : NULL, nothing, NULL);
  switch (CASE) {
    case 1:
      pthread_join(t, NULL);
      pthread_join(t, NULL);  // here
      break;
    case 2:
      pthread_detach(t);
      pthread_join(t, NULL);  // here
      break;
    case 3:
      pthread_join(t, NULL);  // here
      break;
    case 4:
      pthread_detach(t);
      pthread_detach(t);  // here
      break;
    case 5:
      pthread_join(t, NULL);
      pthread_detach(t);  // here
      break;
    case 6:
      first = t;
      pthread_create(&u, NULL, join_first, NULL);
      pthread_join(t, NULL);
      pthread_join(u, NULL);
      break;
    case 7:
      assert(pthread_join(pthread_self(), NULL) == EDEADLK);
      assert(pthread_join(123456, NULL) == ESRCH);
      assert(pthread_detach(123456) == ESRCH);
      assert(pthread_detach(pthread_self()) == 0);
      pthread_detach(t);
      break;
    case 8:
      pthread_detach(t);
      thrd_create(&c, c11, NULL);
      thrd_join(c, NULL);
      thrd_join(c, NULL);  // here
      break;
  }
  return 0;
}
