// Epochs, as in FastTrack (Flanagan and Freund, PLDI 2009). An epoch (thread u, c) names an access that u made after
// c-1 of its own events; it happens before the current thread's next access iff u is that thread or the current clock
// has at least c events of u. What main does before it creates a thread happens before everything and has epoch 0.
//
// An epoch has 28 bits: 16 for the clock, 12 for a slot. The slot is the thread's number. A thread with more events
// than that has more slots, one for each value of the clock's other bits; they are given out from the last one
// downwards.
#pragma once

#include "native/threads.hpp"

namespace heddle::epoch {

inline constexpr unsigned kClockBits = 16;
inline constexpr unsigned kBits = 28;
static_assert(kEpochSlots == 1u << (kBits - kClockBits) && region::kMaxThreads <= kEpochSlots);

namespace detail {

constexpr uint32_t kClock = (1u << kClockBits) - 1;

inline const LongClock& long_clock(uint32_t slot) {
  HEDDLE_ASSERT(slot < kEpochSlots && kEpochSlots - 1 - slot < rt.long_clocks.size());
  return rt.long_clocks[kEpochSlots - 1 - slot];
}
[[gnu::cold, gnu::noinline]] inline uint32_t make_long(ThreadId t, uint32_t clock) {
  const uint32_t high = clock >> kClockBits;
  std::size_t i = 0;
  while (i < rt.long_clocks.size() && !(rt.long_clocks[i].thread == t && rt.long_clocks[i].high == high)) ++i;
  if (i == rt.long_clocks.size()) {
    if (rt.first_long == rt.known_threads) refuse("the program has too many threads with too many actions");
    rt.long_clocks.push_back({t, high});
    --rt.first_long;
    HEDDLE_ASSERT(rt.first_long >= rt.known_threads && rt.first_long + rt.long_clocks.size() == kEpochSlots);
  }
  return static_cast<uint32_t>(kEpochSlots - 1 - i) << kClockBits | (clock & kClock);
}

}  // namespace detail

inline uint32_t thread_of(uint32_t e) {
  const uint32_t slot = e >> kClockBits;
  if (slot >= rt.first_long) [[unlikely]]
    return static_cast<uint32_t>(detail::long_clock(slot).thread);
  return slot;
}
inline uint32_t clock_of(uint32_t e) {
  const uint32_t slot = e >> kClockBits;
  if (slot >= rt.first_long) [[unlikely]]
    return detail::long_clock(slot).high << kClockBits | (e & detail::kClock);
  return e & detail::kClock;
}
inline uint32_t make(ThreadId t, uint32_t clock) {
  HEDDLE_ASSERT(clock <= kMaxClock && (clock == 0 || index(t) < rt.first_long));
  if (clock > detail::kClock) [[unlikely]]
    return detail::make_long(t, clock);
  return static_cast<uint32_t>(t) << kClockBits | clock;
}

// Of t's accesses between its last action and the next.
inline uint32_t current(const Thread& t) { return rt.concurrent ? make(t.id, own_clock(t) + 1) : 0; }
// The same in a cell; none that a cell can have if the thread's accesses have to be looked at one by one. Calls
// nothing: a function that calls must save registers.
inline constexpr uint64_t kNever = 1ull << 63;
inline uint64_t quickly(const Thread& t) {
  if (!rt.concurrent) return 0;
  const uint32_t clock = own_clock(t) + 1;
  if (clock > detail::kClock || rt.shows_some) [[unlikely]]
    return kNever;
  return static_cast<uint32_t>(t.id) << kClockBits | clock;
}
// To be recorded for an access that t makes now. Nothing if races do not matter; a cell then never shows the current
// epoch.
inline uint32_t recorded(const Thread& t) { return all_shown() ? 0 : current(t); }
// The same of an allocation, which is no action also where all plain accesses are.
inline uint32_t of_allocation(const Thread& t) {
  return rt.shows_all && !rt.options.races_ignore ? current(t) : recorded(t);
}
// Thread-local variables are there when their thread starts, whenever it uses them first.
inline uint32_t of_start(const Thread& t) { return t.id == kMain || of_allocation(t) == 0 ? 0 : make(t.id, 1); }
inline bool happens_before(uint32_t e, const Thread& t) {
  const uint32_t u = thread_of(e);
  return e == 0 || u == static_cast<uint32_t>(t.id) || (u < t.clock_size && t.clock[u] >= clock_of(e));
}

}  // namespace heddle::epoch
