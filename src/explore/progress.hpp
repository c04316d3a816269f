// How far the threads of an execution graph have come.
#pragma once

#include <algorithm>
#include <vector>

#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// Whether t is a thread of this graph; others may have more threads.
inline bool exists(const Graph& g, ThreadId t) {
  return t == kMain || (index(t) < g.thread_count() && g.creation(t) != kNoEvent);
}

inline bool has_exited(const Graph& g, ThreadId t) {
  const EventId last = g.last(t);
  return last != kNoEvent && g[last].kind == EventKind::exit;
}

// Whether t's last event is a read that waits.
inline bool waits(const Graph& g, ThreadId t) {
  const EventId last = g.last(t);
  return last != kNoEvent && g[last].blocked;
}

// Whether all threads that were created have exited.
inline bool all_exited(const Graph& g) {
  for (std::size_t t = 0; t < g.thread_count(); ++t) {
    if (exists(g, ThreadId(t)) && !has_exited(g, ThreadId(t))) return false;
  }
  return true;
}

// Whether t has a next event in this graph. may_start: what the explorer says besides.
template <class MayStart>
bool can_go_on(const Graph& g, Machine& machine, ThreadId t, const MayStart& may_start) {
  if (!exists(g, t)) return false;
  if (const EventId last = g.last(t); last != kNoEvent && (g[last].blocked || g[last].kind == EventKind::exit)) {
    return false;
  }
  const Action& a = machine.pending(t);
  if (is_final(a.kind)) return false;
  if (a.kind == ActionKind::join) return has_exited(g, a.child);
  return may_start(t, a);
}

// The threads in the order of their paths. next_P takes the first one that can go on: a function of the graph alone,
// the same in every process.
class ThreadOrder {
 public:
  void add(const ThreadPaths& paths, ThreadId t) {
    if (index(t) < known_.size() && known_[index(t)]) return;
    known_.resize(std::max(known_.size(), index(t) + 1));
    known_[index(t)] = true;
    const auto place = std::ranges::upper_bound(threads_, paths.path(t), {}, [&](ThreadId u) { return paths.path(u); });
    threads_.insert(place, t);
    first_ = 0;
  }

  // No thread before the last answer can go on, until `look_again`: after a create, an exit, or a write that somebody
  // waits for, one may.
  template <class MayStart>
  ThreadId next(const Graph& g, Machine& machine, const MayStart& may_start) {
    for (; first_ < threads_.size(); ++first_) {
      if (can_go_on(g, machine, threads_[first_], may_start)) return threads_[first_];
    }
    return kNoThread;
  }
  void look_again() { first_ = 0; }

  const std::vector<ThreadId>& all() const { return threads_; }
  bool before(ThreadId a, ThreadId b) const { return std::ranges::find(threads_, a) < std::ranges::find(threads_, b); }

 private:
  std::vector<ThreadId> threads_;
  std::vector<bool> known_;
  std::size_t first_ = 0;
};

// Whether t has got no further than its last event, the read r: its assumption fails. If r can then neither be
// revisited nor removed, nothing comes of it. What the others do meanwhile they also do where r reads from elsewhere,
// and nobody but t knows of r. That is not so if t has written or used plain memory after r: then others may see it, or
// race.
inline bool stops_at(const Graph& g, Machine& machine, EventId r) {
  const ThreadId t = g[r].thread;
  if (g.last(t) != r) return false;
  const Action& next = machine.pending(t);
  return next.kind == ActionKind::block && next.at_once &&
         (next.reason == BlockReason::assume || next.reason == BlockReason::spin);
}

// The location of an access that is about to be added.
inline LocId enter(Graph& g, Machine& machine, const Action& a) {
  const LocId l = g.location(a.addr);
  if (!g.seen(l)) g.set_base(l, machine.base(a.addr, a.size));
  return l;
}

}  // namespace heddle
