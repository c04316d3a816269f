/* genmc.h: heddle's own version of the interface that GenMC documents, so that tests written for it run unchanged. */
#ifndef HEDDLE_GENMC_H
#define HEDDLE_GENMC_H

#include <pthread.h>

#include "heddle.h"
#include "verifier.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Symmetric threads and operations that others may help with: see heddle.h. */
#define __VERIFIER_helped_CAS(...) heddle_helped(__VA_ARGS__)
#define __VERIFIER_helping_CAS(...) heddle_helping_cas(__VA_ARGS__)
pthread_t __VERIFIER_spawn_symmetric(void* (*function)(void*), void* argument, pthread_t twin);

/* Waits for such a thread and returns its result. */
void* __VERIFIER_join_symmetric(pthread_t thread);

/* Mark a loop that only waits. They change nothing: heddle finds such loops itself. */
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(void);

#ifdef __cplusplus
}
#endif

/* Hazard pointers: see heddle.h. */
typedef heddle_hp_t __VERIFIER_hp_t;
#define __VERIFIER_hp_alloc() heddle_hp_alloc()
#define __VERIFIER_hp_free(hp) heddle_hp_free(hp)
#define __VERIFIER_hp_protect(hp, location) heddle_hp_protect(hp, location)
#define __VERIFIER_hp_clear(hp) heddle_hp_clear(hp)
#define __VERIFIER_hp_retire(block) heddle_hp_retire(block)

#endif /* HEDDLE_GENMC_H */
