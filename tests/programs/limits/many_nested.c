// A thread that main has created may create 255 more.
// $ heddle check many_nested.c -- -DMANY=255 => verified, 1 executions
// $ heddle check many_nested.c -- -DMANY=256 => exit 2, "T1 (parent) creates more than 255 threads"
#include <pthread.h>

void* worker(void* argument) { return argument; }

void* parent(void* argument) {
  for (int i = 0; i < MANY; i++) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
  }
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, parent, 0);
  pthread_join(t, 0);
}
