/* genmc.h: heddle's own version of the interface that GenMC documents, so that tests written for it run unchanged. */
#ifndef HEDDLE_GENMC_H
#define HEDDLE_GENMC_H

#include <pthread.h>

#include "verifier.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates a thread like pthread_create, and returns it. The caller promises that exchanging it with `twin`, which runs
 * the same function, makes no difference to the program. */
pthread_t __VERIFIER_spawn_symmetric(void* (*function)(void*), void* argument, pthread_t twin);

/* Waits for such a thread and returns its result. */
void* __VERIFIER_join_symmetric(pthread_t thread);

/* Mark a loop that only waits. They change nothing: heddle finds such loops itself. */
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(void);

#ifdef __cplusplus
}
#endif

#endif /* HEDDLE_GENMC_H */
