#include "explore/await/reversals.hpp"

#include <algorithm>
#include <set>

#include "core/assert.hpp"

namespace heddle {
namespace {

Effect effect_of(const Event& read, Value found) {
  switch (read.type) {
    case ReadType::load: return Effect::read;
    case ReadType::rmw: return Effect::write;
    case ReadType::cas: return found == expected_by(read) ? Effect::write : Effect::read;
  }
  __builtin_unreachable();
}

bool includes(const std::vector<bool>& set, const std::vector<bool>& part) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (part[i] && !set[i]) return false;
  }
  return true;
}

}  // namespace

void Reversals::run(std::span<const ThreadId> threads, const Insert& insert) {
  insert_ = &insert;
  for (Position p = 0; p < order_.size(); ++p) {
    if (details_[p].choices > 1) reverse_choices(p);
    if (order_[p].label.loc == kNoLoc) continue;
    reverse_adjacent(p);
    if (waits(p)) reverse_await(event(p), order_[p].label.thread, order_[p].before, order_[p].loc_prev);
  }
  for (const ThreadId t : threads) {
    const EventId last = graph_.last(t);
    if (last == kNoEvent || !graph_[last].blocked) continue;
    reverse_await(graph_[last], t, order_.last(t), order_.last(graph_[last].loc));
  }
}

void Reversals::reverse_choices(Position p) {
  Label other = order_[p].label;
  for (other.choice = 0; other.choice < details_[p].choices; ++other.choice) {
    if (other.choice != order_[p].label.choice) emit(p, other, nothing_);
  }
}

// Lines 3–6.
void Reversals::reverse_adjacent(Position second) {
  const Position last = order_.run_before(second);
  if (last == kNowhere || (modifies(effect(last)) && waits(second))) return;
  const bool is_cas = event(second).is_read() && event(second).type == ReadType::cas;
  for (Position first = last; first != kNowhere && order_.same_run(first, last); first = order_[first].loc_prev) {
    if (!adjacent(first, second)) continue;
    Label label = order_[second].label;
    if (is_cas && modifies(effect(first))) {
      collect_run(first, last);
      label.effect = effect_of(event(second), value_after(first, nothing_));
    }
    emit(first, label, nothing_);
  }
}

// `first` is in the run before `second`. What happens before `second` does so by its thread or by that run.
bool Reversals::adjacent(Position first, Position second) const {
  if (order_.before(first, order_[second].before)) return false;
  for (Position p = order_.run_before(second); p != first; p = order_[p].loc_prev) {
    if (order_.before(first, p)) return false;
  }
  return true;
}

// Lines 7–22, for an await of t that comes, or would come, after the step `arrival` and after `last_access`.
void Reversals::reverse_await(const Event& await, ThreadId t, Position arrival, Position last_access) {
  Label label;
  label.thread = t;
  label.loc = await.loc;
  for (Position e = last_access; e != kNowhere; e = order_[e].loc_prev) {
    if (!modifies(effect(e))) continue;
    // Conflicts with all that may enable or disable the await.
    const bool can_stop = !commutes(effect(e));
    const bool known = order_.before(e, arrival);
    const bool done = known || reverse_await(await, label, e, arrival, last_access);
    if (can_stop && done) return;
  }
}

// Lines 17–21. Whether the await can come before the step `first`.
bool Reversals::reverse_await(const Event& await, const Label& label, Position first, Position arrival,
                              Position last_access) {
  collect_run(first, last_access);
  const auto try_without = [&](const std::vector<bool>& without) {
    const Value found = value_after(first, without);
    if (!satisfied(await, found)) return false;
    Label second = label;
    second.effect = effect_of(await, found);
    emit(first, second, without);
    return true;
  };
  if (run_.empty()) return try_without(nothing_);
  if (!can_be_satisfied(await, first, arrival)) return false;

  // From small sets to large ones.
  std::vector<std::vector<bool>> enabling;
  std::set<std::vector<bool>> known;
  std::vector<std::vector<bool>> todo{std::vector<bool>(run_.size())};
  for (std::size_t i = 0; i < todo.size(); ++i) {
    const std::vector<bool> without = todo[i];
    if (std::ranges::any_of(enabling, [&](const auto& less) { return includes(without, less); })) continue;
    if (try_without(without)) {
      enabling.push_back(without);
      continue;
    }
    for (std::size_t m = run_.size(); m-- > 0;) {
      if (without[m] || order_.before(run_[m], arrival)) continue;
      std::vector<bool> more = without;
      for (std::size_t n = m; n < run_.size(); ++n) more[n] = more[n] || order_.before(run_[m], run_[n]);
      if (known.insert(more).second) todo.push_back(std::move(more));
    }
  }
  return !enabling.empty();
}

// Whether some part of the run, with all that the await must come after, leaves a value that lets it go on. There are
// far fewer values than parts: of 40 threads that count one each, 40.
bool Reversals::can_be_satisfied(const Event& await, Position first, Position arrival) {
  constexpr std::size_t kMany = 1000;
  const auto less = [](Value a, Value b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; };
  values_.assign(1, details_[first].before);
  for (const Position p : run_) {
    const Event& rmw = event(p);
    const std::size_t n = values_.size();
    for (std::size_t i = 0; i < n; ++i) values_.push_back(apply(rmw.op, values_[i], rmw.operand, rmw.size));
    if (order_.before(p, arrival)) values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(n));
    std::ranges::sort(values_, less);
    values_.erase(std::ranges::unique(values_).begin(), values_.end());
    if (values_.size() > kMany) return true;  // perhaps
  }
  return std::ranges::any_of(values_, [&](Value v) { return satisfied(await, v); });
}

// `last_access` is in the run of `first` or later. Only rmws that commute have others beside them that change the
// location.
void Reversals::collect_run(Position first, Position last_access) {
  run_.clear();
  if (!commutes(effect(first))) return;
  for (Position p = last_access; p != first; p = order_[p].loc_prev) {
    if (order_.same_run(p, first) && !order_.before(first, p)) run_.push_back(p);
  }
  std::ranges::reverse(run_);
}

// What the location of `first` holds if `first` and all that happens after it is left out, and of the run those that
// `without` says.
Value Reversals::value_after(Position first, const std::vector<bool>& without) const {
  Value value = details_[first].before;
  HEDDLE_ASSERT(without.empty() || without.size() == run_.size());
  for (std::size_t i = 0; i < run_.size(); ++i) {
    if (!without.empty() && without[i]) continue;
    const Event& rmw = event(run_[i]);
    value = apply(rmw.op, value, rmw.operand, rmw.size);
  }
  return value;
}

// The sequence notdep(first).second, without some steps of run_ and what happens after them.
void Reversals::emit(Position first, const Label& second, const std::vector<bool>& without) {
  HEDDLE_ASSERT(without.empty() || without.size() == run_.size());
  sequence_.clear();
  for (Position p = first + 1; p < order_.size(); ++p) {
    if (order_.before(first, p)) continue;
    bool kept = true;
    for (std::size_t i = 0; i < without.size() && kept; ++i) kept = !without[i] || !order_.before(run_[i], p);
    if (kept) sequence_.push_back(order_[p].label);
  }
  sequence_.push_back(second);
  // It reverses a race with `first`, whose branch is no place for it (wakeup_tree.hpp).
  HEDDLE_ASSERT([&, at = std::size_t{0}]() mutable { return !is_weak_initial(order_[first].label, sequence_, at); }());
  (*insert_)(first, sequence_);
}

}  // namespace heddle
