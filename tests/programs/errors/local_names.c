// Local variables have names in a report, and their parts as well.
// $ heddle check local_names.c => error race, "data race on jobs.slots[1].state: "
// $ heddle check local_names.c -- -DSIMPLE => error race, "data race on counter: "
// $ heddle check local_names.c -- -DGONE => error memory, "a local variable of 20 bytes (jobs, "
#include <pthread.h>

struct slot {
  int owner;
  int state;
};

struct queue {
  int head;
  struct slot slots[2];
};

void* worker(void* argument) {
#ifdef SIMPLE
  *(int*)argument += 1;
#else
  struct queue* q = argument;
  q->slots[1].state = 1;
#endif
  return 0;
}

#ifdef GONE
static void start(pthread_t* t) {
  struct queue jobs = {0};
  pthread_create(t, 0, worker, &jobs);
}
#endif

int main(void) {
  pthread_t t;
#ifdef GONE
  start(&t);
#elif defined(SIMPLE)
  int counter = 0;
  pthread_create(&t, 0, worker, &counter);
  counter++;
#else
  struct queue jobs = {0};
  pthread_create(&t, 0, worker, &jobs);
  jobs.slots[1].state = 2;
#endif
  pthread_join(t, 0);
}
