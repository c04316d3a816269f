#include "explore/verdict.hpp"

#include <algorithm>

#include "explore/helping.hpp"
#include "explore/trace.hpp"

namespace heddle {
namespace {

bool stopped_on_purpose(const Graph& g, Machine& machine) {
  for (const ThreadId t : machine.threads()) {
    const EventId last = g.last(t);
    const bool waits = last != kNoEvent && g[last].blocked;
    if (!waits && machine.pending(t).kind == ActionKind::block) return true;
  }
  return false;
}

// "main", "T2 (consumer)"
std::string label(Machine& machine, ThreadId t) {
  std::string id = "T";
  id += std::to_string(index(t));
  const std::string name = machine.name(t);
  return t == kMain || name == id ? name : id + " (" + name + ")";
}

std::string holder(const Graph& g, Machine& machine, EventId read) {
  const EventId w = g[read].rf;
  if (w == kInit) return "";
  return " held by " + label(machine, g[w].thread);
}

std::string waiting_for(const Graph& g, Machine& machine, ThreadId t) {
  const Action& a = machine.pending(t);
  const std::string who = label(machine, t);
  if (a.kind == ActionKind::join) return who + " waits for " + label(machine, a.child) + " to end";
  const std::string what = machine.describe(a.addr);
  if (a.purpose == Purpose::mutex_lock) return who + " waits for mutex " + what + holder(g, machine, g.last(t));
  return who + " waits for a change of " + what;
}

// ": po ∪ rf ∪ co has a cycle: T1 writes x, T2 writes x, T2 writes y"
std::string cycle_text(const Graph& g, Machine& machine, const std::vector<EventId>& cycle) {
  std::string text;
  for (const EventId e : cycle) {
    if (!g[e].is_access()) continue;
    text += (text.empty() ? "" : ", then ") + label(machine, g[e].thread) + (g[e].is_read() ? " reads " : " writes ") +
            machine.describe(g.address(g[e].loc));
  }
  return ": program order, reads-from and coherence form a cycle: " + text + ", and so on; use --no-symmetry";
}

}  // namespace

std::optional<GraphError> find_race(const Graph& g, EventId e) {
  const Event& event = g[e];
  if (!event.is_access() || !g.has_plain(event.loc)) return std::nullopt;
  for (EventId a = g.accesses(event.loc); a != kNoEvent; a = g[a].loc_prev) {
    const Event& other = g[a];
    const bool conflict = event.is_write() || other.is_write();
    const bool plain = event.mode == Mode::na || other.mode == Mode::na;
    if (a == e || !conflict || !plain || g.hb(a, e) || g.hb(e, a)) continue;
    return GraphError{ErrorKind::race, "data race", e, a};
  }
  for (std::size_t i = 0; i < g.size() && g.has_help(); ++i) {
    if (g[EventId(i)].kind != EventKind::help) continue;
    if (auto error = find_help_race(g, EventId(i))) return error;
  }
  return std::nullopt;
}

namespace {

bool ends_before(const Graph& g, EventId use, EventId free) {
  return g.hb(use, free) || (g[free].retire && g[use].guarded);
}

GraphError use_during_free(const Graph& g, EventId free, EventId use) {
  const char* const what = g[free].retire ? "memory is retired while another thread may use it without a hazard pointer"
                                          : "memory is freed while another thread may use it";
  return GraphError{ErrorKind::memory, what, free, use};
}

}  // namespace

std::optional<GraphError> find_use_during_free(const Graph& g, EventId e) {
  const Address start = g[e].value.lo;
  const uint64_t length = g[e].expected.lo;
  for (const LocId l : g.touched()) {
    if (g.address(l) - start >= length) continue;
    for (EventId a = g.accesses(l); a != kNoEvent; a = g[a].loc_prev) {
      if (!ends_before(g, a, e)) return use_during_free(g, e, a);
    }
  }
  // Help that is left out would be a use all the same (Lemma D.5 of SPORE).
  for (std::size_t i = 0; i < g.size() && g.has_help(); ++i) {
    const Event& h = g[EventId(i)];
    if (h.kind != EventKind::help || !h.helping || g.hb(EventId(i), e)) continue;
    const auto is_used = [&](LocId l, bool guarded) {
      return g.address(l) - start < length && !(g[e].retire && guarded);
    };
    const bool used =
        is_used(h.loc, h.guarded) ||
        std::ranges::any_of(g.help_reads(EventId(i)), [&](const LeftOutRead& r) { return is_used(r.loc, r.guarded); });
    if (used) return use_during_free(g, e, EventId(i));
  }
  return std::nullopt;
}

bool reads_latest(const Graph& g, EventId r) { return g[r].rf == g.co_last(g[r].loc); }

bool ended_process(const Graph& g, Machine& machine, WaitsForEver waits_for_ever) {
  bool ended = false;
  for (const ThreadId t : machine.threads()) {
    const Action& a = machine.pending(t);
    const EventId last = g.last(t);
    const bool waits = last != kNoEvent && g[last].blocked;
    if (waits && !waits_for_ever(g, last)) return false;
    if (waits || a.kind != ActionKind::block) continue;
    if (a.reason != BlockReason::ended) return false;
    ended = true;
  }
  return ended;
}

std::optional<Error> find_deadlock(const Graph& g, Machine& machine, WaitsForEver waits_for_ever) {
  if (stopped_on_purpose(g, machine)) return std::nullopt;
  Error error;
  error.kind = ErrorKind::deadlock;
  for (const ThreadId t : machine.threads()) {
    const Action& a = machine.pending(t);
    if (a.kind == ActionKind::done) continue;
    const EventId last = g.last(t);
    if (last != kNoEvent && g[last].blocked && !waits_for_ever(g, last)) return std::nullopt;
    // Threads that wait for each other are stuck; one that looks for a value that never comes turns round and round.
    if (is_read(a.kind) && a.purpose == Purpose::access) error.kind = ErrorKind::livelock;
    if (error.thread == kNoThread || a.kind != ActionKind::join) {
      error.thread = t;
      error.site = a.site;
    }
    error.message += (error.message.empty() ? "" : "; ") + waiting_for(g, machine, t);
  }
  return error;
}

Finding make_finding(const Graph& g, Machine& machine, Error error) {
  const bool stuck = error.kind == ErrorKind::deadlock || error.kind == ErrorKind::livelock;
  GraphTrace traced = make_trace(g, machine, stuck);
  if (traced.error) error = std::move(*traced.error);
  return {std::move(error), std::move(traced.trace)};
}

Finding make_finding(const Graph& g, Machine& machine, const GraphError& error) {
  GraphTrace traced = make_trace(g, machine, false);
  Finding finding;
  finding.error.kind = error.kind;
  finding.error.message = error.message;
  const auto party = [&](EventId e, ThreadId& thread, SiteId& site) {
    thread = g[e].thread;
    const int step = traced.step_of[index(e)];
    if (step >= 0) site = traced.trace.steps[static_cast<std::size_t>(step)].action.site;
  };
  party(error.event, finding.error.thread, finding.error.site);
  if (error.other != kNoEvent) party(error.other, finding.error.other_thread, finding.error.other_site);
  if (error.kind == ErrorKind::race) {
    const int step = traced.step_of[index(error.event)];
    if (step >= 0) finding.error.message += " on " + traced.trace.steps[static_cast<std::size_t>(step)].location;
  }
  if (!error.cycle.empty()) finding.error.message += cycle_text(g, machine, error.cycle);
  finding.trace = std::move(traced.trace);
  return finding;
}

}  // namespace heddle
