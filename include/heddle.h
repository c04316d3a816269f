/* heddle.h: what a test can say to heddle.
 *
 *   heddle check test.c
 *
 * Include it from C or C++. `heddle check` finds it by itself.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

/* Only look at executions in which the condition holds here. Where it does not, the thread stops; the execution
 * counts as blocked, and nothing is reported for it. Use it to leave out uninteresting cases, or for a loop that
 * waits:   while (!atomic_load(&ready));   ->   heddle_assume(atomic_load(&ready));
 */
void heddle_assume(bool condition);

/* Any of 0, 1, ..., n-1: heddle tries every one. n must be at least 1. */
unsigned heddle_choose(unsigned n);

/* Like assert(), but also there under NDEBUG. */
void heddle_assert(bool condition);

#ifdef __cplusplus
}
#endif

#endif /* HEDDLE_H */
