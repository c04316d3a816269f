// A random consistent execution graph, grown one event at a time, with a look at every way in which it could have
// grown.
#pragma once

#include <random>

#include "differential/collect.hpp"
#include "differential/generate.hpp"
#include "machine/script/script_machine.hpp"

namespace heddle {

// Calls check(graph, choice, accepted) for each option of each step: the graph with the new access in it, the co
// position that it reads from or follows, and whether the model accepts it. Goes on with a random accepted option.
template <class Model, class Check>
class RandomWalk {
 public:
  RandomWalk(uint64_t seed, Check check)
      : random_(seed),
        script_(differential::generate(seed)),
        machine_(script_),
        graph_(locations_, Model::kSync),
        check_(check) {}

  void run() {
    machine_.restart();
    while (step()) {
    }
  }

  const Script& script() const { return script_; }

 private:
  bool step() {
    std::vector<ThreadId> ready;
    for (const ThreadId t : machine_.threads()) {
      const Action& a = machine_.pending(t);
      const EventId last = graph_.last(t);
      if (is_final(a.kind) || (last != kNoEvent && graph_[last].blocked)) continue;
      if (a.kind == ActionKind::join && !exited(a.child)) continue;
      ready.push_back(t);
    }
    if (ready.empty()) return false;
    const ThreadId t = ready[random_() % ready.size()];
    return grow(t, machine_.pending(t));
  }

  bool exited(ThreadId t) const { return graph_.last(t) != kNoEvent && graph_[graph_.last(t)].kind == EventKind::exit; }

  bool grow(ThreadId t, const Action& a) {
    if (!is_access(a.kind)) {
      const Value result{a.kind == ActionKind::choose ? random_() % a.bound : 0, 0};
      const EventId e = graph_.add_other(t, a, result);
      machine_.perform(t, result, graph_.hb(e));
      return true;
    }
    const LocId l = graph_.location(a.addr);
    if (!graph_.seen(l)) graph_.set_base(l, machine_.base(a.addr, a.size));
    std::vector<Graph> accepted;
    for (EventId p = kInit; p != kNoEvent; p = graph_.co_next(l, p)) {
      Graph option = graph_;
      if (grows(option, t, a, l, p)) accepted.push_back(std::move(option));
    }
    if (accepted.empty()) return false;
    graph_ = accepted[random_() % accepted.size()];
    const EventId last = graph_.last(t);
    if (graph_[last].blocked) return true;
    const EventId read = graph_[last].is_read() ? last : graph_.predecessor(last);
    machine_.perform(t, is_read(a.kind) ? graph_[read].value : Value{}, graph_.hb(last));
    return true;
  }

  bool grows(Graph& g, ThreadId t, const Action& a, LocId l, EventId p) {
    const bool maximal = p == g.co_last(l);
    const bool coherent = g.co_position(p) >= floor(g, t, a, l);
    const EventId next = g.co_next(l, p);
    const bool between = next != kNoEvent && g[next].exclusive;  // atomicity is not the model's matter
    if (a.kind == ActionKind::store) {
      if (between) return false;
      g.place(g.add_store(t, a), p);
    } else {
      const EventId r = g.add_read(t, a, p);
      if (g[r].exclusive && between) return false;
      if (g[r].exclusive) g.place(g.add_exclusive_write(r), p);
    }
    const EventId last = g.last(t);
    const bool admitted = model_.admits(g, last) &&
                          (g[last].is_read() || a.kind == ActionKind::store || model_.admits(g, g.predecessor(last)));
    const bool accepted = coherent && (maximal || admitted);
    check_(g, script_, accepted);
    return accepted;
  }

  // The explorer asks for the floor when the access is there already.
  uint32_t floor(const Graph& from, ThreadId t, const Action& a, LocId l) {
    Graph g = from;
    if (a.kind == ActionKind::store) {
      g.add_store(t, a);
    } else {
      g.add_read(t, a, g.co_last(l));
    }
    return model_.floor(g, g.last(t));
  }

  std::mt19937_64 random_;
  Script script_;
  ScriptMachine machine_;
  Locations locations_;
  Graph graph_;
  Model model_;
  Check check_;
};

}  // namespace heddle
