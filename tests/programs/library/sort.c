// qsort, qsort_r, bsearch, lfind and lsearch are compiled with the program: the comparison sees what it stores.
// $ heddle check sort.c => verified, 1 executions
// $ heddle check --races ignore sort.c => verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct item {
  atomic_int key;
  int number;
};
static struct item table[7];
static int compared;

static int by_key(const void* a, const void* b) {
  ++compared;
  return ((const struct item*)a)->key - ((const struct item*)b)->key;
}
static int with_sign(const void* a, const void* b, void* sign) { return *(int*)sign * by_key(a, b); }
static int words(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

static void* fill(void* unused) {
  for (int i = 0; i < 7; ++i) {
    table[i].key = i * 5 % 7 / 2;  // 0 2 1 0 3 2 1
    table[i].number = i;
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fill, NULL);
  pthread_join(t, NULL);
  qsort(table, 7, sizeof table[0], by_key);
  for (int i = 1; i < 7; ++i) {
    assert(table[i - 1].key <= table[i].key);
    if (table[i - 1].key == table[i].key) assert(table[i - 1].number < table[i].number);  // stable, as in the GNU library
  }
  struct item wanted = {3, 0};
  struct item* found = bsearch(&wanted, table, 7, sizeof table[0], by_key);
  assert(found == &table[6] && found->number == 4);
  wanted.key = 4;
  assert(bsearch(&wanted, table, 7, sizeof table[0], by_key) == NULL);
  assert(bsearch(&wanted, table, 0, sizeof table[0], by_key) == NULL);
  int sign = -1;
  qsort_r(table, 7, sizeof table[0], with_sign, &sign);
  assert(table[0].number == 4 && table[0].key == 3 && table[6].key == 0);
  assert(compared > 0);

  char* list[4] = {"pear", "apple", "fig"};
  qsort(list, 3, sizeof list[0], words);
  assert(strcmp(list[0], "apple") == 0 && strcmp(list[1], "fig") == 0 && strcmp(list[2], "pear") == 0);
  size_t count = 3;
  char* key = "fig";
  assert(lfind(&key, list, &count, sizeof list[0], words) == &list[1]);
  key = "plum";
  assert(lfind(&key, list, &count, sizeof list[0], words) == NULL);
  assert(lsearch(&key, list, &count, sizeof list[0], words) == &list[3] && count == 4);
  return 0;
}
