// What library functions keep per thread: a room like those of native/.
#pragma once

#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "native/threads.hpp"

namespace heddle::library {

struct HeldMutex {
  struct Nested {
    uint32_t depth = 0;
    uint64_t changed = 0, taken = 0;
  };

  Address mutex = 0;
  uint32_t depth = 0;
  uint64_t changed = 0;  // the thread's last change before it took the mutex
  uint64_t taken = 0;    // the change that this was
  Nested nested = {};    // the same for the last lock while it was held
  uint32_t clock = 0;    // of the thread, when it took the mutex
  SiteId site = kNoSite;
};

// A readers-writer lock.
struct HeldLock {
  Address lock;
  bool exclusive;
  uint32_t depth;
  uint64_t changed = 0, taken = 0;  // as of a mutex
  uint32_t clock = 0;               // of the thread, when it took the lock
  SiteId site = kNoSite;
};

// Which thread has joined this one, or detached it.
struct Claim {
  enum How : uint8_t { none, joined, detached, created_detached };
  How how = none;
  ThreadId by = kNoThread;
  SiteId site = kNoSite;
};

// What a thread's clock showed last while the thread had so many events.
struct Tick {
  uint32_t clock;
  uint64_t nanoseconds;
};

// The latest time that a thread has told of where others may synchronise with it.
struct ToldTime {
  Address place;
  uint64_t nanoseconds;
};

struct OfThread {
  HostVector<HeldMutex> held;
  HostVector<Address> onces;  // whose functions it runs just now
  HostVector<HeldLock> locks;
  Address queue = 0;       // in which it waits (parking.hpp)
  uint64_t parks = 0;      // how often it has waited in one
  uint32_t woken_by = 0;   // the set of the last wake-up there, if it has bits
  Address waits_with = 0;  // the mutex that it gave back when it last waited for a condition variable
  HostVector<Tick> ticks;
  uint64_t told_time = 0;       // that the thread has been told of (learns_time)
  HostVector<ToldTime> told;    // by the thread (tells_time)
  char name[16] = {};           // that it has given itself
  int* error_number = nullptr;  // errno
  bool seeded = false;
  uint64_t random = 0;  // once seeded
  uint64_t kept = 0;    // the segment in which all this was kept (native/undo.hpp)
};

struct State {
  bool used = false;  // in this execution; else all but the claims is as at the start
  PerThread<OfThread> of;
  PerThread<Claim> claims;  // apart from the rest, because almost every execution has some
};
extern State state;

// Before it is changed.
void keep(OfThread& of);
inline OfThread& mine() {
  state.used = true;
  OfThread& me = state.of[rt.current->id];
  if (undo::state.on && me.kept != undo::state.segment) keep(me);
  HEDDLE_ASSERT(!undo::state.on || me.kept == undo::state.segment);
  return me;
}

// Which thread holds a mutex or a readers-writer lock.
std::vector<Holder> holders(Address lock);
// The object at an address is used as it must not be. In the text, the first "{}" is its name; a second one says which
// thread holds it, ": T1 (f) does".
[[noreturn]] void misuse(std::string_view text, Address object);

// The current thread's errno, which is memory of the program.
int* error_place();
void set_error_number(int value);
int error_number();

// Back to the state before main, of the threads in rt.threads.
void reset();

}  // namespace heddle::library
