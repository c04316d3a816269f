// Twins: a thread and the one that its parent created just before it, which can be exchanged without the program
// noticing (SPORE §2.2).
//
// Twins are declared by heddle_spawn_symmetric, or found. Threads t and u are found to be twins if
//
//   - the parent takes no action between the two creates;
//   - both run the same function, with the same argument or without ever looking at it;
//   - the program never asks for a thread's name (pthread_self) nor for random numbers, which differ between threads.
//
// What else could tell found twins apart shows when it happens. Then it is an error of kind `symmetry`, after which the
// program is explored again without them:
//
//   - A thread takes the result of one of them from a join.
//   - A thread accesses memory that the parent has accessed between the creates (the stored handles, too). The create
//     of u orders the parent's access for u, and for the threads that u tells. It does not order it for t, which was
//     created before, nor for the threads that t tells.
//   - A thread that has joined some of them, but not all, accesses memory that another thread has accessed: likewise.
//   - A thread looks at an address in the memory of one of them, or of their children, as a number (entry points order,
//     subtract, inspect, inspect_bytes); or it reads or copies a part of one alone, or puts one where it lies across
//     two words of memory (inspect_place, inspect_copy): from then on it could not be recognised. It may look at
//     whether two addresses are equal, at the place in a block, at which of two blocks of one thread comes first, and
//     at the lowest region::kSameBits bits: in these no two threads that have done the same differ.
//   - One of them creates a key or an exit handler: these are numbered in the order of the calls.
//
// The explorer checks what joins tell otherwise (explore/spore/symmetry.hpp).
//
// Why it is enough to look at what is explored: let P be the program under test, and P' the program that stops with
// this error in the place of its first such step. P' treats twins alike, so each execution of P' is explored up to an
// exchange. If the error occurs in any execution of P', it occurs in one that is explored. If it occurs in none, P'
// does what P does.
#pragma once

#include "native/shadow.hpp"

namespace heddle::symmetry {

// Of a thread, in this execution; all but the first two only of twins that were found, not declared.
struct Twin {
  ThreadId last_child = kNoThread;
  uint32_t last_create = 0;     // own clock then
  bool found = false;           // is a twin, or has one
  bool has_found = false;       // is the parent of such threads
  bool apart = false;           // has joined some of a class, and not all
  ThreadId before = kNoThread;  // the one before in its class
  ThreadId joined_by = kNoThread;
  uint32_t class_start = 0;  // the parent's clock at the create of the first of the class
  uint32_t created_at = 0;   // and at its own
};

struct State {
  bool used = false;  // in this execution; else all is as at the start
  PerThread<Twin> twin;
};
extern State state;

// The twin of the child that t is about to create, if any is found.
ThreadId find(const Thread& t, const void* function, const void* argument, bool c11);
// The same for one that is declared to be symmetric to `twin`; an error if it cannot be.
ThreadId declared(const Thread& t, const void* function, ThreadId twin);
// After the create.
void note(Thread& parent, Thread& child, ThreadId twin, bool declared);
// What t does now is no action, but tells the next thread that it creates from the last one.
// Found twins that do it are told apart.
void come_between(const Thread& t);

// After a join of child by t, and before its result is used.
void note_join(const Thread& t, const Thread& child);
void result_taken(const Thread& child);

// For the whole run.
void begin();
// Back to the state before main, of the threads in rt.threads.
void reset();

}  // namespace heddle::symmetry
