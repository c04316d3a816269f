// What library functions keep per thread: a room like those of native/.
#pragma once

#include "native/threads.hpp"

namespace heddle::library {

struct HeldMutex {
  Address mutex;
  uint32_t depth;
};

struct OfThread {
  HostVector<HeldMutex> held;
  bool seeded = false;
  uint64_t random = 0;  // once seeded
};

struct State {
  bool used = false;  // in this execution; else all is as at the start
  PerThread<OfThread> of;
};
extern State state;

inline OfThread& mine() {
  state.used = true;
  return state.of[rt.current->id];
}

// Back to the state before main, of the threads in rt.threads.
void reset();

using Saved = State;
inline Saved save() { return state; }
inline void restore(const Saved& saved) { state = saved; }

}  // namespace heddle::library
