#include "explore/judge/finding.hpp"

#include "core/assert.hpp"
#include "core/thread_name.hpp"
#include "explore/judge/trace.hpp"
#include "explore/progress.hpp"
#include "explore/replay/replay.hpp"

namespace heddle {
namespace {

// The actions of a graph.
class Listing {
 public:
  // `last`: the action that this event belongs to comes after all others that are performed.
  explicit Listing(const Graph& g, EventId last = kNoEvent) : g_(g), last_(last), action_of_(g.size(), -1) {}
  // Only what the two events depend on, and they.
  Listing(const Graph& g, EventId one, EventId other) : Listing(g) { causes_ = {one, other}; }

  // `stuck`: what the threads wait for belongs to it, joins too.
  std::vector<ShownAction> run(Machine& machine, bool stuck) {
    Schedule schedule;
    std::span<const Run> runs = schedule.in_sequence(g_);
    if (runs.empty()) runs = schedule(g_);
    for (const Run& run : runs) {
      const auto events = g_.thread(run.thread);
      for (uint32_t i = run.from; i < run.to;) {
        const uint32_t width = action_width(g_, events, i);
        if (events[i + width - 1] != last_ && is_shown(events[i])) add(events[i], events[i + width - 1], true);
        i += width;
      }
    }
    if (last_ != kNoEvent) {
      const auto events = g_.thread(g_[last_].thread);
      const bool is_update = g_[last_].is_write() && g_[last_].exclusive;
      add(events[events.size() - (is_update ? 2 : 1)], last_, true);
    }
    for (std::size_t t = 0; t < g_.thread_count(); ++t) {
      const auto id = ThreadId(t);
      if (!exists(g_, id)) continue;
      const EventId last = g_.last(id);
      if (last != kNoEvent && action_of_[index(last)] < 0 && is_shown(last)) {
        add(last, last, false);
      } else if (stuck &&
                 (machine.pending(id).kind == ActionKind::join || machine.pending(id).kind == ActionKind::leave)) {
        out_.push_back({.thread = id, .performed = false, .waits = true});
      }
    }
    return std::move(out_);
  }

 private:
  bool is_shown(EventId e) const {
    return causes_.empty() || std::ranges::any_of(causes_, [&](EventId c) { return g_.in(g_.cb(c), e); });
  }

  void add(EventId first, EventId last, bool performed) {
    const Event& e = g_[first];
    ShownAction a;
    a.thread = e.thread;
    a.result = e.value;
    a.clock = g_.hb(last);
    a.performed = performed;
    a.waits = e.blocked;
    if (e.is_read()) {
      a.read = e.value;
      if (e.rf != kInit) a.rf = action_of_[index(e.rf)];
      HEDDLE_ASSERT(e.rf == kInit || a.rf >= 0);  // the order respects rf
      a.acquired = acquires(first);
    }
    if (e.kind == EventKind::choice) a.read = e.value;
    if (g_[last].is_write()) {
      a.written = g_[last].value;
      a.co = g_.co_position(last);
      a.released = !g_.released(last).empty();
    }
    HEDDLE_ASSERT(action_of_[index(first)] < 0 && action_of_[index(last)] < 0);
    action_of_[index(first)] = action_of_[index(last)] = static_cast<int>(out_.size());
    out_.push_back(a);
  }

  bool acquires(EventId r) const {
    if (g_.sync().acquires(g_[r].mode)) return true;
    const auto events = g_.thread(g_[r].thread);
    for (std::size_t i = g_[r].po; i < events.size(); ++i) {
      if (g_[events[i]].kind == EventKind::fence && is_acquire(g_[events[i]].mode)) return true;
    }
    return false;
  }

  const Graph& g_;
  const EventId last_;
  std::vector<EventId> causes_;
  std::vector<int> action_of_;  // by EventId; both halves of an rmw share one
  std::vector<ShownAction> out_;
};

// The access of memory that is gone, or that races with one that is no action, if that is what is wrong: it is shown
// after the other one. kNoEvent if it is no event, or others depend on it.
EventId late_use(const Graph& g, const Error& error) {
  const bool is_use = error.kind == ErrorKind::memory && error.clash != Clash::in_use;
  if (!(is_use || error.kind == ErrorKind::race) || error.other_thread == kNoThread) return kNoEvent;
  const EventId use = g.last(error.thread);
  if (use == kNoEvent || !g[use].is_access() || g[use].site != error.site || g[use].blocked) return kNoEvent;
  const LocId l = g[use].loc;
  if (g.co_last(l) != (g[use].is_write() ? use : g[use].rf)) return kNoEvent;
  for (EventId a = g.accesses(l); a != kNoEvent; a = g[a].loc_prev)
    if (g[a].is_read() && g[a].rf == use) return kNoEvent;
  return use;
}

// The second run knows the places. It takes the threads in another order, and may meet the same error from the other
// side or another race of the execution. A race is then told as the second run has met it: what is said of one pair of
// accesses does not fit another one.
void add_details(Error& error, const Error& again) {
  if (again.kind != error.kind || error.other_site != kNoSite) return;
  const bool same =
      again.thread == error.thread && again.site == error.site && again.other_thread == error.other_thread;
  const bool other_side =
      again.thread == error.other_thread && again.other_thread == error.thread && again.other_site == error.site;
  if (same || (error.kind == ErrorKind::race && again.other_site != kNoSite)) {
    error = again;
  } else if (other_side) {
    error.other_site = again.site;
  }
}

// ": program order, reads-from and coherence form a cycle: T1 writes x, then T2 writes x, then T2 writes y, and so on;
// use --no-symmetry"
std::string cycle_text(const Graph& g, const Machine& machine, const std::vector<EventId>& cycle) {
  std::string text;
  for (const EventId e : cycle) {
    if (!g[e].is_access()) continue;
    text += (text.empty() ? "" : ", then ") + name_of(g[e].thread, machine.name(g[e].thread)) +
            (g[e].is_read() ? " reads " : " writes ") + machine.describe(g.address(g[e].loc));
  }
  return ": program order, reads-from and coherence form a cycle: " + text + ", and so on; use --no-symmetry";
}

// "a block of 8 bytes from malloc (queue.c:11) is freed while T1 (pop) may still use it"
std::string use_text(const Graph& g, const Machine& machine, const GraphError& error) {
  const Event& free = g[error.event];
  const ThreadId user = g[error.other].thread;
  return machine.block(free.freed.start) + (free.retire ? " is retired while " : " is freed while ") +
         name_of(user, machine.name(user)) + " may still use it" + (free.retire ? " without a hazard pointer" : "");
}

}  // namespace

Finding make_finding(const Graph& g, Machine& machine, Error error) {
  const bool stuck = error.kind == ErrorKind::deadlock || error.kind == ErrorKind::livelock;
  Traced traced = make_trace(machine, Listing(g, late_use(g, error)).run(machine, stuck));
  if (traced.error) add_details(error, *traced.error);
  return {std::move(error), std::move(traced.trace)};
}

Finding make_finding(const Graph& g, Machine& machine, const GraphError& error) {
  Traced traced = make_trace(machine, Listing(g).run(machine, false));
  Finding finding;
  finding.error.kind = error.kind;
  finding.error.message = error.message;
  finding.error.thread = g[error.event].thread;
  finding.error.site = g[error.event].site;
  if (error.other != kNoEvent) {
    finding.error.other_thread = g[error.other].thread;
    finding.error.other_site = g[error.other].site;
    finding.error.other_after = g[error.other].po - 1;
    if (error.kind == ErrorKind::memory && g[error.event].kind == EventKind::free) {
      finding.error.message = use_text(g, machine, error);
      finding.error.clash = Clash::in_use;
    }
  }
  if (error.kind == ErrorKind::race) finding.error.message += " on " + machine.describe(g.address(g[error.event].loc));
  if (!error.cycle.empty()) finding.error.message += cycle_text(g, machine, error.cycle);
  finding.trace = std::move(traced.trace);
  return finding;
}

Finding make_finding(const Graph& g, Machine& machine, const UseOfEnded& error) {
  const auto& [local, use] = error;
  const ThreadId user = g[use].thread;
  const std::string what = local.with_thread ? machine.describe(g.address(g[use].loc)) + " ends with its thread"
                                             : machine.block(local.start) + " goes out of scope";
  Traced traced = make_trace(machine, Listing(g, g.event(local.thread, local.events), use).run(machine, false));
  return {{.kind = ErrorKind::memory,
           .message = what + " while " + name_of(user, machine.name(user)) + " may still use it",
           .thread = local.thread,
           .site = local.site,
           .other_thread = user,
           .other_site = g[use].site,
           .clash = Clash::in_use,
           .other_after = g[use].po - 1},
          std::move(traced.trace)};
}

}  // namespace heddle
