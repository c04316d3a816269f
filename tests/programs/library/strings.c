// string.h and wchar.h: every byte that is read or written is checked.
// $ heddle check strings.c => verified, 1 executions
// $ heddle check strings.c -- -DCOMPARE => error race here
// $ heddle check strings.c -- -DTOKENS => error race here
// $ heddle check strings.c -- -DWIDE => error race here
// $ heddle check strings.c -- -DSEPARATE => error memory here
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char a[8] = "abcdefg";
static char b[8] = "xbcdefg";
static wchar_t wide[4] = L"abc";

static void* change(void* unused) {
  a[6] = 'z';  // behind the first difference
  wide[1] = L'z';
#ifdef TOKENS
  char list[] = "p q";
  strtok(list, " ");  // here
#endif
  return unused;
}

int main(void) {
  char list[] = "a,b;;c";
  assert(strcmp(strtok(list, ",;"), "a") == 0 && strcmp(strtok(NULL, ",;"), "b") == 0);
  assert(strcmp(strtok(NULL, ",;"), "c") == 0 && strtok(NULL, ",;") == NULL && strtok(NULL, ",;") == NULL);
  char fields[] = "x::y";
  char* rest = fields;
  assert(strcmp(strsep(&rest, ":"), "x") == 0 && *strsep(&rest, ":") == 0 && strcmp(strsep(&rest, ":"), "y") == 0);
  assert(rest == NULL && strsep(&rest, ":") == NULL);
  assert(memmem("hello", 5, "ll", 2) != NULL && memmem("hello", 5, "lx", 2) == NULL && memmem("a", 1, "", 0) != NULL);
  char to[8] = "#######";
  assert(memccpy(to, "ab,cd", ',', 5) == to + 3 && memcmp(to, "ab,####", 7) == 0);
  assert(stpncpy(to, "xy", 4) == to + 2 && to[3] == 0 && to[4] == '#');
  assert(strcasestr("Hello", "LL") != NULL && strxfrm(to, "abc", 8) == 3 && strcmp(to, "abc") == 0);
  assert(memcmp(a, b, 8) < 0 && wcslen(wide) == 3 && wcscmp(wide, L"abd") < 0);
  wchar_t more[8];
  wcscpy(more, L"ab");
  wcscat(more, L"cd");
  assert(wcsncmp(more, L"abcx", 3) == 0 && wcschr(more, L'c') == more + 2 && wcsstr(more, L"cd") == more + 2);
  assert(wcsrchr(more, L'a') == more && wmemchr(more, L'd', 4) == more + 3 && wmemcmp(more, L"abcd", 4) == 0);
#ifdef SEPARATE
  char* const gone = strdup("a b");
  char* part = gone;
  free(gone);
  strsep(&part, " ");  // here
#endif
  pthread_t t;
  pthread_create(&t, NULL, change, NULL);
#ifdef COMPARE
  int order = memcmp(a, b, 7);  // here
  assert(order < 0);
#elif defined TOKENS
  strtok(list, " ");  // here
#elif defined WIDE
  int order = wcscmp(wide, L"abc");  // here
  assert(order == 0);
#endif
  pthread_join(t, NULL);
  return 0;
}
