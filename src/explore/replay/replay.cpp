#include "explore/replay/replay.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace heddle {
namespace {

ActionKind action_of(const Event& e) {
  switch (e.kind) {
    case EventKind::read:
      return e.type == ReadType::load ? ActionKind::load : e.type == ReadType::rmw ? ActionKind::rmw : ActionKind::cas;
    case EventKind::write: return ActionKind::store;
    case EventKind::fence: return ActionKind::fence;
    case EventKind::create: return ActionKind::create;
    case EventKind::join: return ActionKind::join;
    case EventKind::exit: return ActionKind::exit;
    case EventKind::free: return ActionKind::free;
    case EventKind::choice: return ActionKind::choose;
    case EventKind::help: return ActionKind::help;
    case EventKind::arrive: return ActionKind::arrive;
    case EventKind::leave: return ActionKind::leave;
    case EventKind::look: return ActionKind::look;
  }
  __builtin_unreachable();
}

Address address_of(const Graph& g, const Event& e) {
  if (e.kind == EventKind::free) return e.freed.start;
  return e.loc == kNoLoc ? 0 : g.address(e.loc);
}

EventId end_of_action(const Graph& g, EventId e) {
  const Event& event = g[e];
  if (!event.is_read() || !event.exclusive) return e;
  const auto events = g.thread(event.thread);
  return event.po < events.size() ? events[event.po] : e;
}

// The events of t among the first n that the machine performs: all but a blocked or open read at the end.
uint32_t goal(const Graph& g, ThreadId t, std::size_t n) {
  auto events = g.thread(t);
  while (!events.empty() && index(events.back()) >= n) events = events.first(events.size() - 1);
  if (events.empty()) return 0;
  const Event& last = g[events.back()];
  const bool waiting = last.is_read() && (last.blocked || last.exclusive);
  return static_cast<uint32_t>(events.size()) - (waiting ? 1 : 0);
}

bool is_second_half(const Event& e) { return e.is_write() && e.exclusive; }

}  // namespace

std::span<const Run> Schedule::operator()(const Graph& g, std::size_t n, std::span<const EventId> without) {
  goal_.resize(g.thread_count());
  for (std::size_t t = 0; t < goal_.size(); ++t) goal_[t] = goal(g, ThreadId(t), n);
  for (const EventId r : without) goal_[index(g[r].thread)] = std::min(goal_[index(g[r].thread)], g[r].po - 1);
  run(g);
  return runs_;
}

std::span<const Run> Schedule::in_sequence(const Graph& g) {
  in_sequence_ = true;
  (*this)(g);
  in_sequence_ = false;
  if (done_ != goal_) runs_.clear();
  return runs_;
}

void Schedule::run(const Graph& g) {
  runs_.clear();
  done_.assign(g.thread_count(), 0);
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t t = 0; t < goal_.size(); ++t) {
      if (done_[t] == goal_[t]) continue;
      const uint32_t to = advance(g, ThreadId(t), done_[t]);
      if (to == done_[t]) continue;
      HEDDLE_ASSERT(to > done_[t] && to <= goal_[t]);
      runs_.push_back({ThreadId(t), done_[t], to});
      done_[t] = to;
      progress = true;
    }
  }
}

uint32_t Schedule::advance(const Graph& g, ThreadId t, uint32_t from) const {
  const auto performed = [&](EventId e) { return g[e].thread == t || g.in(done_, e); };
  const auto events = g.thread(t);
  if (from == 0 && g.creation(t) != kNoEvent && !performed(g.creation(t))) return from;
  uint32_t to = from;
  while (to < goal_[index(t)]) {
    const Event& e = g[events[to]];
    const bool depends = e.kind == EventKind::join || (e.is_read() && e.rf != kInit);
    if (depends && !performed(e.rf)) break;
    if (e.kind == EventKind::leave) {
      bool all = true;
      g.for_each_arrival(events[to], [&](EventId a) { all &= performed(a); });
      if (!all) break;
    }
    const uint32_t width = action_width(g, events, to);
    if (in_sequence_ && !may_write(g, events[to + width - 1])) break;
    to += width;
  }
  return to;
}

// Whether all accesses that must come before w in memory have been performed. The thread's own have.
bool Schedule::may_write(const Graph& g, EventId w) const {
  if (!g[w].is_write()) return true;
  const uint32_t co = g.co_position(w);
  for (EventId e = g.accesses(g[w].loc); e != kNoEvent; e = g[e].loc_prev) {
    const ThreadId t = g[e].thread;
    if (t == g[w].thread || g[e].po > goal_[index(t)] || g.in(done_, e)) continue;
    if (g.co_position(g[e].is_write() ? e : g[e].rf) < co) return false;
  }
  return true;
}

void History::clear(const Graph& g) {
  steps_.clear();
  events_.clear();
  clocks_moved_ = g.clocks_moved();
  seen_ = g.size();
}

void History::start(const Graph& g, const Machine& machine) {
  clear(g);
  steps_.start(machine);
}

void History::reset() {
  steps_.clear();
  steps_.forget_lowest();
}

void History::lose(const History& other) {
  steps_.lose(other.steps_.lowest());
  steps_.lower(other.steps_.lowest());
}

void History::restrict(const History& from, const Graph& g, std::span<const EventId> reads) {
  clear(g);
  std::size_t same = 0;
  for (std::size_t i = 0; i < from.events_.size(); ++i) {
    const EventId e = g.renamed(from.events_[i]);
    if (e == kNoEvent || std::find(reads.begin(), reads.end(), e) != reads.end()) continue;
    add(g, e);
    if (events_.size() == i + 1) same = i + 1;
  }
  steps_.agree(from.steps_, std::min(same, steps_.lowest()));
  for (const EventId r : reads) {
    if (!g[r].blocked && !g.open(r)) add(g, r);
  }
}

void History::rebuild(const Graph& g, EventId changed, std::span<const EventId> reads) {
  clear(g);
  Schedule schedule;
  for (const Run& run : schedule(g, index(changed), reads)) {
    const auto events = g.thread(run.thread);
    for (uint32_t i = run.from; i < run.to; i += action_width(g, events, i)) add(g, events[i]);
  }
  const auto is_one = [&](EventId e) { return std::find(reads.begin(), reads.end(), e) != reads.end(); };
  for (std::size_t i = index(changed); i < g.size(); ++i) {
    const auto e = EventId(i);
    // An rmw that a revisit has torn apart is one action all the same.
    const EventId first = is_second_half(g[e]) ? g.predecessor(e) : e;
    if (first != e && first >= changed) continue;
    if (!g[first].blocked && !g.open(first) && !is_one(first)) add(g, first);
  }
  for (const EventId r : reads) {
    if (!g[r].blocked && !g.open(r)) add(g, r);
  }
}

void History::add(const Graph& g, EventId e) {
  const Event& event = g[e];
  steps_.add(event.thread, {event.value, g.hb(end_of_action(g, e)), action_of(event), address_of(g, event)});
  events_.push_back(e);
  HEDDLE_ASSERT(events_.size() == steps_.size());
}

void History::update(const Graph& g, EventId changed) {
  while (!events_.empty() && events_.back() >= changed) events_.pop_back();
  if (events_.size() < steps_.size()) steps_.cut(events_.size());
  seen_ = std::min(seen_, index(changed));
  add_new(g, std::min(index(changed), g.size()));
  steps_.lose(steps_.size());
  add_new(g, g.size());
}

void History::add_new(const Graph& g, std::size_t end) {
  for (; seen_ < end; ++seen_) {
    const Event& e = g[EventId(seen_)];
    if (!is_second_half(e) && !e.blocked) add(g, EventId(seen_));
  }
}

ThreadId History::replay(const Graph& g, Machine& machine, bool to_error) {
  if (clocks_moved_ != g.clocks_moved()) {
    clocks_moved_ = g.clocks_moved();
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].clock = g.hb(end_of_action(g, events_[i]));
  }
  HEDDLE_ASSERT_WHOLE(check(g));
  return steps_.replay(machine, to_error);
}

std::string History::check(const Graph& g) const {
  std::vector<uint32_t> done(g.thread_count());
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& e = g[events_[i]];
    const auto performed = [&](EventId x) { return x == kNoEvent || x == kInit || g.in(done, x); };
    if (e.po != done[index(e.thread)] + 1) return "a step out of program order";
    if (!performed(g.predecessor(events_[i])) || !performed(e.rf)) return "a step before what it depends on";
    bool met = true;
    if (e.kind == EventKind::leave) g.for_each_arrival(events_[i], [&](EventId a) { met &= performed(a); });
    if (!met) return "a leave before an arrival";
    const Step& step = steps_[i];
    if (step.kind != action_of(e) || step.addr != address_of(g, e) || step.result != e.value) return "another action";
    const EventId end = end_of_action(g, events_[i]);
    if (step.clock.data() != g.hb(end).data()) return "the clock of another event";
    done[index(e.thread)] = g[end].po;
  }
  for (std::size_t t = 0; t < done.size(); ++t) {
    if (done[t] != goal(g, ThreadId(t), g.size())) return "actions are missing";
  }
  return {};
}

}  // namespace heddle
