// Numbers in text: as far as they go, the text is read with checks.
// $ heddle check numbers.c => verified, 1 executions
// $ heddle check numbers.c -- -DRACE => error race here
// $ heddle check numbers.c -- -DATOI => error race here
// $ heddle check numbers.c -- -DFLOAT => error race here
// $ heddle check numbers.c -- -DAFTER => verified
// $ heddle check numbers.c -- -DFREED => error memory here
// $ heddle check numbers.c -- -DSCAN => error race here
// $ heddle check numbers.c -- -DSTALE => verified
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char text[16] = "123x";
static _Atomic char digits[4] = {'1'};

static void* change(void* unused) {
#ifdef AFTER
  text[4] = 'z';  // behind what ends the number
#else
  text[1] = '9';
#endif
  atomic_store(&digits[0], '7');
  atomic_store(&digits[1], '5');
  return unused;
}

static void parse(void) {
  char* end;
  const char* s = "  -42abc";
  assert(strtol(s, &end, 10) == -42 && end == s + 5);
  assert(strtol("0x1fg", &end, 0) == 31 && *end == 'g');
  assert(strtol("0x", &end, 16) == 0 && *end == 'x');
  assert(strtol("077", NULL, 0) == 63 && strtol("zz", NULL, 36) == 35 * 37);
  s = "none";
  assert(strtoul(s, &end, 10) == 0 && end == s);
  errno = 0;
  assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
  assert(strtoull("18446744073709551615", NULL, 10) == ULLONG_MAX && strtoll("-1", NULL, 10) == -1);
  assert(strtod("1.5e2x", &end) == 150 && *end == 'x');
  assert(strtod("1e", &end) == 1 && *end == 'e');
  assert(strtod("-.5", NULL) == -0.5 && strtof("0x1p4", NULL) == 16 && strtold("2", NULL) == 2);
  assert(strtod("infinite", &end) > 1e308 && strcmp(end, "inite") == 0);
  double nan = strtod("nan(12)q", &end);
  assert(nan != nan && *end == 'q');
  assert(atoi("12") == 12 && atol("-3") == -3 && atoll("4") == 4 && atof("0.25") == 0.25);
  assert(wcstol(L"17", NULL, 10) == 17 && wcstod(L"0.5", NULL) == 0.5);

  int i = 0, n = -1;
  unsigned x = 0;
  short h = 0;
  double d = 0;
  char word[8], one, set[4];
  assert(sscanf("12 ff -3 1.5 hello !ab9", "%d %x %hd %lf %7s %c%[a-z]%n", &i, &x, &h, &d, word, &one, set, &n) == 7);
  assert(i == 12 && x == 255 && h == -3 && d == 1.5 && strcmp(word, "hello") == 0 && one == '!');
  assert(strcmp(set, "ab") == 0 && n == 22);
  assert(sscanf("7 x", "%d %d", &i, &n) == 1 && i == 7 && n == 22);
  assert(sscanf("", "%d", &i) == EOF && sscanf("5%6", "%*d%%%1d", &i) == 1 && i == 6);
}

int main(void) {
  parse();
  pthread_t t;
#ifdef FREED
  char* const gone = strdup("1");
  free(gone);
  (void)strtol(gone, NULL, 10);  // here
#endif
  pthread_create(&t, NULL, change, NULL);
#if defined RACE || defined AFTER
  const long n = strtol(text, NULL, 10);  // here
  assert(n > 0);
#elif defined ATOI
  const int n = atoi(text);  // here
  assert(n > 0);
#elif defined FLOAT
  const double n = strtod(text, NULL);  // here
  assert(n > 0);
#elif defined SCAN
  int n;
  sscanf(text, "%d", &n);  // here
  assert(n > 0);
#endif
  pthread_join(t, NULL);
#ifdef STALE
  assert(atoi((const char*)digits) == 75);
#endif
  return 0;
}
