// next_P of SPORE (Algorithm 1): which thread gets the next event. The first one in the order of paths that can go on.
// Where we depart: main's last joins, and exits just before them, come last, because the machine may know them
// (Machine::knows_rest).
//
// All this is a function of the graph and the program alone, the same in every process.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/assert.hpp"
#include "explore/progress.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// The threads in the order of their paths, main first.
class ThreadOrder {
 public:
  // t exists in the graph from now on.
  void add(const ThreadPaths& paths, ThreadId t) {
    if (index(t) >= places_.size() || places_[index(t)] == kUnknown) insert(paths, t);
    go_back(places_[index(t)]);
  }

  // The first thread that has a next event in this graph. may_start: what the explorer says besides. Of the threads
  // before the last answer only those may go on that have waited for one that has exited since, until `look_again`.
  template <class MayStart>
  ThreadId next(const Graph& g, Machine& machine, const MayStart& may_start) {
    left_ = kNoThread;
    HEDDLE_ASSERT(std::ranges::is_sorted(woken_) && (woken_.empty() || woken_.back() < first_));
    for (; !woken_.empty(); woken_.erase(woken_.begin())) {
      if (can_go_on(g, machine, woken_.front(), may_start)) return threads_[woken_.front()];
    }
    for (; first_ < threads_.size(); ++first_) {
      if (can_go_on(g, machine, first_, may_start)) return threads_[first_];
    }
    return next_to_end(g);
  }
  // If the last answer was given only because no thread can go on: one that stands before its last joins.
  ThreadId left() const { return left_; }
  void exited(ThreadId t) {
    std::erase_if(joining_, [&](const Joining& j) {
      HEDDLE_ASSERT(j.place < first_);
      if (j.child == t) woken_.insert(std::ranges::upper_bound(woken_, j.place), j.place);
      return j.child == t;
    });
  }
  void look_again() { go_back(0); }

  const std::vector<ThreadId>& all() const { return threads_; }
  bool before(ThreadId a, ThreadId b) const { return places_[index(a)] < places_[index(b)]; }

 private:
  static constexpr std::size_t kUnknown = SIZE_MAX;

  struct Joining {
    std::size_t place;
    ThreadId child;
  };

  template <class MayStart>
  bool can_go_on(const Graph& g, Machine& machine, std::size_t place, const MayStart& may_start) {
    const ThreadId t = threads_[place];
    if (!goes_further(g, t)) return false;
    const Action& a = machine.pending(t);
    HEDDLE_ASSERT(!a.last || place == 0);  // main has such joins, and no other: all others are looked at after it
    if (a.kind == ActionKind::exit && last_join_) {
      ending_.insert(std::ranges::upper_bound(ending_, place), place);
      return false;
    }
    if (a.kind != ActionKind::join) return !is_final(a.kind) && may_start(t, a);
    if (!a.last && has_exited(g, a.child)) return true;
    if (a.last) {
      last_join_ = {place, a.child};
    } else {
      joining_.push_back({place, a.child});
    }
    return false;
  }

  ThreadId next_to_end(const Graph& g) {
    if (!last_join_) return kNoThread;
    if (!ending_.empty()) {
      left_ = threads_[last_join_->place];
      const ThreadId t = threads_[ending_.front()];
      ending_.erase(ending_.begin());
      return t;
    }
    if (!has_exited(g, last_join_->child)) return kNoThread;
    left_ = threads_[last_join_->place];
    go_back(last_join_->place);
    return left_;
  }

  void insert(const ThreadPaths& paths, ThreadId t) {
    const auto at = std::ranges::upper_bound(threads_, paths.path(t), {}, [&](ThreadId u) { return paths.path(u); });
    threads_.insert(at, t);
    HEDDLE_ASSERT(std::ranges::is_sorted(threads_, {}, [&](ThreadId u) { return paths.path(u); }));
    HEDDLE_ASSERT(std::ranges::count(threads_, t) == 1);
    places_.resize(std::max(places_.size(), index(t) + 1), kUnknown);
    for (std::size_t i = 0; i < threads_.size(); ++i) places_[index(threads_[i])] = i;
    look_again();
  }

  void go_back(std::size_t place) {
    if (place >= first_) return;
    first_ = place;
    std::erase_if(joining_, [&](const Joining& j) { return j.place >= place; });
    if (last_join_ && last_join_->place >= place) last_join_.reset();
    std::erase_if(ending_, [&](std::size_t p) { return p >= place; });
    std::erase_if(woken_, [&](std::size_t p) { return p >= place; });
  }

  std::vector<ThreadId> threads_;
  std::vector<std::size_t> places_;  // of each thread
  std::size_t first_ = 0;            // from here on any thread may go on; before, those that are woken:
  std::vector<std::size_t> woken_;   // places, in their order
  std::vector<Joining> joining_;     // and those that wait for others
  std::optional<Joining> last_join_;
  std::vector<std::size_t> ending_;  // places of those that stand before their exit meanwhile, in their order
  ThreadId left_ = kNoThread;
};

}  // namespace heddle
