// Threads that wait until another one wakes them: what condition variables, futexes and waits for an atomic have in
// common.
//
// A queue is a word of eight bytes in which the bit of a thread, its number modulo 64, is set while it waits. The
// thread that wakes it clears the bit, and then writes to a word of the waiting thread how often that has been woken:
// there the thread waits. So an execution tells which thread has woken which, and nothing else about it: what other
// threads do with the queue later does not matter to a thread that was woken.
//
// Of a queue with bit sets each thread has 32 bits, so that its word has sixteen bytes for four threads. The waking
// thread names a set, too, and wakes only threads whose sets have a bit in common with it.
#pragma once

#include "core/ids.hpp"
#include "native/threads.hpp"

namespace heddle::library::parking {

// The queue of threads that wait for something at this address of the program. It is another word for each, and the
// same in all executions.
Address queue_of(Address object);

// The threads of what was read of a queue. (There may be a notification in it that was kept: OtherNotice.)
uint64_t waiting_in(Value queue);

// The current thread waits from now on. `object` is for messages.
void enter(Address queue, Address object);
// It goes on when it has been woken; with a time limit it need not be for ever.
void sleep(bool timed = false);
// Instead of sleep: the thread does not want to wait any more. False if another thread has woken it meanwhile; that
// wake-up may have been meant for a third one.
bool leave(Address queue);

// Wakes some of those that wait, but `most` at most; returns how many. Which ones is a choice.
inline constexpr unsigned kAll = ~0u;
unsigned wake(Address queue, unsigned most);
// In one step wakes some and moves others to another queue, of this object; returns how many in all.
unsigned wake_and_move(Address from, Address to, Address object, unsigned wakes, unsigned moves);

// The same for queues with bit sets.
inline constexpr uint32_t kAnyBit = ~0u;
void enter_with_bits(Address queue, Address object, uint32_t bits);
bool leave_with_bits(Address queue);
unsigned wake_by_bits(Address queue, unsigned most, uint32_t bits);
unsigned wake_and_move_with_bits(Address from, Address to, Address object, unsigned wakes, unsigned moves,
                                 uint32_t bits);

// The current thread has entered a queue with a time limit. It is moved to another one, and reaches the limit there. An
// execution in which it is not ends here.
void leave_where_moved();
void leave_where_moved_with_bits();

// Whether a wait to be woken that has a time limit reaches it: a choice. It may at any moment, so no thread needs to
// see this one wait unless it is going to wake it.
bool times_out();

}  // namespace heddle::library::parking
