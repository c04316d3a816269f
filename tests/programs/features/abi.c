// What differs between processors: long double, variable arguments, structs by value, helpers of the compiler.
// $ heddle check abi.c => verified, 1 executions
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct large {
  long words[5];
};
struct floats {
  double x, y, z;
};

static struct floats scaled(struct floats f, double by) { return (struct floats){f.x * by, f.y * by, f.z * by}; }
static long total(struct large l) {
  l.words[0] += 1;
  return l.words[0] + l.words[4];
}

static double sum(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  double s = 0;
  for (int i = 0; i < n; i++) s += i % 2 ? va_arg(list, double) : va_arg(list, int);
  for (int i = 0; i < n; i++) s += i % 2 ? va_arg(again, double) : va_arg(again, int);
  va_end(again);
  va_end(list);
  return s;
}

static int print(char* to, size_t size, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(to, size, format, list);
  va_end(list);
  return n;
}

static long double shared;
static int divisor = 3;

static void* thread(void* argument) {
  shared = shared * 2.0L + (long double)divisor;
  return argument;
}

int main(void) {
  shared = 1.5L;
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  pthread_join(t, NULL);
  assert(shared == 6.0L && (int)(shared / 4.0L * 10) == 15);
  assert(sum(20, 1, 2.0, 3, 4.0, 5, 6.0, 7, 8.0, 9, 10.0, 11, 12.0, 13, 14.0, 15, 16.0, 17, 18.0, 19, 20.0) == 420);
  struct large l = {{1, 2, 3, 4, 5}};
  assert(total(l) == 7 && l.words[0] == 1);
  const struct floats f = scaled((struct floats){1, 2, 3}, 2);
  assert(f.x + f.y + f.z == 12);
  char text[64];
  assert(print(text, sizeof text, "%d %.1f %Lg %s", 7, 2.5, shared, "x") == 9 && strcmp(text, "7 2.5 6 x") == 0);
  const unsigned __int128 wide = (unsigned __int128)1 << 100;
  assert((unsigned)(wide / (unsigned)divisor >> 90) == 341);
  const signed char negative = -1;
  assert((int)negative < 0);
  return 0;
}
