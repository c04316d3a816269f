#include "models/store_buffers.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace heddle {
namespace {

// An event that waits until the buffers of its thread are empty, and that all after it waits for: D of axioms/tso.cpp.
bool drains(const Event& e) {
  switch (e.kind) {
    case EventKind::read: return e.type != ReadType::load;
    case EventKind::write: return e.exclusive || is_sc(e.mode);
    case EventKind::fence: return is_sc(e.mode);
    case EventKind::create:
    case EventKind::join:
    case EventKind::exit:
    case EventKind::arrive: return true;
    default: return false;
  }
}

// PSO: what stands between the stores before and after it.
bool separates_stores(const Event& e) { return drains(e) || (e.kind == EventKind::fence && is_release(e.mode)); }

// The latest write of e's location that its own thread has written or read: by coherence the thread's last access of
// it tells.
uint32_t own_floor(const Graph& g, EventId e) {
  for (EventId a = g.accesses(g[e].loc); a != kNoEvent; a = g[a].loc_prev) {
    const Event& x = g[a];
    if (x.thread == g[e].thread && x.po < g[e].po) return x.is_write() ? x.co : g.co_position(x.rf);
  }
  return 0;
}

}  // namespace

template <bool kPso>
uint32_t StoreBuffers<kPso>::floor(const Graph& g, EventId e) {
  const LocId l = g[e].loc;
  EventId w = g.co_last(l);
  if (w == kInit) return 0;
  const uint32_t own = own_floor(g, e);
  if (own == g[w].co) return own;
  start(g, e);
  close(g);
  while (w != kInit && g[w].co > own && !contains(g, w)) w = g[w].co_prev;
  return g.co_position(w);
}

// The events just before e.
template <bool kPso>
void StoreBuffers<kPso>::start(const Graph& g, EventId e) {
  parts_.assign(g.thread_count(), {});
  if constexpr (kPso) {
    stamps_.resize(std::max(stamps_.size(), g.size()));
    ++stamp_;
    HEDDLE_ASSERT(stamp_ != 0 && todo_.empty());
  }
  const Event& event = g[e];
  if (const EventId creation = g.creation(event.thread); creation != kNoEvent) {
    include_all(g[creation].thread, g[creation].po);
  }
  const uint32_t before = event.po - 1;
  include_reads(event.thread, before);
  if (drains(event) || (event.is_write() && (!kPso || is_release(event.mode)))) {
    include_all(event.thread, before);
  } else if (kPso && event.is_write()) {
    include_separated(g, e);
  }
}

template <bool kPso>
void StoreBuffers<kPso>::include_reads(ThreadId t, uint32_t po) {
  Part& part = parts_[index(t)];
  if (po <= part.reads) return;
  part.reads = po;
  grown_ = true;
}

template <bool kPso>
void StoreBuffers<kPso>::include_all(ThreadId t, uint32_t po) {
  include_reads(t, po);
  Part& part = parts_[index(t)];
  if (po <= part.writes) return;
  part.writes = po;
  grown_ = true;
}

// The stores that something separates from the store w.
template <bool kPso>
void StoreBuffers<kPso>::include_separated(const Graph& g, EventId w) {
  const ThreadId t = g[w].thread;
  for (uint32_t po = g[w].po - 1; po > parts_[index(t)].writes; --po) {
    if (separates_stores(g[g.event(t, po)])) return include_all(t, po);
  }
}

template <bool kPso>
void StoreBuffers<kPso>::include_write(const Graph& g, EventId w) {
  const Event& e = g[w];
  if (!kPso || e.exclusive || is_release(e.mode)) return include_all(e.thread, e.po);
  if (contains(g, w)) return;
  stamps_[index(w)] = stamp_;
  todo_.push_back(w);
  include_reads(e.thread, e.po);
  include_separated(g, w);
}

template <bool kPso>
void StoreBuffers<kPso>::close(const Graph& g) {
  do {
    grown_ = false;
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      while (parts_[t].reads_done < parts_[t].reads) visit_read_side(g, g.event(ThreadId(t), ++parts_[t].reads_done));
      while (parts_[t].writes_done < parts_[t].writes) {
        const EventId e = g.event(ThreadId(t), ++parts_[t].writes_done);
        if (g[e].is_write()) visit_write(g, e);
      }
    }
    while (!todo_.empty()) {
      const EventId w = todo_.back();
      todo_.pop_back();
      visit_write(g, w);
    }
  } while (grown_);
  HEDDLE_ASSERT(std::ranges::all_of(parts_, [](const Part& p) {
    return p.writes <= p.reads && p.reads == p.reads_done && p.writes == p.writes_done;
  }));
}

// What a position among the reads brings with it: the write that it reads from, unless that may still be in the
// thread's buffer; and, if it drains, all before it.
template <bool kPso>
void StoreBuffers<kPso>::visit_read_side(const Graph& g, EventId e) {
  const Event& event = g[e];
  if (event.po == 1) {
    if (const EventId creation = g.creation(event.thread); creation != kNoEvent) {
      include_all(g[creation].thread, g[creation].po);
    }
  }
  if (drains(event)) include_all(event.thread, event.po);
  if (event.is_read() && event.rf != kInit && g[event.rf].thread != event.thread) include_write(g, event.rf);
  if (event.kind == EventKind::join) include_all(g[event.rf].thread, g[event.rf].po);
  if (event.kind == EventKind::leave) g.for_each_arrival(e, [&](EventId a) { include_all(g[a].thread, g[a].po); });
}

// co from the co-predecessor, rb from its readers.
template <bool kPso>
void StoreBuffers<kPso>::visit_write(const Graph& g, EventId w) {
  const Event& event = g[w];
  if (event.co == 0) return;
  if (event.co_prev != kInit) include_write(g, event.co_prev);
  for (EventId r = g.readers(event.loc, event.co_prev); r != kNoEvent; r = g[r].next_reader) {
    include_reads(g[r].thread, g[r].po);
  }
}

template <bool kPso>
bool StoreBuffers<kPso>::contains(const Graph& g, EventId w) const {
  if (g[w].po <= parts_[index(g[w].thread)].writes) return true;
  return kPso && stamps_[index(w)] == stamp_;
}

template class StoreBuffers<false>;
template class StoreBuffers<true>;

}  // namespace heddle
