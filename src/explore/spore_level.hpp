// The choices of spore. Each is made at `event`, which is the last event that the choice keeps.
#pragma once

#include <algorithm>

#include "explore/kernel.hpp"

namespace heddle {

struct SporeItem {
  ItemKind kind = ItemKind::given;
  EventId event = kNoEvent;
  EventId other = kNoEvent;      // read: the write; place: the write to follow in co; revisit: the read
  EventId revisited = kNoEvent;  // place: the read that reads from `event` by a revisit, if any
  uint32_t choice = 0;           // choice: the result
};

struct SporeLevel : LevelOf<SporeItem> {
  using LevelOf::LevelOf;

  void reset() { revisited.clear(); }
  void push(const SporeItem& item) { items.push_back(item); }

  // Takes the latest choice off, and brings the graph back to it.
  bool take(SporeItem& item) {
    item = items.back();
    items.pop_back();
    if (item.kind == ItemKind::given) return false;
    graph.cut(index(item.event) + 1);
    return true;
  }

  bool has_more(const SporeItem& item) const { return item.kind != ItemKind::given; }
  bool has_more() const {
    return std::ranges::any_of(items, [&](const SporeItem& i) { return has_more(i); });
  }

  // What the graph was at an item besides the events: nothing.
  void restore(const SporeItem&, Graph&) const {}

  void save(std::size_t i, Writer& out) const {
    const SporeItem& item = items[i];
    out.number(static_cast<uint64_t>(item.kind));
    out.number(item.other == kInit ? 0 : index(item.other) + 1);
    out.number(item.revisited == kNoEvent ? 0 : index(item.revisited) + 1);
    out.number(item.choice);
  }

  // After the graph, which ends with the item's event.
  void load(Reader& in) {
    SporeItem item;
    if (graph.size() == 0) throw std::runtime_error("an empty graph");
    item.event = EventId(graph.size() - 1);
    item.kind = ItemKind(in.number(static_cast<uint64_t>(ItemKind::given)));
    const uint64_t other = in.number(UINT64_C(1) << 33);
    const bool named = item.kind != ItemKind::choice;
    if (named && other > graph.size()) throw std::runtime_error("a choice of an event that is not there");
    item.other = other == 0 ? kInit : EventId(other - 1);
    const uint64_t read = in.number(graph.size() + 1);
    item.revisited = read == 0 ? kNoEvent : EventId(read - 1);
    item.choice = static_cast<uint32_t>(in.number(UINT32_MAX));
    require_fit(item);
    items.push_back(item);
  }

 private:
  // Whether the choice makes sense in the graph: bytes with a right check sum may still be nonsense.
  void require_fit(const SporeItem& item) const {
    const Event& e = graph[item.event];
    const bool other_write = item.other == kInit || graph[item.other].is_write();
    const bool other_here = item.other == kInit || graph[item.other].loc == e.loc;
    const bool fits = item.kind == ItemKind::read      ? e.is_read() && other_write && other_here
                      : item.kind == ItemKind::place   ? e.is_write() && other_write && other_here
                      : item.kind == ItemKind::revisit ? e.is_write() && !other_write && graph[item.other].is_read()
                                                       : e.kind == EventKind::choice;
    const bool revisits = item.revisited == kNoEvent || (e.is_write() && graph[item.revisited].is_read());
    if (!fits || !revisits) throw std::runtime_error("a choice that does not fit the graph");
  }
};

}  // namespace heddle
