#include "explore/late.hpp"

#include "explore/progress.hpp"

namespace heddle {
namespace {

// The part of g that does not depend on the await r.
class Part {
 public:
  Part(const Graph& g, EventId r) : g_(g), r_(r) {}

  bool has(EventId e) const { return e != r_ && !g_.cb(r_, e); }

  // Whether the await, of this part or the next event of its thread, waits there for ever.
  bool waits(const Event& await) const {
    EventId w = g_.co_last(await.loc);
    while (w != kInit && !has(w)) w = g_[w].co_prev;
    return !satisfied(await, g_.value_of(await.loc, w));
  }

  bool is_stuck(Machine& machine, ThreadId t) const {
    const auto events = g_.thread(t);
    std::size_t n = 0;
    while (n < events.size() && has(events[n])) ++n;
    if (n < events.size()) {
      const Event& next = g_[events[n]];
      if (next.kind == EventKind::join) return !has(next.rf);
      return next.await != Await::none && waits(next);
    }
    if (n > 0 && g_[events[n - 1]].blocked) return waits(g_[events[n - 1]]);
    const Action& a = machine.pending(t);
    return a.kind == ActionKind::done || a.kind == ActionKind::join ||
           (a.kind == ActionKind::block && a.reason == BlockReason::spin);
  }

  bool all_stuck(Machine& machine) const {
    for (std::size_t t = 0; t < g_.thread_count(); ++t) {
      const auto id = ThreadId(t);
      const bool there = id == kMain || (exists(g_, id) && has(g_.creation(id)));
      if (there && !is_stuck(machine, id)) return false;
    }
    return true;
  }

 private:
  const Graph& g_;
  EventId r_;
};

}  // namespace

std::vector<uint8_t> find_late_wait(const Graph& g, Machine& machine) {
  for (std::size_t i = 0; i < g.size(); ++i) {
    const auto r = EventId(i);
    if (!g[r].is_read() || g[r].await == Await::none || g[r].blocked) continue;
    const Part part(g, r);
    if (!part.waits(g[r]) || !part.all_stuck(machine)) continue;
    std::vector<uint8_t> kept(g.size());
    for (std::size_t e = 0; e < g.size(); ++e) kept[e] = part.has(EventId(e)) && !g[EventId(e)].blocked;
    return kept;
  }
  return {};
}

}  // namespace heddle
