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
// guarded_uses gives it what it needs (explore/judge/hazards.hpp).
//
// The unguarded accesses that were made before a retire are found like those before a free: atomic ones in the
// execution graph (Action::guarded), plain ones by an epoch per thread and block.
//
// All this is done only for programs that use hazard pointers: begin() leaves the hooks.
#pragma once

#include "native/access.hpp"

namespace heddle::hazards {

// What a hazard pointer protects: a block, since the thread's own clock showed `since`.
struct Hazard {
  Address pointer;  // the heddle_hp_t
  Address block;
  uint64_t size;
  uint32_t since;
  bool late;  // the block was retired before: it is not protected
  bool used;  // the thread has accessed it
};
// A thread's latest plain access to a block without a hazard pointer; that one counts, the others come before it.
struct Exposure {
  uint32_t epoch;
  SiteId site;
  uint32_t next;  // of the block's list; 0: none
};

struct State {
  PerThread<HostVector<Hazard>> of;
  HostVector<Exposure> exposures;  // the first is not used
  HostVector<GuardedUse> uses;     // the retire is filled in at the end
  uint32_t use_count = 0;
};
extern State state;

// The block that the value read lies in is protected from now on; what `pointer` protected before no longer is, and was
// not while the location was read: a real protect would read it once more.
Address protect(Address pointer, Address location);
void clear(Address pointer);
// Says that a block is unlinked: its life ends as soon as no hazard pointer protects it.
void retire(void* p);

// Whether a hazard pointer of t protects the block that the address lies in.
inline bool guards(const Thread& t, Address a) {
  for (const Hazard& h : state.of[t.id])
    if (a - h.block < h.size && !h.late) return true;
  return false;
}

// See Machine.
std::span<const GuardedUse> guarded_uses();

// For the whole run.
void begin(bool on);
void end();
// Back to the state before main, of the threads in rt.threads.
void reset();

}  // namespace heddle::hazards
