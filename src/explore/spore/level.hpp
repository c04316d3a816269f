// The choices of spore. Each is made at `event`, which is the last event that the choice keeps.
#pragma once

#include <algorithm>

#include "core/assert.hpp"
#include "explore/kernel/kernel.hpp"

namespace heddle {

struct SporeItem {
  ItemKind kind = ItemKind::read;
  EventId event = kNoEvent;
  EventId other = kNoEvent;      // read: the write; place: the write to follow in co; revisit: the read
  EventId revisited = kNoEvent;  // place: the read that reads from `event` by a revisit, if any
  uint32_t choice = 0;           // choice: the result; wait: the number of the waiting action
  bool given = false;            // another process explores it
};

struct SporeLevel : LevelOf<SporeItem> {
  using LevelOf::LevelOf;

  // A read that waits at the end of an execution, which is not in the graph.
  struct Waiting {
    ThreadId thread;
    Action action;
  };
  std::vector<Waiting> waiting;

  // How many of them, from the first on, items refer to. The latest item has the highest number.
  std::size_t used_waiting() const {
    const auto is_wait = [](const SporeItem& i) { return i.kind == ItemKind::wait; };
    const auto it = std::find_if(items.rbegin(), items.rend(), is_wait);
    return it == items.rend() ? 0 : it->choice + 1;
  }

  void reset() { revisited.clear(); }
  void push(const SporeItem& item) {
    // The latest choice keeps the most events.
    HEDDLE_ASSERT(index(item.event) < graph.size() && (items.empty() || items.back().event <= item.event));
    items.push_back(item);
  }

  // Takes the latest choice off, and brings the graph back to it.
  bool take(SporeItem& item) {
    item = items.back();
    items.pop_back();
    if (item.given) return false;
    graph.cut(index(item.event) + 1);
    restore(item, graph);
    if (item.kind == ItemKind::wait)
      item = {.kind = ItemKind::read, .event = EventId(graph.size() - 1), .other = item.other};
    return true;
  }

  bool has_more(const SporeItem& item) const { return !item.given; }
  bool has_more() const {
    return std::ranges::any_of(items, [&](const SporeItem& i) { return has_more(i); });
  }

  // Adds what the graph was at an item besides the events up to it.
  void restore(const SporeItem& item, Graph& g) const {
    if (item.kind != ItemKind::wait) return;
    HEDDLE_ASSERT(item.choice < waiting.size() && index(item.event) + 1 == g.size());
    const Waiting& w = waiting[item.choice];
    g.set_late(g.add_read(w.thread, w.action, g.co_last(g.location(w.action.addr))));
  }

  void save(std::size_t i, Writer& out) const {
    const SporeItem& item = items[i];
    const bool waits = item.kind == ItemKind::wait;
    out.number(static_cast<uint64_t>(waits ? ItemKind::read : item.kind));
    out.event(item.other);
    out.event(item.revisited);
    out.number(waits ? 0 : item.choice);
  }

  // After the graph, which ends with the item's event.
  void load(Reader& in) {
    SporeItem item;
    if (graph.size() == 0) throw std::runtime_error("an empty graph");
    item.event = EventId(graph.size() - 1);
    item.kind = ItemKind(in.number(kItemKinds));
    item.other = in.event(graph.size());
    item.revisited = in.event(graph.size());
    item.choice = static_cast<uint32_t>(in.number(UINT32_MAX));
    items.push_back(item);
  }
};

}  // namespace heddle
