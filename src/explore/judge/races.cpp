#include "explore/judge/races.hpp"

#include <algorithm>

namespace heddle {

bool is_suppressed(const Graph& g, EventId e, EventId other, Machine* machine) {
  return machine != nullptr && machine->suppresses(g[e].site, g[other].site, g.address(g[other].loc));
}

std::optional<GraphError> find_help_race(const Graph& g, EventId h, Machine* machine) {
  if (!g[h].helping) return std::nullopt;
  for (const LeftOutRead& r : g.help_reads(h)) {
    if (!g.seen(r.loc) || !g.has_plain(r.loc)) continue;
    for (EventId a = g.accesses(r.loc); a != kNoEvent; a = g[a].loc_prev) {
      if (g[a].mode != Mode::na || !g[a].is_write() || g.hb(a, h) || g.hb(h, a)) continue;
      if (is_suppressed(g, h, a, machine)) continue;
      return GraphError{ErrorKind::race, "data race", a, h};
    }
  }
  const LocId l = g[h].loc;
  if (!g.seen(l) || !g.has_plain(l)) return std::nullopt;
  // If the cas fails it is but a read. If it succeeds, the helped one fails and, if it acquires what the other
  // released, whatever is ordered after the helped one is ordered after it.
  const bool synchronises = is_release(g[h].mode_success) && is_acquire(g[h].mode_failure);
  for (EventId a = g.accesses(l); a != kNoEvent; a = g[a].loc_prev) {
    if (g[a].mode != Mode::na || g.hb(a, h) || g.hb(h, a) || (synchronises && g[a].is_read())) continue;
    if (is_suppressed(g, h, a, machine)) continue;
    return GraphError{ErrorKind::race, "data race", h, a};
  }
  return std::nullopt;
}

std::optional<GraphError> find_race(const Graph& g, EventId e, Machine* machine) {
  const Event& event = g[e];
  if (!event.is_access() || !g.has_plain(event.loc)) return std::nullopt;
  for (EventId a = g.accesses(event.loc), next; a != kNoEvent; a = next) {
    const Event& other = g[a];
    const bool before = a != e && g.hb(a, e);
    const bool conflict = event.is_write() || other.is_write();
    const bool plain = event.mode == Mode::na || other.mode == Mode::na;
    next = before ? g.others_before(a) : other.loc_prev;
    if (before || a == e || !conflict || !plain || g.hb(e, a) || is_suppressed(g, e, a, machine)) continue;
    return GraphError{ErrorKind::race, "data race", e, a};
  }
  for (std::size_t i = 0; i < g.size() && g.has_help(); ++i) {
    if (g[EventId(i)].kind != EventKind::help) continue;
    if (auto error = find_help_race(g, EventId(i), machine)) return error;
  }
  return std::nullopt;
}

namespace {

// The end of a block's life: the free, or what the thread did last before a variable went out of scope.
struct End {
  EventId event;
  bool is_retire = false;
};

bool comes_before(const Graph& g, EventId use, const End& end) { return use == end.event || g.hb(use, end.event); }

// An access of l that does not end before the end.
EventId use_of(const Graph& g, LocId l, const End& end) {
  if (!g.seen(l)) return kNoEvent;
  for (EventId a = g.accesses(l), next; a != kNoEvent; a = next) {
    const bool before = comes_before(g, a, end);
    if (!before && !(end.is_retire && g[a].guarded)) return a;
    next = before ? g.others_before(a) : g[a].loc_prev;
  }
  return kNoEvent;
}

// The same of the block's bytes.
EventId use_of(const Graph& g, const FreedBlock& block, const End& end) {
  // The block's bytes, or all locations: whichever are fewer.
  if (block.length < g.touched().size()) {
    for (uint64_t i = 0; i < block.length; ++i) {
      const LocId l = g.known_location(block.start + i);
      if (const EventId use = l == kNoLoc ? kNoEvent : use_of(g, l, end); use != kNoEvent) return use;
    }
  } else {
    for (const LocId l : g.touched()) {
      if (g.address(l) - block.start >= block.length) continue;
      if (const EventId use = use_of(g, l, end); use != kNoEvent) return use;
    }
  }
  // Help that is left out would be a use all the same (SPORE Lemma D.5).
  for (std::size_t i = 0; i < g.size() && g.has_help(); ++i) {
    const Event& h = g[EventId(i)];
    if (h.kind != EventKind::help || !h.helping || comes_before(g, EventId(i), end)) continue;
    const auto is_used = [&](LocId l, bool guarded) {
      return g.address(l) - block.start < block.length && !(end.is_retire && guarded);
    };
    const bool used =
        is_used(h.loc, h.guarded) ||
        std::ranges::any_of(g.help_reads(EventId(i)), [&](const LeftOutRead& r) { return is_used(r.loc, r.guarded); });
    if (used) return EventId(i);
  }
  return kNoEvent;
}

}  // namespace

std::optional<GraphError> find_use_during_free(const Graph& g, EventId e) {
  const EventId use = use_of(g, g[e].freed, End{e, g[e].retire});
  if (use == kNoEvent) return std::nullopt;
  return GraphError{ErrorKind::memory, "memory in use is freed", e, use};
}

std::optional<UseOfEnded> find_use_of_ended(const Graph& g, const Machine& machine) {
  for (const EndedLocal& local : machine.ended_locals()) {
    const EventId use = use_of(g, FreedBlock{local.start, local.size}, End{g.event(local.thread, local.events)});
    if (use != kNoEvent) return UseOfEnded{local, use};
  }
  return std::nullopt;
}

}  // namespace heddle
