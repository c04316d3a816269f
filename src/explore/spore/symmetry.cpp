#include "explore/spore/symmetry.hpp"

#include <algorithm>

#include "explore/progress.hpp"

namespace heddle {
namespace {

GraphError joined_apart(EventId last) {
  return {ErrorKind::symmetry, "threads that can be exchanged are told apart by joins; use --no-symmetry", last};
}

}  // namespace

// Backwards from w to the next write in co.
std::optional<GraphError> find_co_cycle(const Graph& g, EventId w) {
  const EventId goal = g[w].co_next;
  if (goal == kNoEvent) return std::nullopt;
  std::vector<EventId> next(g.size(), kNoEvent);  // on the way to w
  std::vector<EventId> todo{w};
  const auto visit = [&](EventId from, EventId to) {
    if (from == kNoEvent || from == kInit || from == w || next[index(from)] != kNoEvent) return;
    next[index(from)] = to;
    todo.push_back(from);
  };
  while (!todo.empty() && next[index(goal)] == kNoEvent) {
    const EventId e = todo.back();
    todo.pop_back();
    visit(g.predecessor(e), e);
    if (g[e].is_read() || g[e].kind == EventKind::join) visit(g[e].rf, e);
    if (g[e].kind == EventKind::leave) g.for_each_arrival(e, [&](EventId a) { visit(a, e); });
    if (g[e].is_write() && g[e].co != 0) visit(g[e].co_prev, e);
  }
  if (next[index(goal)] == kNoEvent) return std::nullopt;
  std::vector<EventId> cycle{w};
  for (EventId e = goal; e != w; e = next[index(e)]) cycle.push_back(e);
  return GraphError{ErrorKind::symmetry, "symmetry reduction is not applicable here", w, goal, cycle};
}

std::optional<GraphError> find_joined_apart(const Graph& g, ThreadId t) {
  const EventId last = g.last(t);
  if (last == kNoEvent || g[last].kind != EventKind::join) return std::nullopt;
  const auto events = g.thread(t);
  std::vector<bool> joined(g.thread_count());
  for (std::size_t i = events.size(); i-- > 0 && g[events[i]].kind == EventKind::join;) {
    joined[index(g[events[i]].child)] = true;
  }
  for (std::size_t u = 0; u < g.thread_count(); ++u) {
    const ThreadId twin = g.twin(ThreadId(u));
    if (twin != kNoThread && joined[u] != joined[index(twin)]) return joined_apart(last);
  }
  return std::nullopt;
}

namespace {

ThreadId first_of_class(const Graph& g, ThreadId t) {
  while (g.twin(t) != kNoThread) t = g.twin(t);
  return t;
}

// For each class, by its first thread: how many have exited and are not joined by t.
std::vector<std::size_t> ready_to_join(const Graph& g, ThreadId t) {
  std::vector<std::size_t> ready(g.thread_count());
  for (std::size_t u = 0; u < g.thread_count(); ++u) {
    if (has_exited(g, ThreadId(u))) ++ready[index(first_of_class(g, ThreadId(u)))];
  }
  for (const EventId e : g.thread(t)) {
    if (g[e].kind == EventKind::join) --ready[index(first_of_class(g, g[e].child))];
  }
  return ready;
}

// Whether t has only created threads and joined some of this class: then what it does next depends on nothing else.
bool is_simple(const Graph& g, ThreadId t, ThreadId first) {
  return std::ranges::all_of(g.thread(t), [&](EventId e) {
    const bool joins = g[e].kind == EventKind::join && first_of_class(g, g[e].child) == first;
    return joins || g[e].kind == EventKind::create;
  });
}

}  // namespace

std::optional<GraphError> find_held_up(const Graph& g, Machine& machine, KnownJoins& known) {
  for (const ThreadId t : machine.threads()) {
    const Action* next = &machine.pending(t);
    if (next->kind != ActionKind::join || has_exited(g, next->child)) continue;
    const ThreadId first = first_of_class(g, next->child);
    auto ready = ready_to_join(g, t);
    if (ready[index(first)] == 0) continue;
    if (is_simple(g, t, first) && !known.insert({t, g.thread(t).size(), ready}).second) continue;
    const EventId last = g.last(t) != kNoEvent ? g.last(t) : g.creation(t);
    std::vector<uint32_t> clock(g.hb(last).begin(), g.hb(last).end());
    // Some of the class never exit, so it is not joined as a whole.
    while (next->kind == ActionKind::join && ready[index(first_of_class(g, next->child))]-- > 0) {
      ++clock[index(t)];
      next = &machine.perform(t, {}, clock);
    }
    if (next->kind != ActionKind::join) return joined_apart(last);
  }
  return std::nullopt;
}

}  // namespace heddle
