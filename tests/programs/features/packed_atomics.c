// Atomic members of a packed structure: those that are not aligned are atomic by a lock of the library's.
// $ heddle check packed_atomics.c => verified
// $ heddle check --model tso packed_atomics.c => verified
// $ heddle check --model sc --algorithm await packed_atomics.c => verified
// $ heddle check --model sc --algorithm rvf packed_atomics.c => verified
// $ heddle check packed_atomics.c -- -DLOST => error assertion here
// $ heddle check packed_atomics.c -- -DNOT_ATOMIC => error race
// $ heddle check packed_atomics.c -- -DBUFFERS => verified
// $ heddle check packed_atomics.c -- -DPOINTER => error memory, "misaligned atomic access of 4 bytes"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#pragma clang diagnostic ignored "-Watomic-alignment"
#pragma clang diagnostic ignored "-Waddress-of-packed-member"

struct __attribute__((packed)) S {
  _Atomic int aligned;
  char c;
  _Atomic int x;
  _Atomic long y;
  _Atomic unsigned short bits;
} s __attribute__((aligned(16))), other __attribute__((aligned(16)));

int seen[2];

static void add(struct S* p, int bit) {
  atomic_fetch_add(&p->aligned, 1);
#ifdef LOST
  atomic_store(&p->x, atomic_load(&p->x) + 1);
#else
  atomic_fetch_add(&p->x, 1);
#endif
  p->y++;
  int expected = atomic_load(&p->x);
  while (!atomic_compare_exchange_weak(&p->x, &expected, expected + 10)) {
  }
  atomic_fetch_or(&p->bits, 1 << bit);
}

void* run(void* argument) {
#ifdef BUFFERS
  atomic_store(&s.x, 1);
  seen[0] = atomic_load(&other.x);
#else
  add(&s, 3);
#endif
  return argument;
}

int main() {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
#if defined BUFFERS
  atomic_store(&other.x, 1);
  seen[1] = atomic_load(&s.x);
  pthread_join(t, 0);
  assert(seen[0] || seen[1]);
#else
  add(&s, 5);
#ifdef NOT_ATOMIC
  int copy = *(volatile char*)&s.x;
  (void)copy;
#endif
#ifdef POINTER
  _Atomic int* p = &s.x;
  atomic_load(p);
#endif
  pthread_join(t, 0);
  assert(s.aligned == 2 && s.y == 2 && s.bits == (1 << 3 | 1 << 5));
  assert(s.x == 22);  // here
  assert(atomic_exchange(&s.y, 7) == 2 && s.y == 7);
#endif
  return 0;
}
