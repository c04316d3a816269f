/* genmc.h: heddle's own version of the interface that GenMC documents, so that tests written for it run unchanged. */
#ifndef HEDDLE_GENMC_H
#define HEDDLE_GENMC_H

#pragma clang system_header /* no warnings about what the macros below make of their arguments */

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

/* Mark a loop that only waits. They change nothing: heddle finds such loops itself. What is given to the end, such as
 * the condition of the loop, is evaluated. */
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(void);
#define __VERIFIER_spin_end(...) ((void)(0, ##__VA_ARGS__), __VERIFIER_spin_end())

#ifdef __cplusplus
}
#endif

/* Threads, as pthread_create and pthread_join make and end them. */
typedef pthread_t __VERIFIER_thread_t;
#define __VERIFIER_spawn(function, argument)                       \
  __extension__({                                                  \
    pthread_t heddle_thread_;                                      \
    pthread_create(&heddle_thread_, NULL, (function), (argument)); \
    heddle_thread_;                                                \
  })
#define __VERIFIER_join(thread)              \
  __extension__({                            \
    void* heddle_result_;                    \
    pthread_join((thread), &heddle_result_); \
    heddle_result_;                          \
  })

/* What a test says of single accesses, so that another checker may leave something out. heddle does what stands in the
 * parentheses and believes nothing. A semicolon at its end is fine. */
#define __VERIFIER_final_write(...) __extension__({ __VA_ARGS__; })
#define __VERIFIER_final_CAS(...) __extension__({ __VA_ARGS__; })
#define __VERIFIER_local_write(...) __extension__({ __VA_ARGS__; })
#define __VERIFIER_optional(...) __extension__({ __VA_ARGS__; })
#define __VERIFIER_speculative_read(...) __extension__({ __VA_ARGS__; })
#define __VERIFIER_confirming_CAS(...) __extension__({ __VA_ARGS__; })

/* Hazard pointers: see heddle.h. */
typedef heddle_hp_t __VERIFIER_hp_t;
#define __VERIFIER_hp_alloc() heddle_hp_alloc()
#define __VERIFIER_hp_free(hp) heddle_hp_free(hp)
#define __VERIFIER_hp_protect(hp, location) heddle_hp_protect(hp, location)
#define __VERIFIER_hp_clear(hp) heddle_hp_clear(hp)
#define __VERIFIER_hp_retire(block) heddle_hp_retire(block)

#endif /* HEDDLE_GENMC_H */
