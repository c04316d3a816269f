// Several files in one check, C and C++ together, with clang arguments.
// $ heddle check --no-symmetry files.c files_more.c files_cxx.cpp -- -DSTEP=2 => verified, 2 executions
// $ heddle check files.c => exit 2, "undefined function"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
void add_step(void);
int twice(int);

static void* f(void* arg) {
  add_step();
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, f, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(x == twice(2));
  return 0;
}
