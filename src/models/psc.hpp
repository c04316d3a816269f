// RC11's partial SC order (RCMC §3.2.4), for a co that is total or weak.
//
//   scb = po ∪ po≠loc;hb;po≠loc ∪ hb|loc ∪ co ∪ rb
//   psc = ([E^sc] ∪ [F^sc];hb?) ; scb ; ([E^sc] ∪ hb?;[F^sc]) ∪ [F^sc];(hb ∪ hb;eco;hb);[F^sc]
//
// Order says what co is, by
//
//   // before the questions, when the graph has changed
//   void start(const Graph&);
//   // co ∪ rb from an access to a write of its location
//   bool before_write(const Graph&, EventId a, EventId w);
//   // [f];hb;eco;hb;[h] through accesses of l
//   bool between_fences(const Graph&, LocId l, EventId f, EventId h);
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/assert.hpp"
#include "graph/graph.hpp"

namespace heddle {

template <class Order>
class Psc {
 public:
  // Whether psc is acyclic, if it was before the access `changed` came or was changed.
  bool acyclic(const Graph& g, EventId changed) { return acyclic(g, changed, kAll); }

  // The same for what is kept of g, which has no fences, and is closed under po and rf backwards.
  template <class Keep>
  bool acyclic(const Graph& g, EventId changed, const Keep& keep) {
    HEDDLE_ASSERT((std::is_same_v<Keep, std::remove_const_t<decltype(kAll)>>) || g.sc_fences() == 0);
    if (g.sc_accesses() + g.sc_fences() < 2) return true;
    if (g.sc_fences() == 0 && g[changed].mode != Mode::sc) return true;
    find_nodes(g, true, keep);
    return g.sc_fences() == 0 ? !on_cycle(g, changed) : search(g);
  }

  // Whether psc is acyclic, whatever it was before.
  bool acyclic(const Graph& g) {
    if (g.sc_accesses() + g.sc_fences() < 2) return true;
    find_nodes(g, true, kAll);
    return search(g);
  }

  // The same with the fences as the only SC events.
  bool fences_acyclic(const Graph& g) {
    if (g.sc_fences() < 2) return true;
    find_nodes(g, false, kAll);
    return search(g);
  }

 private:
  static constexpr auto kAll = [](EventId) { return true; };

  // An SC event; of an access also its neighbours in its thread that are not of its location.
  struct Node {
    EventId event, before, after;
  };

  static bool hb_or_same(const Graph& g, EventId a, EventId b) { return a == b || g.hb(a, b); }

  static EventId next_in_thread(const Graph& g, EventId a) {
    const auto thread = g.thread(g[a].thread);
    return g[a].po < thread.size() ? thread[g[a].po] : kNoEvent;
  }

  // The first event after a in its thread that is not of a's location.
  static EventId next_elsewhere(const Graph& g, EventId a) {
    const auto thread = g.thread(g[a].thread);
    for (std::size_t i = g[a].po; i < thread.size(); ++i) {
      if (g[thread[i]].loc != g[a].loc && g[thread[i]].kind != EventKind::help) return thread[i];
    }
    return kNoEvent;
  }

  // The last event before b in its thread that is not of b's location; the creation stands for the thread's start.
  static EventId previous_elsewhere(const Graph& g, EventId b) {
    EventId d = g.predecessor(b);
    while (d != kNoEvent && g[d].thread == g[b].thread && (g[d].loc == g[b].loc || g[d].kind == EventKind::help)) {
      d = g.predecessor(d);
    }
    return d;
  }

  bool between_accesses(const Graph& g, const Node& a, const Node& b) {
    const Event& x = g[a.event];
    const Event& y = g[b.event];
    if (x.thread == y.thread && x.po < y.po) return true;
    if (x.loc == y.loc) {
      if (g.hb(a.event, b.event)) return true;
      if (y.is_write() && order_.before_write(g, a.event, b.event)) return true;
    }
    return a.after != kNoEvent && b.before != kNoEvent && hb_or_same(g, a.after, b.before);
  }

  // [F^sc] ; hb? ; scb ; [E^sc]
  bool fence_to_access(const Graph& g, EventId f, EventId b) {
    const EventId before = g.predecessor(b);
    if (before != kNoEvent && hb_or_same(g, f, before)) return true;
    for (EventId x = g.accesses(g[b].loc); x != kNoEvent; x = g[x].loc_prev) {
      if (x == b || !g.hb(f, x)) continue;
      if (g.hb(x, b) || (g[b].is_write() && order_.before_write(g, x, b))) return true;
    }
    return false;
  }

  // [E^sc] ; scb ; hb? ; [F^sc]
  bool access_to_fence(const Graph& g, EventId a, EventId f) {
    const EventId after = next_in_thread(g, a);
    if (after != kNoEvent && hb_or_same(g, after, f)) return true;
    for (EventId y = g.accesses(g[a].loc); y != kNoEvent; y = g[y].loc_prev) {
      if (y == a || !g.hb(y, f)) continue;
      if (g.hb(a, y) || (g[y].is_write() && order_.before_write(g, a, y))) return true;
    }
    return false;
  }

  bool between_fences(const Graph& g, EventId f, EventId h) {
    if (g.hb(f, h)) return true;
    for (const LocId l : g.touched()) {
      if (order_.between_fences(g, l, f, h)) return true;
    }
    return false;
  }

  bool psc(const Graph& g, const Node& a, const Node& b) {
    if (a.event == b.event) return false;
    const bool from_fence = g[a.event].kind == EventKind::fence;
    const bool to_fence = g[b.event].kind == EventKind::fence;
    if (!from_fence && !to_fence) return between_accesses(g, a, b);
    if (!from_fence) return access_to_fence(g, a.event, b.event);
    return to_fence ? between_fences(g, a.event, b.event) : fence_to_access(g, a.event, b.event);
  }

  template <class Keep>
  void find_nodes(const Graph& g, bool accesses, const Keep& keep) {
    order_.start(g);
    nodes_.clear();
    for (std::size_t i = 0; i < g.size(); ++i) {
      const EventId e = EventId(i);
      if (g[e].mode != Mode::sc || !keep(e)) continue;
      if (g[e].kind == EventKind::fence) nodes_.push_back({e, kNoEvent, kNoEvent});
      if (accesses && g[e].is_access()) nodes_.push_back({e, previous_elsewhere(g, e), next_elsewhere(g, e)});
    }
  }

  bool on_cycle(const Graph& g, EventId e) {
    HEDDLE_ASSERT(std::ranges::find(nodes_, e, &Node::event) != nodes_.end());
    colour_.assign(nodes_.size(), 0);
    stack_.clear();
    for (Node from = {e, kNoEvent, next_elsewhere(g, e)};;) {
      for (std::size_t n = 0; n < nodes_.size(); ++n) {
        if (colour_[n] != 0 || !psc(g, from, nodes_[n])) continue;
        if (nodes_[n].event == e) return true;
        colour_[n] = 1;
        stack_.push_back(n);
      }
      if (stack_.empty()) return false;
      from = nodes_[stack_.back()];
      stack_.pop_back();
    }
  }

  bool search(const Graph& g) {
    colour_.assign(nodes_.size(), kWhite);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (colour_[n] == kWhite && reaches_grey(g, n)) return false;
    }
    return true;
  }

  bool reaches_grey(const Graph& g, std::size_t node) {
    colour_[node] = kGrey;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (colour_[n] == kBlack || !psc(g, nodes_[node], nodes_[n])) continue;
      if (colour_[n] == kGrey || reaches_grey(g, n)) return true;
    }
    colour_[node] = kBlack;
    return false;
  }

  enum : uint8_t { kWhite, kGrey, kBlack };
  Order order_;
  std::vector<Node> nodes_;
  std::vector<uint8_t> colour_;
  std::vector<std::size_t> stack_;
};

}  // namespace heddle
