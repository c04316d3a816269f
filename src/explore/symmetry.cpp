#include "explore/symmetry.hpp"

#include <algorithm>

namespace heddle {

// Backwards from w to the next write in co.
std::vector<EventId> find_co_cycle(const Graph& g, EventId w) {
  const EventId goal = g[w].co_next;
  if (goal == kNoEvent) return {};
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
    if (g[e].is_write() && g[e].co != 0) visit(g[e].co_prev, e);
  }
  if (next[index(goal)] == kNoEvent) return {};
  std::vector<EventId> cycle{w};
  for (EventId e = goal; e != w; e = next[index(e)]) cycle.push_back(e);
  return cycle;
}

ThreadId find_joined_apart(const Graph& g, ThreadId t) {
  const auto events = g.thread(t);
  std::vector<bool> joined(g.thread_count());
  for (std::size_t i = events.size(); i-- > 0 && g[events[i]].kind == EventKind::join;) {
    joined[index(g[events[i]].child)] = true;
  }
  for (std::size_t u = 0; u < g.thread_count(); ++u) {
    const ThreadId twin = g.twin(ThreadId(u));
    if (twin == kNoThread || joined[u] == joined[index(twin)]) continue;
    return joined[u] ? ThreadId(u) : twin;
  }
  return kNoThread;
}

}  // namespace heddle
