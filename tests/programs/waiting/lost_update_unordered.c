// A loop that waits for two updates of which one is lost. Where writes have no order, both are the last, and both are 1.
// $ heddle check --model wrc11 --algorithm rcmc lost_update_unordered.c => error livelock
// $ heddle check --model wrc11 --algorithm rcmc --no-await lost_update_unordered.c => error livelock
// $ heddle check --model wrc11 --algorithm rcmc --no-purity lost_update_unordered.c => error livelock
// $ heddle check --model rc11 --algorithm rcmc lost_update_unordered.c => error livelock
// $ heddle check lost_update_unordered.c => error livelock
// $ heddle check --model wrc11 --algorithm rcmc lost_update_unordered.c -- -DATOMIC => verified
// $ heddle check --model wrc11 --algorithm rcmc lost_update_unordered.c -- -DOTHER => error livelock
// $ heddle check --model wrc11 --algorithm rcmc --no-await lost_update_unordered.c -- -DOTHER => error livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n, stop;

static void* work(void* arg) {
#ifdef ATOMIC
  atomic_fetch_add(&n, 1);
#elif defined OTHER
  atomic_store(&n, 1);
#else
  atomic_store(&n, atomic_load(&n) + 1);
#endif
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, work, NULL);
  pthread_create(&u, NULL, work, NULL);
#ifdef OTHER
  while (n != 2 && n != 3) {
  }
#else
  while (n < 2 && !stop) {
  }
#endif
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
