// A thread that tries to take a lock a number of times and then gives up. Both may happen, and nothing else.
// $ heddle check try_often.c => verified
// $ heddle check --model sc try_often.c => verified
// $ heddle check --model tso try_often.c => verified
// $ heddle check --algorithm rcmc try_often.c => verified
// $ heddle check --algorithm await --model sc try_often.c => verified
// $ heddle check try_often.c -- -DTRIES=1000000 => verified
// $ heddle check --algorithm await --model sc try_often.c -- -DTRIES=1000000 => verified
// $ heddle check try_often.c -- -DNEVER_TAKEN => error assertion
// $ heddle check try_often.c -- -DNEVER_GIVEN_UP => error assertion
// $ heddle check try_often.c -- -DNEVER_TAKEN -DTRIES=1000000 => error assertion
// $ heddle check try_often.c -- -DNEVER_GIVEN_UP -DTRIES=1000000 => error assertion
// $ heddle check --model sc try_often.c -- -DNEVER_TAKEN => error assertion
// $ heddle check --model sc try_often.c -- -DNEVER_GIVEN_UP => error assertion
// $ heddle check --model tso try_often.c -- -DNEVER_TAKEN => error assertion
// $ heddle check --model tso try_often.c -- -DNEVER_GIVEN_UP => error assertion
// $ heddle check --algorithm rcmc try_often.c -- -DNEVER_TAKEN => error assertion
// $ heddle check --algorithm rcmc try_often.c -- -DNEVER_GIVEN_UP => error assertion
// $ heddle check --algorithm await --model sc try_often.c -- -DNEVER_TAKEN => error assertion
// $ heddle check --algorithm await --model sc try_often.c -- -DNEVER_GIVEN_UP => error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef TRIES
#define TRIES 1024
#endif

static atomic_bool held;
static int shared;

static bool try_lock(void) { return !atomic_exchange_explicit(&held, true, memory_order_acquire); }
static void unlock(void) { atomic_store_explicit(&held, false, memory_order_release); }

static bool lock(void) {
  for (unsigned i = 0; i < TRIES; ++i) {
    if (try_lock()) return true;
  }
  return false;
}

static void* patient(void* arg) {
  while (!try_lock()) {
  }
  ++shared;
  unlock();
  return arg;
}

static void* impatient(void* arg) {
  if (lock()) {
    ++shared;
    unlock();
#ifdef NEVER_TAKEN
    assert(0);
#endif
  } else {
#ifdef NEVER_GIVEN_UP
    assert(0);
#endif
  }
  return arg;
}

int main(void) {
  pthread_t p, i;
  pthread_create(&p, 0, patient, 0);
  pthread_create(&i, 0, impatient, 0);
  pthread_join(p, 0);
  pthread_join(i, 0);
  assert(shared == 1 || shared == 2);
  return 0;
}
