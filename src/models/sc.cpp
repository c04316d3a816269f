#include "models/sc.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "models/coherence.hpp"

namespace heddle {

uint32_t Sc::floor(const Graph& g, EventId e) {
  const EventId before = g.predecessor(e);
  const LocId l = g[e].loc;
  if (before == kNoEvent || g.co_last(l) == kInit) return 0;
  const uint32_t top = g[g.co_last(l)].co;
  const uint32_t seen = hb_floor(g, e);
  if (seen == top) return top;  // most often: B, of which the hb-prefix is a part, is not needed
  close(g, before);
  for (EventId w = g.co_last(l); w != kInit; w = g[w].co_prev) {
    if (!g.in(wanted_, w)) continue;
    HEDDLE_ASSERT(g[w].co >= seen);
    return g[w].co;
  }
  HEDDLE_ASSERT(seen == 0);
  return 0;
}

void Sc::close(const Graph& g, EventId before) {
  const auto hb = g.hb(before);  // a good start: mostly all of po ∪ rf
  wanted_.assign(hb.begin(), hb.begin() + static_cast<std::ptrdiff_t>(g.thread_count()));
  done_.assign(g.thread_count(), 0);
  do {
    grown_ = false;
    for (std::size_t t = 0; t < wanted_.size(); ++t) {
      while (done_[t] < wanted_[t]) visit(g, g.event(ThreadId(t), ++done_[t]));
    }
  } while (grown_);
  HEDDLE_ASSERT(done_ == wanted_);
}

void Sc::include(const Graph& g, EventId e) {
  const auto hb = g.hb(e);
  for (std::size_t t = 0; t < wanted_.size(); ++t) {
    if (hb[t] > wanted_[t]) {
      wanted_[t] = hb[t];
      grown_ = true;
    }
  }
}

// The edges into e besides po: rf; or co from its co-predecessor, and rb from that one's readers.
void Sc::visit(const Graph& g, EventId e) {
  const Event& event = g[e];
  if (event.is_read() && event.rf != kInit && !g.in(wanted_, event.rf)) include(g, event.rf);
  if (!event.is_write() || event.co == 0) return;
  if (event.co_prev != kInit) include(g, event.co_prev);
  for (EventId r = g.readers(event.loc, event.co_prev); r != kNoEvent; r = g[r].next_reader) {
    if (g[r].thread != event.thread || g[r].po < event.po) include(g, r);
  }
}

}  // namespace heddle
