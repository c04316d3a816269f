// Epochs, as in FastTrack (Flanagan and Freund, PLDI 2009). An epoch (thread u, c) names an access that u made after
// c-1 of its own events; it happens before the current thread's next access iff u is that thread or the current clock
// has at least c events of u. What main does before it creates a thread happens before everything and has epoch 0.
#pragma once

#include "native/threads.hpp"

namespace heddle::epoch {

inline constexpr unsigned kBits = kClockBits + 8;

constexpr uint32_t thread_of(uint32_t e) { return e >> kClockBits; }
constexpr uint32_t clock_of(uint32_t e) { return e & kMaxClock; }
constexpr uint32_t make(ThreadId t, uint32_t clock) { return static_cast<uint32_t>(t) << kClockBits | clock; }

// Of t's accesses between its last action and the next.
inline uint32_t current(const Thread& t) { return rt.concurrent ? make(t.id, own_clock(t) + 1) : 0; }
// To be recorded for an access that t makes now. Nothing if races do not matter; a cell then never shows the current
// epoch.
inline uint32_t recorded(const Thread& t) { return rt.options.races_ignore ? 0 : current(t); }
inline bool happens_before(uint32_t e, const Thread& t) {
  const uint32_t u = thread_of(e);
  return e == 0 || u == static_cast<uint32_t>(t.id) || (u < t.clock_size && t.clock[u] >= clock_of(e));
}

}  // namespace heddle::epoch
