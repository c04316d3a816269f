// What a thread does in the rounds of its waiting loops, and whether it has taken all of it back.
//
// A round of a loop that ends in the state in which it began can be left out (frontend/loops/rounds.cpp). Most of what
// changes memory counts as a change for good: change(). From the first round of a thread on, what a round may take back
// is noted instead:
//
//   plain writes   of the program, that are no actions. Taken back if the bytes are as they were, or gone: of a
//                  variable whose life has ended, of a frame that has been left, of a block that has been freed.
//   allocations    Taken back if the thread frees the block in the same round.
//   atomic writes  Taken back if the location has the value again that the thread has found or left there. Of a
//                  location that the thread only updates, the differences must add up to zero: others may come between.
//                  Updates with results that nobody uses may leave something: they count, and nobody may read the
//                  count.
//
// So of an atomic write the machine knows what this thread does, and not what the others do meanwhile. The explorer
// does: explore/judge/taken_back.hpp.
//
// Others must not see plain writes in the meantime. Let w be such a write, and w' the one that takes it back. A thread
// that sees w without a race knows of an action of this thread after w (it tells); and w' knows of that thread's read,
// so that this thread has learnt of it by a later action (it hears). So between w and w' the thread must not hear after
// it has told.
//
// At most kMost notes are kept. A note too many is a change for good, and ends the taking of notes until the next round
// begins.
#pragma once

#include "native/shadow.hpp"

namespace heddle::changes {

inline constexpr std::size_t kMost = 256;
inline constexpr uint64_t kMostBytes = 256;  // of a plain write; a larger one is a change for good

// How many notes the current thread has taken. A round begins: from here on, it takes notes.
uint32_t begin_round();
inline uint32_t here() { return rt.current->noted; }

// Whether all is taken back that the thread has noted since; `site`: if not, of something that is not. Nothing of it
// may be an atomic write, unless `atomics`.
bool are_undone(uint32_t since, bool atomics, SiteId& site);
// What was noted since then is no change.
void forget(uint32_t since);

// Before a plain write is admitted, and before it is done.
struct Before {
  bool on = false;
  bool had_value = false;  // all the bytes
};
Before look(Address a, uint64_t n);
void note_write(Before before, Address a, const void* in, uint64_t n);
[[gnu::always_inline]] inline Before before_write(Address a, uint64_t n) {
  if (!rt.current->notes) [[likely]]
    return {};
  return look(a, n);
}
[[gnu::always_inline]] inline void write(Before before, Address a, const void* in, uint64_t n) {
  if (!before.on) [[likely]]
    return change();
  note_write(before, a, in, n);
}

void note_allocated(Address a);
void note_freed(Address a);

// Of atomic accesses of the program. A store does not know what was there.
void note_store(Address a, unsigned size, Value value);
void note_update(Address a, unsigned size, Value before, Value after, bool unused);

}  // namespace heddle::changes
