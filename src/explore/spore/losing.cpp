#include "explore/spore/losing.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace heddle {
namespace {

// What an await that was at this place would find if it knew what is in the prefix: the last write before `start`.
EventId last_known(const Graph& g, LocId l, EventId place, Prefix prefix, EventId start) {
  EventId w = g.co_last(l);
  while (w != kInit && (w >= start || !(w < place || g.in(prefix, w)))) w = g[w].co_prev;
  return w;
}

}  // namespace

EventId winner_over(const Graph& g, ThreadId t, LocId l) {
  EventId w = g.co_last(l);
  while (w != kInit && !g.is_loser(w, t)) w = g[w].co_prev;
  return w == kInit ? kNoEvent : w;
}

bool descends(const Graph& g, EventId w, EventId winner) {
  HEDDLE_ASSERT(g[winner].is_write() && g[winner].loser != kNoThread && g[winner].loss.events <= index(winner));
  const auto place = EventId(g[winner].loss.events);
  while (w != winner) {
    if (w == kInit || w < place) return false;
    w = last_known(g, g[winner].loc, place, g.cb(w), w);
  }
  return true;
}

EventId first_deletable(const Graph& g, EventId w) {
  const Prefix prefix = g.cb(w);
  EventId limit{0};
  const auto look_at = [&](EventId winner) {
    const auto place = EventId(g[winner].loss.events);
    if (!descends(g, last_known(g, g[winner].loc, place, prefix, w), winner)) limit = std::max(limit, place);
  };
  for (std::size_t i = 0; i < g.size(); ++i) {
    const auto e = EventId(i);
    if (g[e].is_read() && g[e].winner != kNoEvent && !g.in(prefix, e)) look_at(g[e].winner);
    if (g[e].is_write() && g[e].loser != kNoThread && g.is_loser(e, g[e].loser)) look_at(e);
  }
  return limit;
}

std::size_t passed_by(const Graph& g, ThreadId t, std::size_t size, const ThreadOrder& threads) {
  auto events = g.thread(t);
  while (!events.empty() && index(events.back()) >= size) events = events.first(events.size() - 1);
  const EventId before = events.empty() ? g.creation(t) : events.back();
  const std::size_t first = before == kNoEvent ? 0 : index(before) + 1;
  for (std::size_t i = size; i-- > first;) {
    const Event& e = g[EventId(i)];
    if (e.overtakes && threads.before(t, e.thread)) return i;
  }
  return 0;
}

}  // namespace heddle
