#include "explore/spore/rechecks.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace heddle {
namespace {

// In a longer chain of writes a value may come back: nobody looks.
constexpr std::size_t kMostWrites = 64;

bool only_reads(const Event& e) { return e.is_read() && !e.exclusive && !e.blocked && e.mode != Mode::na; }

bool comes_back(const Graph& g, EventId w) {
  const LocId l = g[w].loc;
  std::size_t n = 0;
  for (EventId x = g.co_first(l); x != kNoEvent; x = g[x].co_next) {
    if (x != w && (g[x].value == g[w].value || ++n > kMostWrites)) return true;
  }
  return g[w].value == g.base(l);
}

// Whether a thread that was created after t, its twin, may still do the same as t up to the event e.
bool may_be_followed(const Graph& g, EventId e) {
  for (std::size_t u = 0; g.has_twins() && u < g.thread_count(); ++u) {
    if (g.twin(ThreadId(u)) != g[e].thread) continue;
    const auto events = g.thread(ThreadId(u));
    if (events.size() < g[e].po || g[events[g[e].po - 1]].symb == e) return true;
  }
  return false;
}

}  // namespace

EventId look_of(const Graph& g, ThreadId t, const Action& a) {
  if (!a.rechecks) return kNoEvent;
  for (EventId e = g.last(t); e != kNoEvent && g[e].thread == t && only_reads(g[e]); e = g.predecessor(e)) {
    if (g[e].po < first_of_round(g, t, a)) return kNoEvent;
    if (g.address(g[e].loc) == a.addr) return g[e].value == a.expected ? e : kNoEvent;
  }
  return kNoEvent;
}

uint32_t first_of_round(const Graph& g, ThreadId t, const Action& a) {
  const bool is_assumption = a.kind == ActionKind::block ? a.reason == BlockReason::assume : a.assumed;
  const EventId last = g.last(t);
  if (is_assumption || last == kNoEvent) return std::max(a.loud, 1u);
  const uint32_t before = g[last].po - (g[last].blocked ? 1 : 0);
  HEDDLE_ASSERT(a.round <= before);
  return std::max(a.loud, before - a.round + 1);
}

bool is_in_round(const Graph& g, ThreadId t, const Action& a) {
  const EventId last = g.last(t);
  if (last == kNoEvent || !only_reads(g[last])) return false;
  return (a.kind == ActionKind::load && a.await == Await::none) || look_of(g, t, a) != kNoEvent;
}

bool is_stale(const Graph& g, EventId r) {
  if (g[r].late) return true;
  for (EventId w = g.co_next(g[r].loc, g[r].rf); w != kNoEvent; w = g[w].co_next) {
    if (w < r) return true;
  }
  return false;
}

void Promises::add(LocId l, uint8_t mark) {
  uint8_t& all = marks(l);
  all |= mark;
  const auto both = [&](uint8_t one, uint8_t other) { return (all & one) != 0 && (all & other) != 0; };
  if (both(kDistinct, kReturns) || both(kLast, kAgain) || both(kNever, kOnce)) hold_ = false;
}

// The size of a mutex is 0.
void Promises::keep(const Graph& g, EventId read) {
  kept_.add({g.address(g[read].loc), std::max<uint64_t>(g[read].size, 1)});
}

bool Promises::hold(const Ranges& lost) {
  if (const uint64_t changes = kept_.changes() + lost.changes(); changes != compared_) {
    compared_ = changes;
    if (std::ranges::any_of(lost.all(), [&](const AddressRange& r) { return kept_.meets(r); })) hold_ = false;
  }
  return hold_;
}

void Promises::made(const Graph& g, EventId look, ThreadId t) {
  add(g[look].loc, kDistinct);
  keep(g, look);
  for (EventId e = g.last(t); e != look; e = g.predecessor(e)) keep(g, e);
}

bool Promises::wrote(const Graph& g, EventId w) {
  const LocId l = g[w].loc;
  const uint8_t known = marks(l);
  if ((known & kOnce) == 0) add(l, kOnce);
  if ((known & kReturns) == 0 && comes_back(g, w)) add(l, kReturns);
  if ((known & kAgain) == 0 && g.co_first(l) != g.co_last(l)) add(l, kAgain);
  return hold_;
}

bool Promises::is_doomed(const Graph& g, ThreadId t, const Action& a) {
  std::vector<EventId> last;
  const uint32_t first = first_of_round(g, t, a);
  for (EventId e = g.last(t); e != kNoEvent && g[e].thread == t && g[e].po >= first; e = g.predecessor(e)) {
    if (g[e].kind == EventKind::help && g[e].helping) continue;
    if (!g[e].is_read() || g[e].exclusive || g[e].mode == Mode::na) return false;
    if (g[e].confirms) continue;
    if (!is_stale(g, e)) {
      const LocId l = g[e].loc;
      if (looks_ != Looks::last || std::ranges::binary_search(rewritten_, g.address(l))) return false;
      if (g.co_next(l, kInit) != (g[e].rf == kInit ? kNoEvent : g[e].rf) || g[e].rf != g.co_last(l)) return false;
      last.push_back(e);
      continue;
    }
    if (may_be_followed(g, e)) return false;
    for (const EventId r : last) add(g[r].loc, g[r].rf == kInit ? kNever : kLast);
    for (EventId r = g.last(t);; r = g.predecessor(r)) {
      if (g[r].is_read()) keep(g, r);
      if (r == e) return true;
    }
  }
  return false;
}

std::vector<Promise> Promises::list(const Locations& locations, const Ranges& lost) const {
  using What = Promise::What;
  std::vector<Promise> all;
  for (std::size_t l = 0; l < marks_.size(); ++l) {
    const auto put = [&](Mark mark, What what, bool broken) {
      if ((marks_[l] & mark) != 0) all.push_back({what, broken, locations.address(LocId(l)), 1});
    };
    put(kDistinct, What::distinct, false);
    put(kLast, What::last, false);
    put(kNever, What::never, false);
    put(kReturns, What::distinct, true);
    put(kAgain, What::last, true);
    put(kOnce, What::never, true);
  }
  for (const AddressRange& r : kept_.all()) all.push_back({What::kept, false, r.start, r.length});
  for (const AddressRange& r : lost.all()) all.push_back({What::kept, true, r.start, r.length});
  return all;
}

}  // namespace heddle
