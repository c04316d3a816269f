#include "explore/rcmc/level.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace heddle {

void RcmcLevel::reset() {
  cyclic = kAcyclic;
  cleared_.clear();
  optional.clear();
  revisited.clear();
}

void RcmcLevel::push(RcmcItem item) {
  // The latest choice keeps the most events.
  HEDDLE_ASSERT(index(item.event) < graph.size() && (items.empty() || items.back().event <= item.event));
  HEDDLE_ASSERT(item.optional <= optional.size());
  item.cleared = cleared_.size();
  items.push_back(item);
}

bool RcmcLevel::take(RcmcItem& item) {
  RcmcItem& last = items.back();
  const bool revisits = last.kind == ItemKind::revisit;
  HEDDLE_ASSERT(last.cleared <= cleared_.size() && (!revisits || last.optional <= optional.size()));
  if (!last.given) {
    graph.cut(index(last.event) + 1);
    for (; cleared_.size() > last.cleared; cleared_.pop_back()) {
      if (index(cleared_.back()) < graph.size()) graph.set_revisitable(cleared_.back(), true);
    }
    if (cyclic >= index(last.event)) cyclic = kAcyclic;
  }
  const bool stays = !last.given && revisits && next_subset(last);
  item = last;
  if (stays) return true;
  if (revisits) optional.resize(last.optional);
  items.pop_back();
  return !item.given && !revisits;
}

void RcmcLevel::clear(EventId r) {
  if (!graph[r].revisitable) return;
  graph.set_revisitable(r, false);
  cleared_.push_back(r);
}

// T is closed under sbrf (Def. 4.1), so it is an end of each thread's reads.
void RcmcLevel::clear_prefix(EventId e) {
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

void RcmcLevel::find_first_revisitable() {
  first_.assign(graph.thread_count(), UINT32_MAX);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Event& e = graph[EventId(i)];
    if (e.revisitable) first_[index(e.thread)] = std::min(first_[index(e.thread)], e.po);
  }
}

bool RcmcLevel::stays(EventId e) const {
  HEDDLE_ASSERT(first_.size() == graph.thread_count());  // find_first_revisitable comes first
  const auto prefix = graph.cb(e);
  for (std::size_t t = 0; t < first_.size(); ++t) {
    if (prefix[t] >= first_[t]) return false;
  }
  return true;
}

bool RcmcLevel::next_subset(RcmcItem& item) {
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
bool RcmcLevel::has_more(const RcmcItem& item) const {
  if (item.given) return false;
  if (item.kind != ItemKind::revisit || item.empty || &item != &items.back()) return true;
  if (item.optional == optional.size()) return false;
  if (!optional.back().chosen) return true;
  const auto chosen = [](const RcmcOptional& o) { return o.chosen; };
  return std::any_of(optional.begin() + static_cast<std::ptrdiff_t>(item.optional), optional.end() - 1, chosen);
}

bool RcmcLevel::has_more() const {
  return std::ranges::any_of(items, [&](const RcmcItem& i) { return has_more(i); });
}

// Whether the n-th read may join those that are chosen.
bool RcmcLevel::fits(std::size_t begin, std::size_t n) const {
  for (std::size_t i = begin; i < n; ++i) {
    if (!optional[i].chosen) continue;
    if (optional[i].exclusive && optional[n].exclusive) return false;
    if (graph.cb(optional[i].read, optional[n].read) || graph.cb(optional[n].read, optional[i].read)) return false;
  }
  return true;
}

// The reads of the i-th item end where those of the next revisit begin.
std::size_t RcmcLevel::end_of_optional(std::size_t i) const {
  while (++i < items.size()) {
    if (items[i].kind == ItemKind::revisit) return items[i].optional;
  }
  return optional.size();
}

void RcmcLevel::restore(const RcmcItem& item, Graph& copy) const {
  for (std::size_t n = cleared_.size(); n-- > item.cleared;) {
    if (index(cleared_[n]) < copy.size()) copy.set_revisitable(cleared_[n], true);
  }
}

void RcmcLevel::save(std::size_t i, Writer& out) const {
  const RcmcItem& item = items[i];
  out.number(static_cast<uint64_t>(item.kind));
  out.event(item.other);
  out.number(item.choice);
  out.number(item.empty);
  out.number(item.fails);
  out.number(cyclic >= index(item.event) ? 0 : cyclic + 1);
  const std::size_t end = item.kind == ItemKind::revisit ? end_of_optional(i) : item.optional;
  out.number(end - item.optional);
  for (std::size_t n = item.optional; n < end; ++n) {
    out.number(index(optional[n].read));
    out.number(optional[n].exclusive);
    out.number(optional[n].chosen);
  }
}

void RcmcLevel::load(Reader& in) {
  RcmcItem item;
  if (graph.size() == 0) throw std::runtime_error("an empty graph");
  item.event = EventId(graph.size() - 1);
  item.kind = ItemKind(in.number(kItemKinds));
  item.other = in.event(graph.size());
  item.choice = static_cast<uint32_t>(in.number(UINT32_MAX));
  item.empty = in.number(2) != 0;
  item.fails = in.number(2) != 0;
  const uint64_t first_cyclic = in.number(graph.size() + 1);
  cyclic = first_cyclic == 0 ? kAcyclic : first_cyclic - 1;
  for (uint64_t n = in.count(); n > 0; --n) {
    const auto read = EventId(in.number(graph.size()));
    const bool exclusive = in.number(2) != 0;
    optional.push_back({read, exclusive, in.number(2) != 0});
  }
  push(item);
}

}  // namespace heddle
