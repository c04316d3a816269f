#include "models/wrc11.hpp"

#include <algorithm>
#include <functional>

#include "core/assert.hpp"

namespace heddle {

void WeakOrder::start(const Graph& g) {
  if (stride_ != g.thread_count()) {
    stride_ = g.thread_count();
    known_.clear();
    seen_known_.clear();
  }
  if (known_.size() >= g.size()) return;
  const std::size_t size = std::max(g.size(), 2 * known_.size());
  known_.resize(size);
  seen_known_.resize(size);
  clocks_.resize(size * stride_);
  seen_.resize(size * (stride_ + 1));
}

void WeakOrder::add(uint32_t* clock, const uint32_t* more) const {
  for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], more[t]);
}

// A read of the location that happens before w brings all that is before the write that it reads from. What is known of
// a write, or of a write of another thread, holds for all accesses of the thread before it.
const uint32_t* WeakOrder::prefix(const Graph& g, EventId w) {
  HEDDLE_ASSERT(stride_ == g.thread_count() && index(w) < known_.size());  // `start` comes first
  uint32_t* clock = clocks_.data() + index(w) * stride_;
  if (known_[index(w)] == g.serial(w)) return clock;
  const auto hb = g.hb(w);
  std::fill_n(clock, stride_, 0);
  for (EventId x = g.accesses(g[w].loc), next; x != kNoEvent; x = next) {
    const Event& e = g[x];
    next = e.loc_prev;
    if (x == w || !g.in(hb, x)) continue;
    if (e.po <= clock[index(e.thread)]) {
      next = g.others_before(x);
    } else if (e.is_write()) {
      if (known_[index(x)] != g.serial(x)) continue;
      add(clock, prefix(g, x));
      next = g.others_before(x);
    } else if (e.rf != kInit && g[e.rf].thread != e.thread) {  // a write of its own comes later here
      add(clock, prefix(g, e.rf));
    }
  }
  add(clock, hb.data());
  // (hb ∪ rf)+ is acyclic, and a part of cb.
  HEDDLE_ASSERT(clock[index(g[w].thread)] == g[w].po);
  HEDDLE_ASSERT(std::equal(clock, clock + stride_, g.cb(w).begin(), std::less_equal<>()));
  known_[index(w)] = g.serial(w);
  return clock;
}

// All before w, without w.
void WeakOrder::add_before(const Graph& g, uint32_t* clock, EventId w) {
  const uint32_t* before = prefix(g, w);
  uint32_t& own = clock[index(g[w].thread)];
  const uint32_t position = std::max(own, g[w].po - 1);
  add(clock, before);
  own = position;
}

// What the access x, which happens before the access in question, makes unreadable.
void WeakOrder::add_hidden(const Graph& g, uint32_t* clock, EventId x) {
  const EventId w = g[x].is_write() ? x : g[x].rf;
  if (w == kInit) return;
  clock[stride_] = 1;
  add_before(g, clock, w);
}

const uint32_t* WeakOrder::hidden(const Graph& g, EventId r) {
  HEDDLE_ASSERT(stride_ == g.thread_count() && index(r) < seen_known_.size());
  uint32_t* clock = seen_.data() + index(r) * (stride_ + 1);
  if (seen_known_[index(r)] == g.serial(r)) return clock;
  const EventId before = g.predecessor(r);
  const EventId previous = g[r].loc_prev;
  if (previous != kNoEvent && g[previous].thread == g[r].thread && seen_known_[index(previous)] == g.serial(previous) &&
      knows_the_same(g, previous, before)) {
    std::copy_n(seen_.data() + index(previous) * (stride_ + 1), stride_ + 1, clock);
    add_hidden(g, clock, previous);
    HEDDLE_ASSERT(is_hidden(g, r, clock));
  } else {
    std::fill_n(clock, stride_ + 1, 0);
    if (before != kNoEvent) find_hidden(g, r, g.hb(before), clock);
  }
  seen_known_[index(r)] = g.serial(r);
  return clock;
}

// Whether the clock is as if nothing had been known.
bool WeakOrder::is_hidden(const Graph& g, EventId r, const uint32_t* clock) {
  std::vector<uint32_t> anew(stride_ + 1);
  find_hidden(g, r, g.hb(g.predecessor(r)), anew.data());
  return std::equal(anew.begin(), anew.end(), clock);
}

// Whether nothing of another thread happens before the event that does not happen before the access of the same thread.
bool WeakOrder::knows_the_same(const Graph& g, EventId access, EventId event) const {
  const EventId before = g.predecessor(access);
  if (before == kNoEvent) return false;
  const auto a = g.hb(before);
  const auto b = g.hb(event);
  for (std::size_t t = 0; t < stride_; ++t) {
    if (a[t] != b[t] && t != index(g[access].thread)) return false;
  }
  return true;
}

void WeakOrder::find_hidden(const Graph& g, EventId r, Prefix hb, uint32_t* clock) {
  for (EventId x = g.accesses(g[r].loc), next; x != kNoEvent; x = next) {
    const Event& e = g[x];
    next = e.loc_prev;
    if (!g.in(hb, x)) continue;
    if (e.is_write()) next = g.others_before(x);
    if (e.is_read() && e.rf != kInit && g[e.rf].thread == e.thread) continue;  // its write comes later here
    add_hidden(g, clock, x);
  }
}

bool WeakOrder::co_weak(const Graph& g, EventId a, EventId b) {
  if (b == kInit || a == b) return false;
  return a == kInit || g.in({prefix(g, b), stride_}, a);
}

bool WeakOrder::eco(const Graph& g, EventId a, EventId b) {
  const EventId from = g[a].is_write() ? a : g[a].rf;
  const EventId to = g[b].is_write() ? b : g[b].rf;
  return co_weak(g, from, to) || (from == to && a == from && b != to);
}

bool WeakOrder::before_write(const Graph& g, EventId a, EventId w) {
  return co_weak(g, g[a].is_write() ? a : g[a].rf, w);
}

bool WeakOrder::between_fences(const Graph& g, LocId l, EventId f, EventId h) {
  for (EventId a = g.accesses(l); a != kNoEvent; a = g[a].loc_prev) {
    if (!g.hb(f, a)) continue;
    for (EventId b = g.accesses(l); b != kNoEvent; b = g[b].loc_prev) {
      if (a != b && g.hb(b, h) && eco(g, a, b)) return true;
    }
  }
  return false;
}

bool WeakOrder::readable(const Graph& g, EventId r, EventId w) {
  const uint32_t* clock = hidden(g, r);
  return w == kInit ? clock[stride_] == 0 : !g.in({clock, stride_}, w);
}

}  // namespace heddle
