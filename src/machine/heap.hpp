// Blocks in the threads' arenas. Addresses depend only on the thread's own history; nothing is reused in an execution.
#pragma once

#include "machine/runtime.hpp"

namespace heddle::heap {

// A block of the current thread. Its contents are zero, but count as uninitialised unless `initialised`.
void* allocate(uint64_t size, uint64_t align, BlockKind kind, bool initialised);
// Ends the life of a block: checks and, once there are threads, an action.
void release(void* p, BlockKind kind);
// Says that a block is unlinked: its life ends as soon as no hazard pointer protects it (hazard.hpp).
void retire(void* p);
// Ends the life of a local variable: checks, but no action.
void end_local(void* p);

// The block that the byte lies in; null if none.
Block* find(Address a);
// The block that ends last at or before a, or begins first after it: what an access out of bounds missed.
const Block* nearest(Address a);
// "a block of 16 bytes from malloc at stack.c:12".
std::string describe(const Block& b);
ThreadId owner(Address a);

// Of thread t, at its start in an execution.
void reset(Thread& t);

}  // namespace heddle::heap
