// Spin locks of Concurrency Kit, from its headers, with their assembly.
// needs: ck_spinlock.h
// $ heddle check ck_spinlock.c -- -DLOCK=fas => verified
// $ heddle check --model tso ck_spinlock.c -- -DLOCK=fas => verified
// aarch64: $ heddle check ck_spinlock.c -- -DLOCK=ticket => verified
// aarch64: $ heddle check --model sc ck_spinlock.c -- -DLOCK=ticket => verified
// On x86-64 the ticket lock reads halves of the word that it adds to.
// x86_64: $ heddle check ck_spinlock.c -- -DLOCK=ticket => exit 2, "mixed-size atomic accesses are not supported"
// $ heddle check --model sc --algorithm await ck_spinlock.c -- -DLOCK=cas => verified
// $ heddle check ck_spinlock.c -- -DLOCK=dec => verified
// $ heddle check ck_spinlock.c -- -DLOCK=fas -DBUG => error race here, "counter"
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

#define JOIN(a, b, c) JOIN_(a, b, c)
#define JOIN_(a, b, c) a##b##c
#define CALL(what) JOIN(ck_spinlock_, LOCK, what)

static JOIN(ck_spinlock_, LOCK, _t) lock;
static int counter;

static void* worker(void* argument) {
  CALL(_lock)(&lock);
  counter++;
  CALL(_unlock)(&lock);
  return argument;
}

int main(void) {
  pthread_t t;
  CALL(_init)(&lock);
  pthread_create(&t, 0, worker, 0);
#ifdef BUG
  counter++;  // here
#else
  worker(0);
#endif
  pthread_join(t, 0);
  assert(counter == 2);
}
