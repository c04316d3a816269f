// Addresses are the same in every run: of library functions, too, and of what main is given.
// $ heddle check addresses.c => verified, 1 executions
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where the program's memory and code lie.
static int is_fixed(const void* p) { return (uintptr_t)p >> 40 == 0x21; }

static void* f(void* arg) {
  assert(is_fixed(&errno));
  return arg;
}

int main(int argc, char** argv) {
  int (*compare)(const char*, const char*) = strcmp;
  void (*release)(void*) = free;
  assert(is_fixed((void*)(uintptr_t)compare) && is_fixed((void*)(uintptr_t)release) &&
         is_fixed((void*)(uintptr_t)printf));
  assert(compare == strcmp && compare("a", "b") < 0);
  release(malloc(1));
  assert(argc == 1 && is_fixed(argv) && is_fixed(argv[0]) && argv[1] == NULL);
  argv[0][0] = 'P';
  assert(compare(argv[0], "Program") == 0);
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  return 0;
}
