// nan reads its argument, and what prints looks at its stream.
// $ heddle check nan_and_streams.c => verified
// $ heddle check nan_and_streams.c -- -DRACE => error race, "data race on tag[0]"
// $ heddle check nan_and_streams.c -- -DFREED => error memory, "which is freed"
// $ heddle check nan_and_streams.c -- -DPRINT=fputs(tag,(FILE*)0) => error memory, "null pointer"
// $ heddle check nan_and_streams.c -- -DPRINT=fprintf((FILE*)tag,tag) => error memory, "a stream that is neither stdout nor stderr"
// $ heddle check nan_and_streams.c -- -DPRINT=fwrite(tag,1,1,(FILE*)tag) => error memory, "neither stdout nor stderr"
// $ heddle check nan_and_streams.c -- -DPRINT=fflush((FILE*)tag) => error memory, "neither stdout nor stderr"
// $ heddle check nan_and_streams.c -- -DPRINT=fflush(0) => verified
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

char tag[8] = "12";

static void* work(void* arg) {
#ifdef RACE
  tag[0] = '3';
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  assert(isnan(nan(tag)) && isnan(nanf(tag)) && isnan(nanl(tag)));
#ifdef FREED
  char* p = calloc(4, 1);
  free(p);
  assert(isnan(nan(p)));
#endif
#ifdef PRINT
  PRINT;
#endif
  pthread_join(t, NULL);
  return 0;
}
