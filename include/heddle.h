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
 * Of the latter, only executions in which the thread never gets what it assumes are blocked.
 */
void heddle_assume(bool condition);

/* Any of 0, 1, ..., n-1: heddle tries every one. n must be at least 1. */
unsigned heddle_choose(unsigned n);

/* Like assert(), but also there under NDEBUG. */
void heddle_assert(bool condition);

/* Symmetric threads. Creates a thread like pthread_create, and returns it. The caller promises that exchanging it with
 * `previous`, which was created just before and runs the same function, makes no difference to the program; then only
 * one of the executions that differ in nothing else is looked at. heddle finds such threads by itself when the function
 * has the same argument or does not use it; this is for the rest. */
unsigned long heddle_spawn_symmetric(void* (*function)(void*), void* argument, unsigned long previous);
/* Waits for a thread and returns its result. */
void* heddle_join_symmetric(unsigned long thread);

/* Operations that others may help with: reads and then one compare-and-swap, whose result is not used, and which a
 * thread may do for another one (advancing the tail of a queue, completing a descriptor).
 *
 *   heddle_helped(atomic_compare_exchange_strong(&tail, &t, node));     by the thread whose operation it is
 *   heddle_helping(atomic_compare_exchange_strong(&tail, &t, next));    by a thread that does it for another
 *   heddle_helped(complete(d));                                         void complete(struct desc* d) {...}
 *
 * Helping is then left out, because it makes no difference which thread succeeds. Where that is wrong, heddle says why.
 * The operation is looked at before it is done, so the expression is evaluated several times. The result includes the
 * variable with the expected value, which a failed compare-and-swap changes: it must not be used either. */
bool heddle_help_begin(void);
void heddle_help_again(void);
void heddle_helped_end(void);
void heddle_helped_done(void);
void heddle_helping_end(void);
#define heddle_help_look(...) (void)(__VA_ARGS__), heddle_help_again(), (void)(__VA_ARGS__)
#define heddle_helped(...)                                                                                      \
  ((heddle_help_begin() ? (heddle_help_look(__VA_ARGS__), heddle_helped_end()) : (void)0), (void)(__VA_ARGS__), \
   heddle_helped_done())
#define heddle_helping(...) \
  (heddle_help_begin() ? (heddle_help_look(__VA_ARGS__), heddle_helping_end()) : (void)(__VA_ARGS__))
/* The same with a result, for loops that try again after they have helped: whether the compare-and-swap succeeded, and
 * false where it is left out.   heddle_assume(heddle_helping_cas(atomic_compare_exchange_strong(&tail, &t, next)));  */
#define heddle_helping_cas(...) \
  (heddle_help_begin() ? (heddle_help_look(__VA_ARGS__), heddle_helping_end(), false) : (bool)(__VA_ARGS__))

/* Hazard pointers, to free memory that other threads may still be reading.
 *
 *   heddle_hp_t hp = {0};                                 zero protects nothing; or heddle_hp_alloc()
 *   struct node* n = heddle_hp_protect(&hp, &top);        top is an _Atomic(struct node*) or a std::atomic<node*>
 *   ... n->next ...
 *   heddle_hp_clear(&hp);
 *
 *   if (atomic_compare_exchange_strong(&top, &n, n->next)) heddle_hp_retire(n);
 *
 * heddle_hp_protect is an acquire load. The block of memory that its result points into is protected from then on, for
 * this thread, until the hazard pointer is cleared, freed, goes out of scope, or is about to protect something else.
 * heddle_hp_retire says that no pointer to the block is left where others may find it: it is freed, without running a
 * destructor, as soon as it is not protected. From then on only threads that protect it may use it. A hazard pointer
 * belongs to one thread at a time. */
typedef struct heddle_hp {
  void* opaque;
} heddle_hp_t;
heddle_hp_t* heddle_hp_alloc(void);
void heddle_hp_free(heddle_hp_t* hp);
void* heddle_hp_protect(heddle_hp_t* hp, const volatile void* location);
void heddle_hp_clear(heddle_hp_t* hp);
void heddle_hp_retire(void* block);

#ifdef __cplusplus
}

template <class Atomic>
inline auto heddle_hp_protect(heddle_hp_t* hp, Atomic* location) -> decltype(location->load()) {
  return static_cast<decltype(location->load())>(heddle_hp_protect(hp, static_cast<const volatile void*>(location)));
}
template <class Atomic>
inline auto heddle_hp_protect(heddle_hp_t* hp, Atomic* location) -> decltype(__c11_atomic_load(location, 0)) {
  return static_cast<decltype(__c11_atomic_load(location, 0))>(
      heddle_hp_protect(hp, static_cast<const volatile void*>(location)));
}
#else
#define heddle_hp_protect(hp, location) ((__typeof__((void)0, *(location)))heddle_hp_protect((hp), (location)))
#endif

#endif /* HEDDLE_H */
