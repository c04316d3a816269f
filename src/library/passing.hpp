// Locks that are held in passing: mutexes and readers-writer locks.
//
// A thread t that locks m and unlocks it without a change in between has held m in passing. In a round of a loop this
// is no change: without t, the next lock of m would have read from what t's lock has read from. So the round can be
// left out (frontend/loops/rounds.cpp), unless a trylock of m has failed because of it. A failed trylock of thread u
// does no harm if u then gives back what it held in passing and stops at the end of such a round itself: the round of u
// is left out as well, with the failed trylock in it, and so are all others that met it. So nothing is lost as long as
// no thread does anything else after a trylock of such a lock has failed. When one does, the exploration starts again
// (explore/restarts.hpp). First, trylocks of such locks may fail at any time, which covers all that the program can do.
// If that shows an error that needs such a failure, it starts again with these rounds as others.
//
// Of a readers-writer lock, t may be one of several readers. Then their number is less by one without t, from its lock
// to its unlock. Nobody can tell but a writer: one that waits until it is 0 goes on as well, and one that tries may
// fail.
#pragma once

#include "core/action.hpp"
#include "library/clocks.hpp"
#include "native/access.hpp"

namespace heddle::library::passing {

// A trylock has failed.
void note_failure(Address lock);

// Whether a trylock fails although nobody need hold the lock: the second of the three explorations.
bool fails_at_will(Address lock, Purpose purpose);

// The lock has been given back in passing.
void note_passed(Address lock, uint64_t changed, const Passed& in_vain);

// Gives back a lock. changed: the thread's last change before it took the lock; taken: the change that this was.
template <class Release>
void give_back(Address lock, uint64_t changed, uint64_t taken, const Release& release) {
  Thread& t = *rt.current;
  const bool in_passing = t.changed == taken && rt.passing != Passing::seen;
  const Passed in_vain = t.in_vain;
  if (in_passing) t.in_vain = {};
  release();
  if (in_passing) note_passed(lock, changed, in_vain);
}

}  // namespace heddle::library::passing
