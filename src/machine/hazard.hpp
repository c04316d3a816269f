// Hazard pointers: heddle_hp_* of heddle.h (Michael, Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects,
// IEEE TPDS 15(6), 2004).
//
// A real protect publishes the pointer that it has read and reads it once more; a real retire looks at all that is
// published. Here a protect is one acquire load, and a retire one action of kind `free`; nothing else is visible. What
// remains to be checked is whether each access to a retired block is right:
//
//   - it happens before the retire, or
//   - it is guarded: made while a hazard pointer of the same thread protects the block. The protection counts from the
//     protect to the clear, unless the retire may have come before the protect, and so missed it.
//
// The last point has two halves. That the retire happens before the protect is seen here, at once; the hazard pointer
// then protects nothing. That the two are unordered and could have come in the other order only an explorer can tell:
// guarded_uses gives it what it needs (explore/hazards.hpp).
//
// The unguarded accesses that were made before a retire are found like those before a free: atomic ones in the
// execution graph (Action::guarded), plain ones by an epoch per thread and block.
//
// All this is done only for programs that use hazard pointers (rt.hazards).
#pragma once

#include "machine/runtime.hpp"

namespace heddle::hazard {

// The block that the value read lies in is protected from now on; what `pointer` protected before no longer is, and was
// not while the location was read: a real protect would read it once more.
Address protect(Address pointer, Address location);
void clear(Address pointer);

// Before the access is recorded, or when the action is performed. They do not return if it is an error.
void note_plain(Thread& t, Address a, uint64_t size, bool writes);
void note_action(Thread& t, Address a, unsigned size, bool writes);
// Whether note_action would not return.
bool forbids(const Thread& t, Address a);

// Just after the action of retiring the block: all unguarded accesses must happen before it. Marks the block.
void retire(Thread& t, Block& block);
// The life of this block ends: hazard pointers that lie in it are no more.
void forget(const Block& block);

// See Machine.
std::span<const GuardedUse> guarded_uses();

// Back to the state before main.
void reset();

}  // namespace heddle::hazard
