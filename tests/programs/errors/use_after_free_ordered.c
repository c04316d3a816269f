// The use comes after the free, by happens-before. It is not a missing order that is wrong.
// $ heddle check use_after_free_ordered.c => error memory here, "which is freed"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
  int a, b;
};
struct item* item;
atomic_int done;

void* owner(void* arg) {
  free(item);  // here
  atomic_store_explicit(&done, 1, memory_order_release);
  return arg;
}

void* user(void* arg) {
  if (atomic_load_explicit(&done, memory_order_acquire)) item->b = 3;  // here
  return arg;
}

int main(void) {
  pthread_t a, b;
  item = malloc(sizeof *item);
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
