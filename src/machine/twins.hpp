// Twins: a thread and the one that its parent created just before, which can be exchanged without the program
// noticing (papers/spore-pldi24.md §2.2). They are declared by heddle_spawn_symmetric, or found:
//
//   - the parent does nothing visible between the two creates, and writes no memory that others can see;
//   - both run the same function, with the same argument or without ever looking at it;
//   - the program never asks for a thread's name (pthread_self) nor for random numbers, which differ between threads;
//   - nobody takes the result of either thread from a join: this shows when it happens, and is then an error of
//     kind `symmetry`, after which one explores again without symmetry.
//
// What joins tell otherwise, the explorer checks. Addresses in memory of a thread's own count as opaque.
#pragma once

#include "machine/runtime.hpp"

namespace heddle::twins {

// The twin of the child that t is about to create, if any is found.
ThreadId find(const Thread& t, const void* function, const void* argument, bool c11);
// The same for one that is declared to be symmetric to `twin`; an error if it cannot be.
ThreadId declared(const Thread& t, const void* function, ThreadId twin);
// After the create.
void note(Thread& parent, Thread& child, ThreadId twin, bool declared);
// Before the result of a join is used.
void result_taken(const Thread& child);

}  // namespace heddle::twins
