#include "explore/rcmc_level.hpp"

#include <algorithm>

namespace heddle::rcmc {

void Level::reset() {
  has_history = false;
  cyclic = kAcyclic;
  cleared_.clear();
  optional.clear();
}

void Level::push(Item item) {
  item.cleared = cleared_.size();
  items.push_back(item);
}

void Level::back_to(const Item& item) {
  graph.cut(index(item.event) + 1);
  for (; cleared_.size() > item.cleared; cleared_.pop_back()) {
    if (index(cleared_.back()) < graph.size()) graph.set_revisitable(cleared_.back(), true);
  }
  if (cyclic >= index(item.event)) cyclic = kAcyclic;
}

void Level::clear(EventId r) {
  if (!graph[r].revisitable) return;
  graph.set_revisitable(r, false);
  cleared_.push_back(r);
}

// T is closed under sbrf (Def. 4.1), so it is an end of each thread's reads.
void Level::clear_prefix(EventId e) {
  const auto prefix = graph.cb(e);
  for (std::size_t t = 0; t < graph.thread_count(); ++t) {
    for (uint32_t n = prefix[t]; n > 0; --n) {
      const EventId x = graph.event(ThreadId(t), n);
      if (x == e || !graph[x].is_read()) continue;
      if (!graph[x].revisitable) break;
      clear(x);
    }
  }
}

void Level::find_first_revisitable() {
  first_.assign(graph.thread_count(), UINT32_MAX);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Event& e = graph[EventId(i)];
    if (e.revisitable) first_[index(e.thread)] = std::min(first_[index(e.thread)], e.po);
  }
}

bool Level::stays(EventId e) const {
  const auto prefix = graph.cb(e);
  for (std::size_t t = 0; t < first_.size(); ++t) {
    if (prefix[t] >= first_[t]) return false;
  }
  return true;
}

bool Level::next_subset(Item& item) {
  if (item.empty) {
    item.empty = false;
    return true;
  }
  const std::size_t begin = item.optional;
  const std::size_t end = optional.size();
  std::size_t last = end;
  while (last > begin && !optional[last - 1].chosen) --last;
  for (;;) {
    for (std::size_t n = last; n < end; ++n) {
      if (!fits(begin, n)) continue;
      optional[n].chosen = true;
      return true;
    }
    while (last > begin && !optional[last - 1].chosen) --last;
    if (last == begin) return false;
    optional[last - 1].chosen = false;
  }
}

// Only the topmost item may be under way. Its last K1 is the last read alone.
bool Level::has_more(const Item& item) const {
  if (item.kind != Item::kRevisit || item.empty || &item != &items.back()) return true;
  if (item.optional == optional.size()) return false;
  if (!optional.back().chosen) return true;
  const auto chosen = [](const Optional& o) { return o.chosen; };
  return std::any_of(optional.begin() + static_cast<std::ptrdiff_t>(item.optional), optional.end() - 1, chosen);
}

// Whether the n-th read may join those that are chosen.
bool Level::fits(std::size_t begin, std::size_t n) const {
  for (std::size_t i = begin; i < n; ++i) {
    if (!optional[i].chosen) continue;
    if (optional[i].exclusive && optional[n].exclusive) return false;
    if (graph.cb(optional[i].read, optional[n].read) || graph.cb(optional[n].read, optional[i].read)) return false;
  }
  return true;
}

}  // namespace heddle::rcmc
