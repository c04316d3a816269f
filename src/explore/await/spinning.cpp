#include "explore/await/spinning.hpp"

#include <algorithm>

#include "explore/progress.hpp"

namespace heddle {
namespace {

class Search {
 public:
  Search(const Graph& g, const ConflictOrder& order, const std::vector<Detail>& details, Machine& machine)
      : g_(g), order_(order), details_(details), machine_(machine) {}

  std::optional<GraphError> run() {
    for (Position p = 0; p < order_.size() && !error_; ++p) {
      if (order_[p].label.loc != kNoLoc) look_at(details_[p].event, order_[p].before, order_[p].loc_prev);
    }
    for (std::size_t t = 0; t < g_.thread_count() && !error_; ++t) {
      const auto id = ThreadId(t);
      if (exists(g_, id) && waits(g_, id)) look_at(g_.last(id), order_.last(id), order_.last(g_[g_.last(id)].loc));
    }
    return std::move(error_);
  }

 private:
  void look_at(EventId await, Position arrival, Position last_access) {
    const Event& e = g_[await];
    if (!e.is_read() || e.await == Await::none || !g_.has_plain(e.loc)) return;
    for (Position p = last_access; p != kNowhere && !error_; p = order_[p].loc_prev) {
      const Effect effect = order_[p].label.effect;
      if (!modifies(effect)) continue;
      const EventId first = details_[p].event;
      look_at(await, g_[first].is_write() ? first : EventId(index(first) + 1));
      if (!commutes(effect) && order_.before(p, arrival)) return;
    }
    look_at(await, kInit);
  }

  // A read of w by the thread of the await, before the await.
  void look_at(EventId await, EventId w) {
    const Event& e = g_[await];
    if (error_ || satisfied(e, g_.value_of(e.loc, w))) return;
    clock_.assign(g_.hb(await).size(), 0);
    if (const EventId before = g_.predecessor(await); before != kNoEvent) add(g_.hb(before));
    const Mode mode = e.type == ReadType::cas ? e.mode_failure : e.mode_success;
    if (w != kInit && g_.sync().acquires(mode)) add(g_.released(w));
    for (EventId a = g_.accesses(e.loc); a != kNoEvent; a = g_[a].loc_prev) {
      const Event& other = g_[a];
      if (!other.is_write() || other.mode != Mode::na || other.thread == e.thread) continue;
      if (g_.in(clock_, a) || g_.hb(await, a) || is_suppressed(g_, await, a, &machine_)) continue;
      error_ = GraphError{ErrorKind::race, "data race", await, a};
      return;
    }
  }

  void add(Prefix other) {
    for (std::size_t i = 0; i < other.size(); ++i) clock_[i] = std::max(clock_[i], other[i]);
  }

  const Graph& g_;
  const ConflictOrder& order_;
  const std::vector<Detail>& details_;
  Machine& machine_;
  std::vector<uint32_t> clock_;
  std::optional<GraphError> error_;
};

}  // namespace

std::optional<GraphError> find_race_of_waiting(const Graph& g, const ConflictOrder& order,
                                               const std::vector<Detail>& details, Machine& machine) {
  return Search(g, order, details, machine).run();
}

}  // namespace heddle
