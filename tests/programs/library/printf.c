// printf's family, with every conversion, from private copies.
// $ heddle check printf.c => verified, 1 executions
// $ heddle check printf.c -- -DSMALL => error memory here
// $ heddle check printf.c -- -DUNENDED => error memory here
// $ heddle check printf.c -- -DUNSET => error memory here
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char out[256];

static int into(const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(out, sizeof out, format, list);
  va_end(list);
  return n;
}
#define SAME(text, ...)                                                     \
  do {                                                                      \
    assert(into(__VA_ARGS__) == (int)strlen(text));                         \
    assert(strcmp(out, text) == 0);                                         \
  } while (0)

int main(void) {
  SAME("", "%s", "");
  SAME("plain 100%", "plain %d%%", 100);
  SAME("-5 5 +5  5 00005 5    |", "%d %u %+d % d %05d %-5d|", -5, 5u, 5, 5, 5, 5);
  SAME("ff FF 0xff 377 0377", "%x %X %#x %o %#o", 255, 255, 255, 255, 255);
  SAME("-1 65535 -1 255", "%hd %hu %hhd %hhu", -1, 65535, -1, 255);
  SAME("-9223372036854775808 18446744073709551615", "%ld %lu", INT64_MIN, UINT64_MAX);
  SAME("1 2 3 4 5", "%lld %jd %zd %td %zu", 1LL, (intmax_t)2, (ssize_t)3, (ptrdiff_t)4, (size_t)5);
  SAME("1.500000 1.5 1.50e+00 1.5 0x1.8p+0 INF", "%f %g %.2e %.1f %a %F", 1.5, 1.5, 1.5, 1.5, 1.5, __builtin_inf());
  SAME("2.5 0000002.50", "%.1Lf %010.2Lf", 2.5L, 2.5L);
  SAME("x    x|   x", "%c %4c|%*c", 'x', 'x', 4, 'x');
  SAME("abc|abc  |  abc|ab|ab  ", "%s|%-5s|%5s|%.2s|%-*.*s", "abc", "abc", "abc", "abc", 4, 2, "abc");
  SAME("(null) (nil)", "%s %p", (char*)NULL, NULL);
  SAME("wide a", "%ls %lc", L"wide", L'a');
  SAME("two one", "%2$s %1$s", "one", "two");
  SAME("  7 0007", "%1$*2$d %1$.4d", 7, 3);
  errno = ENOENT;
  SAME("No such file or directory", "%m");
  int n = 0;
  signed char small = 0;
  long large = 0;
  SAME("abcdef", "abc%n%hhnde%lnf", &n, &small, &large);
  assert(n == 3 && small == 3 && large == 5);

  char few[4] = "zzz";
  assert(snprintf(few, 3, "%d", 12345) == 5 && strcmp(few, "12") == 0);
  assert(snprintf(few, 0, "%d", 12345) == 5 && strcmp(few, "12") == 0);
  assert(snprintf(NULL, 0, "%s", "hello") == 5);
  assert(sprintf(few, "%d", 999) == 3 && strcmp(few, "999") == 0);
  char* made = NULL;
  assert(asprintf(&made, "%s-%d", "a", 1) == 3 && strcmp(made, "a-1") == 0);
  free(made);

  const char unended[2] = {'a', 'b'};
  SAME("ab", "%.2s", unended);
  SAME("ab", "%.*s", 2, unended);
  char* const block = malloc(3);
#if defined SMALL
  sprintf(block, "%d", 1000);  // here
#elif defined UNENDED
  memset(block, 'x', 3);
  printf("%s", block);  // here
#elif defined UNSET
  printf("%c%s", 'a', block);  // here
#else
  assert(sprintf(block, "%d", 10) == 2);
#endif
  free(block);
  return 0;
}
