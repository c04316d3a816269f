#include "explore/rvf/rvf.hpp"

#include <algorithm>
#include <utility>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "explore/judge/judge.hpp"
#include "explore/rvf/encounters.hpp"
#include "explore/rvf/stack.hpp"
#include "explore/rvf/tree.hpp"
#include "explore/rvf/verify_sc.hpp"
#include "explore/share/slices.hpp"
#include "explore/share/work_item.hpp"
#include "explore/thread_order.hpp"
#include "graph/interleaving.hpp"

namespace heddle {
namespace {

class RvfExplorer : RvfStack {
 public:
  RvfExplorer(Machine& machine, const Request& request)
      : RvfStack(machine, request),
        options_{request.rvf.greedy, request.rvf.closure, request.rvf.auxiliary},
        judge_(machine, request, ModelKind::sc) {}

  Result run() {
    if (machine_.uses_hazard_pointers()) refuse("hazard pointers depend");
    machine_.forget_losses();
    Result result = tally_.run([&] {
      machine_.restart();
      if (is_part()) {
        explore_item();
      } else {
        explore_node(0);
      }
      if (!tally_.stop) tell_end();
    });
    tell_promises(result);
    return result;
  }

 private:
  void tell_promises(Result& result) const {
    result.promises.clear();
    judge_.add_promises(result);
  }

  [[noreturn]] static void refuse(const std::string& what_depends) {
    throw UserError("--algorithm rvf: " + what_depends +
                    " on more than the values that are read; use --algorithm await or spore");
  }

  // The algorithm.

  // The machine and the graph are at the witness of the node.
  void explore_node(std::size_t depth) {
    const bool failed = failed_;
    look_for_errors();
    extend();
    tally_.check_time();
    if (!tally_.stop) branch(depth);
    failed_ = failed;
  }

  // A part of the work of others.
  void explore_item() {
    const auto [scope, depth] = read_item([&] { return load(); });
    RvfNode& node = node_at(depth);
    switch (scope) {
      case Scope::node: return branch(depth);
      case Scope::choice: return choose(depth, node, node.choice);
      case Scope::candidates:
      case Scope::group: break;
    }
    collect(node);
    if (node.candidate >= node.mutate.size())
      throw UserError("this work item cannot be read: it has no such candidate");
    for (std::size_t i = 0; i < node.candidate; ++i) {
      causal_of(node.mutate[i].thread) = static_cast<uint32_t>(node.size);
    }
    mutate(depth, node, node.candidate, node.group);
  }

  void branch(std::size_t depth) {
    if (depth == kDeepest) return tally_.limit(Limit::steps, events_.back().action.site);
    RvfNode& node = node_at(depth);
    begin_node(node);
    if (shares()) {
      tell_promises(tally_.result);
      share(depth, tally_.result);
    }
    for (const ThreadId t : machine_.threads()) {
      if (machine_.pending(t).kind != ActionKind::choose) continue;
      node.chooser = t;
      return choose(depth, node, 0);
    }
    collect(node);
    if (std::ranges::all_of(node.mutate, [](const Candidate& c) { return c.action.await != Await::none; })) end(node);
    mutate(depth, node, 0, 0);
  }

  void choose(std::size_t depth, RvfNode& node, uint32_t first) {
    const Action a = machine_.pending(node.chooser);
    node.choices = a.bound;
    for (node.choice = first; node.choice < a.bound && !tally_.stop; ++node.choice) {
      cut(node.size);
      if (node.choice != first) follow(node.trace);
      perform(node.chooser, a, {node.choice, 0});
      explore_node(depth + 1);
      if (is_given(depth)) return;
    }
    cut(node.size);
  }

  // Lines 2 to 11.
  void collect(RvfNode& node) {
    node.mutate.clear();
    for (const ThreadId t : machine_.threads()) {
      const Action& a = machine_.pending(t);
      if (!is_read(a.kind)) continue;
      order_.add(machine_, t);
      const uint32_t var = var_of(a.addr);
      if (a.kind != ActionKind::load) signal(t, var);
      node.mutate.push_back({t, a, base_of(a, var), may_use_signals(a, var)});
    }
    // The order must not depend on the witness, which is one of many.
    const auto rank = [&](const Candidate& c) { return is_defined(c.thread) ? 2 : c.signals ? 0 : 1; };
    std::ranges::sort(node.mutate, [&](const Candidate& a, const Candidate& b) {
      return rank(a) != rank(b) ? rank(a) < rank(b) : order_.before(a.thread, b.thread);
    });
  }

  // Whether an await is satisfied by all writes that may be the last of its location.
  bool may_use_signals(const Action& a, uint32_t var) {
    if (a.await == Await::none) return true;
    bool any = false;
    for (const VscId w : accesses(var)) {
      if (!x_[w].writes) continue;
      any = true;
      const bool is_followed =
          std::ranges::any_of(accesses(var), [&](VscId o) { return o != w && x_[o].writes && x_.before(w, o); });
      if (!is_followed && !satisfied(a, events_[w].written)) return false;
    }
    return any || satisfied(a, base_of(a, var));
  }

  // Lines 12 to 30, from this candidate and this group of it on.
  void mutate(std::size_t depth, RvfNode& node, std::size_t candidate, std::size_t group) {
    const auto size = static_cast<uint32_t>(node.size);
    std::vector<std::pair<ThreadId, uint32_t>> defined;
    bool fresh = true;  // the machine and the graph are at node.trace
    bool backtrack = true;
    for (node.candidate = candidate; node.candidate < node.mutate.size() && backtrack; ++node.candidate) {
      if (tally_.stop) break;
      const Candidate& c = node.mutate[node.candidate];
      uint32_t& causal = causal_of(c.thread);
      const uint32_t before = causal;
      if (before == kUndefined && c.signals && request_.rvf.signals) backtrack = false;
      find_sources(node, c, before);
      causal = kUndefined;
      for (node.group = std::exchange(group, 0); node.group < node.groups.size() && !tally_.stop; ++node.group) {
        if (add_read(node, c, node.groups[node.group])) {
          ancestors_.push_back({c.thread, x_[size].var, backtrack});
          go_to(node, fresh);
          fresh = false;
          explore_node(depth + 1);
          backtrack = ancestors_.back().backtrack;
          ancestors_.pop_back();
          HEDDLE_ASSERT(ancestors_.size() == node.ancestors);
        }
        if (is_given(depth)) return;
        cut(size);
      }
      causal_of(c.thread) = size;
      defined.emplace_back(c.thread, before);
    }
    for (const auto& [t, before] : defined) {
      HEDDLE_ASSERT(causal_of(t) == size);
      causal_of(t) = before;
    }
  }

  // Lines 17 and 18. First the value that the read finds at the end of the trace: then the machine can just go on.
  void find_sources(RvfNode& node, const Candidate& c, uint32_t causal) {
    const std::size_t size = x_.size();
    VscEvent event{.thread = thread_of(c.thread), .var = var_of(c.action.addr), .reads = true};
    event.after = after_of(c.thread, c.action);
    x_.visible_writes(x_.add(event, {}), node.sources);
    cut(size);
    if (causal != kUndefined) {
      std::erase_if(node.sources, [&](VscId w) { return w == kInitialWrite || w < causal; });
    }
    node.groups.clear();
    // Which writes an atomic read synchronises with depends on its source, and so do races and clocks.
    const bool by_source = (!request_.races_ignore || machine_.reads_clocks()) && c.action.mode != Mode::na;
    const auto add = [&](VscId w) {
      const Group g{value_of(c, w), by_source ? w : kNoVscEvent};
      if (satisfied(c.action, g.value) && std::ranges::find(node.groups, g) == node.groups.end())
        node.groups.push_back(g);
    };
    VscId last = kInitialWrite;
    for (auto i = node.trace.size(); i-- > 0 && last == kInitialWrite;) {
      if (x_[node.trace[i]].var == event.var && x_[node.trace[i]].writes) last = node.trace[i];
    }
    if (std::ranges::find(node.sources, last) != node.sources.end()) add(last);
    for (const VscId w : node.sources) add(w);
  }

  Value value_of(const Candidate& c, VscId w) const { return w == kInitialWrite ? c.base : events_[w].written; }

  // Lines 20 to 23. False if there is no witness.
  bool add_read(RvfNode& node, const Candidate& c, const Group& group) {
    node.good.clear();
    for (const VscId w : node.sources) {
      if (group.only == kNoVscEvent ? value_of(c, w) == group.value : w == group.only) node.good.push_back(w);
    }
    HEDDLE_ASSERT(!node.good.empty() && satisfied(c.action, group.value));
    add_event(c.thread, c.action, group.value, c.base, node.good);
    return verify_(x_, node.trace, options_, node.witness);
  }

  // To the witness, whose last event is new. `fresh`: the machine is at node.trace.
  void go_to(RvfNode& node, bool fresh) {
    if (!fresh || node.witness.back() + 1 != x_.size() ||
        !std::equal(node.trace.begin(), node.trace.end(), node.witness.begin())) {
      return follow(node.witness);
    }
    const VscId r = node.witness.back();
    HEDDLE_ASSERT(trace_ == node.trace);
    append(r);
    run_thread(r);
  }

  // Line 1.
  void extend() {
    for (bool goes_on = true; goes_on && !tally_.stop;) {
      goes_on = false;
      for (std::size_t i = 0; i < machine_.threads().size() && !tally_.stop; ++i) {
        const ThreadId t = machine_.threads()[i];
        for (; !tally_.stop && is_extension(machine_.pending(t)); goes_on = true) {
          const Action a = machine_.pending(t);
          perform(t, a, {});
          look_at(t);
          if (a.kind == ActionKind::create) look_at(a.child);
        }
      }
    }
  }

  bool is_extension(const Action& a) {
    if (a.kind == ActionKind::help) refuse("helping depends");
    if (is_final(a.kind) || is_read(a.kind) || a.kind == ActionKind::choose) return false;
    return a.kind != ActionKind::join || has_exited(graph_, a.child);
  }

  void perform(ThreadId t, const Action& a, Value result) {
    const Value base = is_access(a.kind) ? base_of(a, var_of(a.addr)) : Value{};
    const VscId e = add_event(t, a, result, base, {});
    append(e);
    if (x_[e].writes) signal(t, x_[e].var);
    run_thread(e);
  }

  void run_thread(VscId e) {
    const auto t = ThreadId(x_[e].thread);
    machine_.perform(t, events_[e].read, graph_.hb(graph_.last(t)));
    ++tally_.result.events;
  }

  // Back to the first n events.
  void cut(std::size_t n) {
    cut_events(n);
    verify_.cut(n);
  }

  // Brings the graph and the machine to this trace.
  void follow(const std::vector<VscId>& trace) {
    arrange(trace);
    follow();
  }
  void follow() { tally_.result.events += follow_graph(); }

  // Errors.

  void look_for_errors() {
    if (failed_) return;
    for (std::size_t i = 0; i < machine_.threads().size() && !tally_.stop; ++i) look_at(machine_.threads()[i]);
  }

  void look_at(ThreadId t) {
    if (machine_.pending(t).kind == ActionKind::error) found(machine_.error(t));
  }

  template <class AnyError>
  void found(const AnyError& error) {
    record(error);
    if (!tally_.stop) follow();
  }

  // The machine has run elsewhere then.
  template <class AnyError>
  [[gnu::cold, gnu::noinline]] void record(const AnyError& error) {
    failed_ = true;
    judge_.found(graph_, error);
  }

  // Ends.

  // All threads are at their ends, or wait.
  void end(RvfNode& node) {
    const bool all_done = std::ranges::all_of(machine_.threads(),
                                              [&](ThreadId t) { return machine_.pending(t).kind == ActionKind::done; });
    if (!all_done && !find_standstill(node)) return;
    if (tally_.out_of_executions()) return tally_.limit(Limit::executions);
    tally_.tell();
    const std::size_t size = graph_.size();
    for (const Candidate& c : node.mutate) {
      enter(graph_, machine_, c.action);
      add_last_read(graph_, c.thread, c.action);
    }
    HEDDLE_ASSERT_WHOLE(graph_.check());
    const bool failed = failed_;
    if (!failed_) look_for_encounters(node);
    if (!failed_) judge();
    tally_.failed += failed_;
    failed_ = failed;
    graph_.cut(size);
    graph_changed(size);
    arrange(node.trace);
  }

  // Arranges the events so that no thread that waits can go on: at the end, each location that a thread awaits has a
  // value that does not satisfy the await. False if there is no such order.
  bool find_standstill(RvfNode& node) {
    const std::size_t size = x_.size();
    std::vector<VscId> witness;
    bool found = false;
    for (const bool spins : {true, false}) {
      bool any = false;
      for (const Candidate& c : node.mutate) {
        add_final(c.action.addr, [&](Value v) { return !satisfied(c.action, v); }, c.base);
      }
      for (const ThreadId t : machine_.threads()) {
        if (spins) any |= add_finals_of_round(t);
      }
      if (x_.size() == size) return true;
      found = (any || !spins) && verify_(x_, node.trace, options_, witness);
      cut(size);
      if (found) break;
    }
    if (!found) return false;
    std::erase_if(witness, [&](VscId e) { return e >= size; });
    arrange(witness);
    return true;
  }

  template <class Wanted>
  void add_final(Address addr, const Wanted& wanted, Value base) {
    const uint32_t var = var_of(addr);
    std::vector<VscId> good;
    for (const VscId w : accesses(var)) {
      if (x_[w].writes && wanted(events_[w].written)) good.push_back(w);
    }
    if (wanted(base)) good.push_back(kInitialWrite);
    x_.add({.thread = threads_, .var = var, .reads = true, .final = true}, good);
  }

  // The first read of each location in a round that has changed nothing is to find the same again. So it does what it
  // has done, and reads its own writes as before.
  bool add_finals_of_round(ThreadId t) {
    const Action& a = machine_.pending(t);
    if (a.kind != ActionKind::block || a.reason != BlockReason::spin || thread_of(t) >= x_.threads()) return false;
    const auto events = x_.thread(thread_of(t));
    std::size_t first = events.size();
    for (uint32_t width = 0; first > 0 && width < a.round; --first) {
      const VscEvent& e = x_[events[first - 1]];
      width += e.reads && e.writes ? 2 : 1;
    }
    bool any = false;
    std::vector<uint32_t> seen;
    for (std::size_t i = first; i < events.size(); ++i) {
      const VscEvent& e = x_[events[i]];
      if ((!e.reads && !e.writes) || std::ranges::find(seen, e.var) != seen.end()) continue;
      seen.push_back(e.var);
      if (!e.reads) continue;
      const RvfEvent& info = events_[events[i]];
      add_final(info.action.addr, [&](Value v) { return v == info.read; }, info.base);
      any = true;
    }
    return any;
  }

  // An access of the class, performed or waiting.
  struct Access {
    ThreadId thread;
    const Action* action;
    VscId event;        // kNoVscEvent: it waits
    uint32_t position;  // events of its thread before it
    uint32_t var;
    bool writes;
  };

  // Races, and uses of memory that is freed.
  void look_for_encounters(const RvfNode& node) {
    std::vector<Access> uses;
    std::vector<VscId> frees;
    bool plain = false;
    for (VscId e = 0; e < x_.size(); ++e) {
      const Action& a = events_[e].action;
      if (a.kind == ActionKind::free) frees.push_back(e);
      if (!is_access(a.kind)) continue;
      plain |= a.mode == Mode::na;
      uses.push_back({ThreadId(x_[e].thread), &a, e, x_[e].index - 1, x_[e].var, x_[e].writes});
    }
    for (const Candidate& c : node.mutate) {
      const uint32_t thread = thread_of(c.thread);
      const auto position = thread < x_.threads() ? static_cast<uint32_t>(x_.thread(thread).size()) : 0;
      uses.push_back({c.thread, &c.action, kNoVscEvent, position, var_of(c.action.addr), false});
    }
    if (!request_.races_ignore && plain) look_for_races(node, uses);
    for (const VscId f : frees) {
      if (!failed_) look_for_use(node, f, uses);
    }
    if (!failed_) look_for_use_of_ended(node, uses);
  }

  // The same of local variables, whose ends are no events.
  void look_for_use_of_ended(const RvfNode& node, const std::vector<Access>& uses) {
    if (const auto error = find_use_of_ended(graph_, machine_)) return found(*error);
    const std::vector<EndedLocal> locals(machine_.ended_locals().begin(), machine_.ended_locals().end());
    for (const EndedLocal& local : locals) {
      const Stand ended{thread_of(local.thread), vsc_position(local.thread, local.events), kUndefined};
      for (const Access& a : uses) {
        if (a.action->addr - local.start >= local.size || a.thread == local.thread) continue;
        if (!encounters_(x_, stand_before(a), ended, meeting_)) continue;
        clear_graph();
        for (const VscId e : meeting_) add_to_graph(e);
        const EventId use = add_access(a);
        record(UseOfEnded{local, use});
        return show_again(node);
      }
    }
  }

  // How many events of the trace the first so many of the thread in the graph are.
  uint32_t vsc_position(ThreadId t, uint32_t graph_events) const {
    const auto events = x_.thread(thread_of(t));
    return static_cast<uint32_t>(
        std::ranges::count_if(events, [&](VscId e) { return graph_position(e) <= graph_events; }));
  }

  // All interleavings of the class have the same races, but for those of threads that wait: such a thread reads all the
  // time.
  void look_for_races(const RvfNode& node, const std::vector<Access>& uses) {
    for (std::size_t e = 0; e < graph_.size() && !failed_; ++e) {
      if (const auto error = find_race(graph_, EventId(e), &machine_)) return found(*error);
    }
    for (const Access& a : uses) {
      for (const Access& b : uses) {
        if (failed_) return;
        if (a.action->await == Await::none || a.var != b.var || a.thread == b.thread) continue;
        if (!b.writes || b.action->mode != Mode::na) continue;
        if (!encounters_(x_, stand_before(a), stand_before(b), meeting_)) continue;
        if (!machine_.suppresses(a.action->site, b.action->site, b.action->addr)) report(node, ErrorKind::race, a, b);
      }
    }
  }

  Stand stand_before(const Access& a) const {
    return {thread_of(a.thread), a.position, a.position, a.position == 0 ? creation_of(a.thread) : kNoVscEvent};
  }

  void look_for_use(const RvfNode& node, VscId f, const std::vector<Access>& uses) {
    const Action& free = events_[f].action;
    if (const auto error = find_use_during_free(graph_, graph_.event(ThreadId(x_[f].thread), graph_position(f)))) {
      return found(*error);
    }
    for (const Access& a : uses) {
      if (failed_) return;
      if (a.action->addr - free.addr >= free.length || a.thread == ThreadId(x_[f].thread)) continue;
      if (a.event != kNoVscEvent && x_.before(a.event, f)) continue;
      const Stand freed{x_[f].thread, x_[f].index, kUndefined};
      if (!encounters_(x_, stand_before(a), freed, meeting_)) continue;
      const Access at_free{ThreadId(x_[f].thread), &free, f, x_[f].index - 1, kNoVar, false};
      // The free is the last step of its thread that the report needs.
      report(node, ErrorKind::memory, a, at_free);
    }
  }

  // The interleaving that has been found, then the two.
  void report(const RvfNode& node, ErrorKind kind, const Access& a, const Access& b) {
    clear_graph();
    for (const VscId e : meeting_) add_to_graph(e);
    GraphError error{kind, "data race", kNoEvent, kNoEvent};
    if (kind == ErrorKind::memory) {
      error.message = "memory in use is freed";
      error.event = graph_.event(b.thread, graph_position(b.event));
      error.other = add_access(a);
    } else {
      error.other = add_access(a);
      error.event = add_access(b);
    }
    record(error);
    show_again(node);
  }

  // The graph is that of the node again.
  void show_again(const RvfNode& node) {
    clear_graph();
    arrange(node.trace);
    if (!tally_.stop) follow();
  }

  EventId add_access(const Access& a) {
    const LocId l = graph_.location(a.action->addr);
    if (!graph_.seen(l)) graph_.set_base(l, base_of(*a.action, a.var));
    if (a.action->kind == ActionKind::store) return add_last_store(graph_, a.thread, *a.action);
    const EventId r = add_last_read(graph_, a.thread, *a.action);
    if (!graph_[r].exclusive || graph_[r].blocked) return r;
    const EventId w = complete_last(graph_, r);
    return a.writes ? w : r;
  }

  void judge() {
    const auto same = [&](EventId r) {
      const LocId l = graph_[r].loc;
      return finds_the_same(graph_, machine_, r) || graph_.value_of(l, graph_.co_last(l)) == graph_[r].value;
    };
    const auto is_error = [&](const auto& error) { return found(error), true; };
    const auto complete = judge_.judge(graph_, [](EventId) { return true; }, same, is_error);
    if (complete) judge_.count(graph_, *complete);
  }

  const VscOptions options_;
  ThreadOrder order_;
  VerifySc verify_;
  Encounters encounters_;
  std::vector<VscId> meeting_;
  bool failed_ = false;  // there is an error in the trace
  Judge judge_;
  Tally& tally_ = judge_.tally;
};

// A process that explores an item alone takes the stack above it for its own.
class OwnTree : public Sharing {
 public:
  void tell(std::string what) override { tree.told(above, what, false); }

  RvfTree tree;
  WorkTree::Node above = WorkTree::kNone;
};

Result explore_alone(Machine& machine, const Request& request) {
  const auto start = SteadyClock::now();
  OwnTree own;
  Part sum;
  for (std::optional<WorkTree::Item> item = {{std::string(request.work)}}; item; item = own.tree.take()) {
    own.above = item->above;
    Request mine = again(request, start);
    mine.work = item->bytes;
    mine.sharing = &own;
    Result result = RvfExplorer(machine, mine).run();
    add(sum, part_of(result));
    if (!is_plain(result) || is_cut_off(result)) return result_of(sum, std::move(result.findings));
  }
  return result_of(sum);
}

}  // namespace

Result explore_rvf(Machine& machine, const Request& request) {
  const bool is_alone = !request.work.empty() && request.sharing == nullptr;
  return is_alone ? explore_alone(machine, request) : RvfExplorer(machine, request).run();
}

}  // namespace heddle
