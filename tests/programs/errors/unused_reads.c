// A call that reads memory may race, although nobody wants its result.
// $ heddle check unused_reads.c -- -w -DCALL=strlen(buffer) => error race
// $ heddle check unused_reads.c -- -w "-DCALL=strcmp(buffer, \"x\")" => error race
// $ heddle check unused_reads.c -- -w "-DCALL=strchr(buffer, 'c')" => error race
// $ heddle check unused_reads.c -- -w "-DCALL=memcmp(buffer, \"abc\", 4)" => error race
// $ heddle check unused_reads.c -- -w "-DCALL=pure(buffer)" => error race
// $ heddle check unused_reads.c -- -w "-DCALL=buffer[0]" => error race
#include <pthread.h>
#include <string.h>

static char buffer[8] = "abc";

__attribute__((pure)) static int pure(const char* p) { return p[0] + p[1]; }

static void* reader(void* arg) {
  CALL;
  pure("ab");
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  buffer[0] = 'x';
  pthread_join(t, 0);
  return 0;
}
