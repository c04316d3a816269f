// Graphs that are parts of others: what a revisit keeps.
#include <algorithm>

#include "graph/graph.hpp"
#include "graph/rows.hpp"

namespace heddle {

void Graph::copy_clocks(EventId e, const Graph& from, EventId old) {
  const Event& source = from[old];
  const bool release = source.release_row && source.release == old;
  if (stride_ == from.stride_) {
    copy_row(row(e, kHb), from.row(old, kHb), (release ? 3 : 2) * stride_);
    return;
  }
  for (const Row r : {kHb, kCb, kRelease}) {
    copy_row(row(e, r), from.row(old, r), from.stride_);
    std::fill(row(e, r) + from.stride_, row(e, r) + stride_, 0);
  }
}

// Of the first n events.
void Graph::copy_clocks(const Graph& from, std::size_t n) {
  if (stride_ == from.stride_) {
    copy_row(clocks_.data(), from.clocks_.data(), n * kRows * stride_);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) copy_clocks(EventId(i), from, EventId(i));
}

// The events and all that follows from each one alone: the first so many, and then those to keep.
template <class Keep>
[[gnu::flatten]] void Graph::copy_events(const Graph& from, std::size_t first, EventId revisited, const Keep& keep) {
  clear();
  if (!from.threads_.empty()) ensure_thread(ThreadId(from.threads_.size() - 1));
  stride_ = std::max(stride_, from.stride_);
  ++clocks_moved_;
  locs_.resize(std::max(locs_.size(), from.locs_.size()));
  renamed_.assign(from.size(), kNoEvent);
  const auto follow = [&](EventId e) { return e == kNoEvent || e == kInit ? e : renamed_[index(e)]; };

  const auto enter = [&](EventId id, EventId old) {
    renamed_[index(old)] = id;
    Event& e = events_[index(id)];
    if (!e.is_read()) e.readers = kNoEvent;
    e.co_prev = e.co_next = kNoEvent;
    e.co = 0;
    if (e.kind == EventKind::create) add_thread(id);
    help_count_ += e.kind == EventKind::help;
    if (e.is_meeting()) enter_meeting(id);
    if (e.is_access()) {
      locs_[index(e.loc)].base = from.locs_[index(e.loc)].base;
      enter_location(id, e.loc);
    }
    count_sc(e, 1);
  };
  events_.assign(from.events_.begin(), from.events_.begin() + static_cast<std::ptrdiff_t>(first));
  make_room();
  copy_clocks(from, first);
  for (std::size_t t = 0; t < from.threads_.size(); ++t) {
    const auto& events = from.threads_[t];
    threads_[t].assign(events.begin(), std::ranges::lower_bound(events, EventId(first)));
  }
  for (std::size_t i = 0; i < first; ++i) enter(EventId(i), EventId(i));
  for (std::size_t i = first; i < from.size(); ++i) {
    const auto old = EventId(i);
    if (!keep(old)) continue;
    const auto id = EventId(events_.size());
    events_.push_back(from.events_[i]);
    make_room();
    copy_clocks(id, from, old);
    auto& events = threads_[index(events_[index(id)].thread)];
    events.push_back(id);
    HEDDLE_ASSERT(events.size() == events_[index(id)].po);  // what is kept is closed under po
    enter(id, old);
  }
  // Where an await was when it lost. If that was after the read that is revisited, all that it means is past.
  for (Event& e : events_) {
    if (!e.is_write() || e.loser == kNoThread) continue;
    if (revisited != kNoEvent && e.loss.events > index(revisited)) {
      e.loser = kNoThread;
      e.expected = {};
      continue;
    }
    std::size_t next = e.loss.events;
    while (next < renamed_.size() && renamed_[next] == kNoEvent) ++next;
    e.loss.events = next < renamed_.size() ? index(renamed_[next]) : events_.size();
  }
  // Names of events may point forwards (a revisited read is older than its write), so links come second.
  for (Event& e : events_) {
    e.release = follow(e.release);
    e.symb = follow(e.symb);
    e.release_fence = follow(e.release_fence);
    if (e.kind == EventKind::read || e.kind == EventKind::join) e.rf = follow(e.rf);
    if (e.kind == EventKind::read && e.winner != kNoEvent) {
      e.winner = follow(e.winner);
      if (e.winner != kNoEvent && (*this)[e.winner].loser == kNoThread) e.winner = kNoEvent;
    }
  }
}

// Readers, and co without the write `unplaced`.
void Graph::copy_links(const Graph& from, EventId unplaced) {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (!events_[i].is_read()) continue;
    HEDDLE_ASSERT(events_[i].rf != kNoEvent);  // what is kept is closed under rf
    link_reader(EventId(i));
  }
  for (const LocId l : touched_) {
    EventId after = kInit;
    uint32_t position = 0;
    Loc& loc = locs_[index(l)];
    for (EventId old = from.co_first(l); old != kNoEvent; old = from[old].co_next) {
      const EventId id = renamed_[index(old)];
      if (id == kNoEvent || id == unplaced) continue;
      Event& e = events_[index(id)];
      (after == kInit ? loc.co_first : events_[index(after)].co_next) = id;
      e.co_prev = after;
      e.co = ++position;
      after = id;
    }
    loc.co_last = after;
  }
}

// Where only a part of the graph is left in which an await was late, the others have not let it go first.
void Graph::forget_overtaking(std::size_t since) {
  for (std::size_t i = since; i < events_.size(); ++i) events_[i].overtakes = false;
}

Graph::Revisit Graph::restrict(const Graph& from, EventId r, EventId w) {
  const Prefix prefix = from.cb(w);
  HEDDLE_ASSERT(r < w && !from.in(prefix, r));
  copy_events(from, index(r) + 1, r, [&](EventId e) { return from.in(prefix, e); });
  const EventId new_read = renamed_[index(r)];
  const EventId new_write = renamed_[index(w)];
  HEDDLE_ASSERT(index(new_write) + 1 == events_.size() && last(events_[index(new_read)].thread) == new_read);
  // r's old write may be gone; until set_rf it reads from the revisiting write.
  events_[index(new_read)].rf = new_write;
  copy_links(from, new_write);
  forget_overtaking(index(r));
  return {new_read, new_write};
}

EventId Graph::restrict_without(const Graph& from, EventId r, EventId w) {
  const Prefix prefix = from.cb(w);
  HEDDLE_ASSERT(r < w && !from.in(prefix, r));
  copy_events(from, index(r), r, [&](EventId e) { return from.in(prefix, e); });
  const EventId new_write = renamed_[index(w)];
  HEDDLE_ASSERT(index(new_write) + 1 == events_.size());
  copy_links(from, new_write);
  forget_overtaking(index(r));
  return new_write;
}

void Graph::keep(const Graph& from, std::span<const uint8_t> kept, std::span<const EventId> reads, EventId w) {
  HEDDLE_ASSERT(kept.size() == from.size() && (reads.empty() || kept[index(w)] != 0));
  copy_events(from, 0, kNoEvent, [&](EventId e) { return kept[index(e)] != 0; });
  for (const EventId r : reads) events_[index(renamed_[index(r)])].rf = renamed_[index(w)];
  copy_links(from, kNoEvent);
  for (const EventId r : reads) set_rf(renamed_[index(r)], renamed_[index(w)]);
  HEDDLE_ASSERT_WHOLE(check());
}

}  // namespace heddle
