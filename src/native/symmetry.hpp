// Twins: a thread and the one that its parent created just before, which can be exchanged without the program
// noticing (SPORE §2.2). They are declared by heddle_spawn_symmetric, or found:
//
//   - the parent takes no action between the two creates;
//   - both run the same function, with the same argument or without ever looking at it;
//   - the program never asks for a thread's name (pthread_self) nor for random numbers, which differ between threads.
//
// What else could tell found twins apart shows when it happens, and is then an error of kind `symmetry`, after which
// one explores again without them:
//
//   - the result of one of them is taken from a join;
//   - a thread accesses memory that the parent has accessed between the creates (the stored handles, too): the create
//     orders that for this twin, but not for those that were created before, nor for whom they tell;
//   - a thread that has joined some of them, but not all, accesses memory that another thread has accessed: likewise.
//
//   - anybody looks at an address in the memory of one of them, or of their children, as a number (entry points order,
//     subtract, inspect, inspect_bytes): not at whether two are equal, at the place in a block, at which of two blocks
//     of one thread comes first, nor at the lowest region::kSameBits bits, in which no two threads that have done the
//     same differ;
//   - one of them creates a key or an exit handler: they are numbered in the order of the calls.
//
// What joins tell otherwise, the explorer checks.
//
// Why it is enough to look at what is explored: take the program that stops with this error in the place of its first
// such step. It treats twins alike, so each of its executions is explored up to an exchange; if the error occurs in
// any, it occurs in one that is explored. If it does not, the program is the one under test.
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
