#include "explore/races.hpp"

#include <algorithm>

#include "explore/helping.hpp"

namespace heddle {

bool is_suppressed(const Graph& g, EventId e, EventId other, Machine* machine) {
  return machine != nullptr && machine->suppresses(g[e].site, g[other].site, g.address(g[other].loc));
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

bool ends_before(const Graph& g, EventId use, EventId free) {
  return g.hb(use, free) || (g[free].retire && g[use].guarded);
}

// An access of l that does not end before the free.
EventId use_of(const Graph& g, LocId l, EventId free) {
  if (!g.seen(l)) return kNoEvent;
  for (EventId a = g.accesses(l), next; a != kNoEvent; a = next) {
    next = g.hb(a, free) ? g.others_before(a) : g[a].loc_prev;
    if (!ends_before(g, a, free)) return a;
  }
  return kNoEvent;
}

GraphError use_during_free(EventId free, EventId use) {
  return {ErrorKind::memory, "memory in use is freed", free, use};
}

}  // namespace

std::optional<GraphError> find_use_during_free(const Graph& g, EventId e) {
  const FreedBlock& block = g[e].freed;
  // The block's bytes, or all locations: whichever are fewer.
  if (block.length < g.touched().size()) {
    for (uint64_t i = 0; i < block.length; ++i) {
      const LocId l = g.known_location(block.start + i);
      if (const EventId use = l == kNoLoc ? kNoEvent : use_of(g, l, e); use != kNoEvent) return use_during_free(e, use);
    }
  } else {
    for (const LocId l : g.touched()) {
      if (g.address(l) - block.start >= block.length) continue;
      if (const EventId use = use_of(g, l, e); use != kNoEvent) return use_during_free(e, use);
    }
  }
  // Help that is left out would be a use all the same (SPORE Lemma D.5).
  for (std::size_t i = 0; i < g.size() && g.has_help(); ++i) {
    const Event& h = g[EventId(i)];
    if (h.kind != EventKind::help || !h.helping || g.hb(EventId(i), e)) continue;
    const auto is_used = [&](LocId l, bool guarded) {
      return g.address(l) - block.start < block.length && !(g[e].retire && guarded);
    };
    const bool used =
        is_used(h.loc, h.guarded) ||
        std::ranges::any_of(g.help_reads(EventId(i)), [&](const LeftOutRead& r) { return is_used(r.loc, r.guarded); });
    if (used) return use_during_free(e, EventId(i));
  }
  return std::nullopt;
}

}  // namespace heddle
