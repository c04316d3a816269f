#include "explore/replay.hpp"

#include <algorithm>

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
  }
  __builtin_unreachable();
}

Address address_of(const Graph& g, const Event& e) {
  if (e.is_access()) return g.address(e.loc);
  return e.kind == EventKind::free || e.kind == EventKind::help ? e.value.lo : 0;
}

EventId end_of_action(const Graph& g, EventId e) {
  const auto events = g.thread(g[e].thread);
  return events[g[e].po - 2 + action_width(g, events, g[e].po - 1)];
}

// The events of t that the machine performs: all but a blocked or open read at the end.
uint32_t goal(const Graph& g, ThreadId t) {
  const auto events = g.thread(t);
  if (events.empty()) return 0;
  const Event& last = g[events.back()];
  const bool waiting = last.is_read() && (last.blocked || last.exclusive);
  return static_cast<uint32_t>(events.size()) - (waiting ? 1 : 0);
}

}  // namespace

std::span<const Run> Schedule::operator()(const Graph& g) {
  runs_.clear();
  done_.assign(g.thread_count(), 0);
  goal_.resize(g.thread_count());
  for (std::size_t t = 0; t < goal_.size(); ++t) goal_[t] = goal(g, ThreadId(t));
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t t = 0; t < goal_.size(); ++t) {
      if (done_[t] == goal_[t]) continue;
      const uint32_t to = advance(g, ThreadId(t), done_[t]);
      if (to == done_[t]) continue;
      runs_.push_back({ThreadId(t), done_[t], to});
      done_[t] = to;
      progress = true;
    }
  }
  return runs_;
}

uint32_t Schedule::advance(const Graph& g, ThreadId t, uint32_t from) const {
  const auto performed = [&](EventId e) { return g[e].thread == t || g[e].po <= done_[index(g[e].thread)]; };
  const auto events = g.thread(t);
  if (from == 0 && g.creation(t) != kNoEvent && !performed(g.creation(t))) return from;
  uint32_t to = from;
  while (to < goal_[index(t)]) {
    const Event& e = g[events[to]];
    const bool depends = e.kind == EventKind::join || (e.is_read() && e.rf != kInit);
    if (depends && !performed(e.rf)) break;
    to += action_width(g, events, to);
  }
  return to;
}

void History::restrict(const History& from, const Graph& g, std::span<const EventId> reads) {
  steps_.clear();
  events_.clear();
  stretches_.clear();
  clocks_ = g.clocks();
  for (const EventId old : from.events_) {
    const EventId e = g.renamed(old);
    if (e != kNoEvent && std::find(reads.begin(), reads.end(), e) == reads.end()) add(g, e);
  }
  for (const EventId r : reads) {
    if (!g[r].blocked && !g.open(r)) add(g, r);
  }
  seen_ = g.size();
}

void History::add(const Graph& g, EventId e) {
  const Event& event = g[e];
  if (stretches_.empty() || stretches_.back().thread != event.thread) {
    stretches_.push_back({event.thread, static_cast<uint32_t>(steps_.size())});
  }
  steps_.push_back({event.value, g.hb(end_of_action(g, e)), action_of(event), address_of(g, event)});
  events_.push_back(e);
}

void History::update(const Graph& g, EventId changed) {
  while (!events_.empty() && events_.back() >= changed) {
    events_.pop_back();
    steps_.pop_back();
  }
  while (!stretches_.empty() && stretches_.back().begin >= steps_.size()) stretches_.pop_back();
  for (seen_ = std::min(seen_, index(changed)); seen_ < g.size(); ++seen_) {
    const Event& e = g[EventId(seen_)];
    const bool second_half = e.is_write() && e.exclusive;
    if (!second_half && !e.blocked) add(g, EventId(seen_));
  }
}

ThreadId History::replay(const Graph& g, Machine& machine, bool to_error) {
  if (clocks_ != g.clocks()) {
    clocks_ = g.clocks();
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].clock = g.hb(end_of_action(g, events_[i]));
  }
  machine.restart();
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const std::size_t end = i + 1 < stretches_.size() ? stretches_[i + 1].begin : steps_.size();
    const ThreadId t = stretches_[i].thread;
    machine.replay(t, std::span(steps_).subspan(stretches_[i].begin, end - stretches_[i].begin));
    if (to_error && machine.pending(t).kind == ActionKind::error) [[unlikely]]
      return t;
  }
  return kNoThread;
}

}  // namespace heddle
