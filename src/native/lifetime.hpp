// The ends of blocks: free and its relatives, locals that go out of scope. This room has no state of an execution; it
// keeps hooks for rooms above.
#pragma once

#include "native/shadow.hpp"

namespace heddle::lifetime {

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

}  // namespace heddle::lifetime
