// strtok has one state for the whole process.
// $ heddle check strtok.c -- -DRACE => error race, "strtok"
// $ heddle check strtok.c => verified, 1 executions
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void* f(void* arg) {
#ifdef RACE
  char text[] = "a b";
  strtok(text, " ");
#else
  assert(strcmp(strtok(NULL, " "), "y") == 0);
#endif
  return arg;
}

int main(void) {
  static char text[] = "x y z";
  pthread_t t;
#ifdef RACE
  pthread_create(&t, NULL, f, NULL);
  strtok(text, " ");
#else
  assert(strtok(NULL, " ") == NULL);
  assert(strcmp(strtok(text, " "), "x") == 0);
  pthread_create(&t, NULL, f, NULL);
#endif
  pthread_join(t, NULL);
#ifndef RACE
  assert(strcmp(strtok(NULL, " "), "z") == 0);
  assert(strtok(NULL, " ") == NULL);
#endif
  return 0;
}
