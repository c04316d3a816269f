// What the programs of the SPORE paper (PLDI 2024, section 4.2 and appendices G and H) have in common.
//
// A loop that tries again after an iteration without effect is written as an assumption that the iteration succeeds:
// the paper's tool blocks such an iteration, so a failed attempt counts as a blocked execution, not as a longer one.
//
// Nothing is freed: the paper's programs free nodes through hazard pointers, which are no events.
#ifndef SPORE_H
#define SPORE_H

#include <assert.h>
#include <genmc.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif
#ifndef M
#define M 1
#endif

static _Thread_local long self;  // the number of this thread, 0 for main

// Starts threads first to last, each symmetric to the one before it. Thread i gets i.
static void start(pthread_t* threads, long first, long last, void* (*function)(void*)) {
  for (long i = first; i <= last; ++i) {
    if (i == first) {
      pthread_create(&threads[i], NULL, function, (void*)i);
    } else {
      threads[i] = __VERIFIER_spawn_symmetric(function, (void*)i, threads[i - 1]);
    }
  }
}

static void join(pthread_t* threads, long first, long last) {
  for (long i = first; i <= last; ++i) pthread_join(threads[i], NULL);
}

#endif
