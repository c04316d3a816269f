#include "explore/rvf/trace.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/assert.hpp"
#include "graph/interleaving.hpp"
#include "models/sc.hpp"

namespace heddle {

RvfTrace::RvfTrace(Machine& machine) : machine_(machine), graph_(locations_, Sc::kSync) {}

// Of memory that has been accessed, what the first access has found: by now the machine may have moved on.
Value RvfTrace::base_of(const Action& a, uint32_t var) const {
  return accesses(var).empty() ? machine_.base(a.addr, a.size) : events_[accesses(var).front()].base;
}

VscId RvfTrace::after_of(ThreadId t, const Action& a) const {
  if (a.kind == ActionKind::join) return x_.thread(thread_of(a.child)).back();
  const uint32_t thread = thread_of(t);
  return thread < x_.threads() && !x_.thread(thread).empty() ? kNoVscEvent : creation_of(t);
}

VscId RvfTrace::creation_of(ThreadId t) const {
  if (t == kMain) return kNoVscEvent;
  for (VscId e = 0; e < x_.size(); ++e) {
    if (events_[e].action.kind == ActionKind::create && events_[e].action.child == t) return e;
  }
  throw std::logic_error("a thread that no thread has created");
}

VscId RvfTrace::add_event(ThreadId t, const Action& a, Value result, Value base, std::span<const VscId> good) {
  HEDDLE_ASSERT(events_.size() == x_.size());
  VscEvent event{.thread = thread_of(t), .after = after_of(t, a)};
  threads_ = std::max<uint32_t>(threads_, event.thread + 1);
  RvfEvent& info = events_.emplace_back(RvfEvent{a, result, {}, base, ++serial_});
  if (is_access(a.kind)) {
    event.var = var_of(a.addr);
    event.reads = is_read(a.kind);
    event.writes =
        a.kind == ActionKind::store || a.kind == ActionKind::rmw || (a.kind == ActionKind::cas && result == a.expected);
    info.written = a.kind == ActionKind::rmw ? apply(a.op, result, a.operand, a.size) : a.operand;
  }
  return x_.add(event, good);
}

void RvfTrace::cut_events(std::size_t n) {
  x_.cut(n);
  events_.resize(n);
}

void RvfTrace::append(VscId e) {
  HEDDLE_ASSERT(built_.size() == trace_.size());
  trace_.push_back(e);
  built_.push_back({events_[e].serial, graph_.size()});
  add_to_graph(e);
  HEDDLE_ASSERT(trace_.size() == x_.size());
}

void RvfTrace::arrange(const std::vector<VscId>& trace) {
  HEDDLE_ASSERT(trace.size() == x_.size());
  trace_ = trace;
  std::size_t same = 0;
  const std::size_t least = std::min(trace_.size(), built_.size());
  while (same < least && built_[same].serial == events_[trace_[same]].serial) ++same;
  if (same < built_.size()) {
    graph_.cut(built_[same].events);
    graph_changed(graph_.size());
    built_.resize(same);
  }
  for (; same < trace_.size(); ++same) {
    built_.push_back({events_[trace_[same]].serial, graph_.size()});
    add_to_graph(trace_[same]);
  }
}

std::size_t RvfTrace::follow_graph() {
  history_.update(graph_, EventId(stale_));
  stale_ = graph_.size();
  history_.replay(graph_, machine_, false);
  return history_.size();
}

void RvfTrace::clear_graph() {
  graph_.cut(0);
  built_.clear();
  trace_.clear();
  stale_ = 0;
}

void RvfTrace::add_to_graph(VscId e) {
  const RvfEvent& info = events_[e];
  add_to_graph(ThreadId(x_[e].thread), info.action, info.read, info.base);
}

void RvfTrace::add_to_graph(ThreadId t, const Action& a, Value result, Value base) {
  if (!is_access(a.kind)) {
    graph_.add_other(t, a, result);
    return;
  }
  const LocId l = graph_.location(a.addr);
  if (!graph_.seen(l)) graph_.set_base(l, base);
  if (!is_read(a.kind)) {
    add_last_store(graph_, t, a);
    return;
  }
  const EventId r = add_last_read(graph_, t, a);
  HEDDLE_ASSERT(graph_[r].value == result && !graph_[r].blocked);
  if (graph_[r].exclusive) complete_last(graph_, r);
}

uint32_t RvfTrace::graph_position(VscId e) const {
  uint32_t po = 0;
  for (const VscId before : x_.thread(x_[e].thread)) {
    po += x_[before].reads && x_[before].writes ? 2 : 1;
    if (before == e) break;
  }
  return po;
}

}  // namespace heddle
