// pthread_cleanup_push in C: with exceptions its functions run when the thread ends; without, it is refused.
// $ heddle check cleanup_push.c -- -fexceptions => verified, 1 executions
// $ heddle check cleanup_push.c => exit 2, "add -fexceptions"
#include <assert.h>
#include <pthread.h>

static int cleaned;

static void clean_up(void* p) { ++*(int*)p; }

static void* f(void* arg) {
  pthread_cleanup_push(clean_up, &cleaned);
  pthread_cleanup_push(clean_up, &cleaned);
  pthread_cleanup_pop(1);
  pthread_exit(arg);
  pthread_cleanup_pop(0);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  assert(cleaned == 2);
  return 0;
}
