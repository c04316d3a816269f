// The ends of blocks: free and its relatives, locals that go out of scope.
//
// The end of a local variable is no action, so the execution graph does not know of it. That a plain access may come
// after it is seen here, at once; that an atomic one may, which came before it in this run, only an explorer can tell:
// ended_locals says what it needs (explore/judge/races.hpp).
#pragma once

#include "machine/machine.hpp"
#include "native/shadow.hpp"

namespace heddle::lifetime {

struct State {
  HostVector<EndedLocal> ended_locals;
};
extern State state;

// Called when the life of a block has ended; set for the whole run.
using Ended = void (*)(const Block& block);
extern Ended ended;
// Called before it ends, and may find that it must not; likewise.
using Ending = void (*)(const Block& block);
inline Ending ending = nullptr;

// Of the blocks that a thread frees itself, heap.hpp may use the memory again, but not of one that an action has used:
// the memory would be another location then, with the same address. Nor of one of which an access by others might go
// unnoticed: if races do not matter once there are threads, or where hazard pointers protect blocks.

// Ends the life of a block: checks and, once there are threads, an action.
void release(void* p, BlockKind kind);
// Ends the life of a local variable: checks, but no action.
void end_local(void* p);
// Of all local variables of the current thread.
void end_locals();

// Back to the state before main.
inline void reset() { state.ended_locals.clear(); }

}  // namespace heddle::lifetime
