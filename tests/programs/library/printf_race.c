// A string that printf is given is read like any other memory.
// $ heddle check printf_race.c => error race here
// $ heddle check printf_race.c -- -DPRECISION => verified
// $ heddle check printf_race.c -- -DFREED => error memory here
// $ heddle check printf_race.c -- -DFORMAT => error race here
// $ heddle check printf_race.c -- -DINTO => error race here
// $ heddle check printf_race.c -- -DCOUNT => error race here
// $ heddle check printf_race.c -- -DPUTS => error race here
// $ heddle check printf_race.c -- -DFWRITE => error race here
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[8] = "ab%d";
static int counted;

static void* change(void* unused) {
#ifdef COUNT
  counted = 3;
#else
  text[2] = 'x';
#endif
  return unused;
}

int main(void) {
  pthread_t t;
#ifdef FREED
  char* const gone = strdup("gone");
  free(gone);
  printf("%s\n", gone);  // here
#endif
  pthread_create(&t, NULL, change, NULL);
#if defined PRECISION
  printf("%.2s\n", text);  // reads no more than it prints
#elif defined FORMAT
  printf(text, 1);  // here
#elif defined INTO
  snprintf(text, sizeof text, "%d", 123);  // here
#elif defined COUNT
  printf("abc%n\n", &counted);  // here
#elif defined PUTS
  puts(text);  // here
#elif defined FWRITE
  fwrite(text, 1, 4, stdout);  // here
#elif !defined FREED
  printf("%s\n", text);  // here
#endif
  pthread_join(t, NULL);
  return 0;
}
