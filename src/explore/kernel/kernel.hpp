// What the explorers that work on execution graphs have in common.
//
// A graph is extended by one event at a time, always of the first thread that can go on (ThreadOrder). Where an event
// could have come otherwise, a choice is noted (an item). When an execution has ended, the latest choice is taken: the
// graph is cut back to it and changed, the machine follows, and the graph grows again. A revisit opens a new level,
// with a graph of its own; the levels below wait.
//
//   start ──► extend ──► step … step ──► finish ──► backtrack ──► apply ──► follow ──► extend …
//
// An algorithm is a class that derives from Kernel<itself, its level> and says
//
//   bool read(ThreadId, const Action&)    adds a read, notes the choices, ends with finish_read
//   bool write(EventId w)                 places a new write, notes the choices; false: the graph has no place for it
//   bool apply(const Item&)               changes the graph; false: nothing comes of it
//   bool fail(error)                      notes an error; whether the execution goes on all the same
//   bool waits_for_ever(EventId r)        whether a waiting read would find nothing else if it came later
//   kModel, kSync, kReplayToError
//
// and, where the defaults below do not do, more. Its level derives from LevelOf<its item> and says
//
//   void push(item)                       notes a choice in the graph as it is
//   bool take(Item&)                      brings the graph back to the latest choice, and takes that off unless more
//                                         than one graph comes of it; false: nothing is left of it to be explored
//   bool has_more(item), has_more()       whether something is left: of one choice, of all
//   void restore(item, Graph& copy)       changes a copy with the events up to the item to what the graph was then
//   void save(i, Writer&), load(Reader&)  the i-th item as bytes, after its graph; and back, as the only one
//   void reset()                          a new graph is to come: forgets what it says of the old one
//
// Functions that return bool and lengthen the graph say whether the execution goes on.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/assert.hpp"
#include "explore/judge/judge.hpp"
#include "explore/kernel/descents.hpp"
#include "explore/replay/replay.hpp"
#include "explore/request/request.hpp"
#include "explore/share/work_item.hpp"
#include "explore/thread_order.hpp"

namespace heddle {

enum class ItemKind : uint8_t {
  read,     // the read reads from another write
  place,    // the write takes another place in co
  revisit,  // the write revisits a read, or several
  choice,   // another result
  wait,     // a read that waits reads something else all the same (only inside of a level)
};
inline constexpr uint64_t kItemKinds = 4;  // that others may explore

// A graph and the choices that are left in it.
template <class AnyItem>
struct LevelOf {
  using Item = AnyItem;

  LevelOf(Locations& locations, Sync sync) : graph(locations, sync) {}

  Graph graph;
  History history;
  bool has_history = false;
  std::vector<EventId> revisited;  // the reads that have just been revisited, if there is no history yet
  std::vector<Item> items;
};

template <class Algorithm, class Level>
class Kernel {
 public:
  using Item = typename Level::Item;

  Kernel(Machine& machine, const Request& request)
      : machine_(machine),
        request_(request),
        scratch_(locations_, Algorithm::kSync),
        judge_(machine, request, Algorithm::kModel) {}

  Result run() {
    machine_.forget_losses();
    Result result = tally_.run([&] {
      push_level();
      threads_.add(machine_, kMain);
      if (request_.work.empty()) {
        start();
      } else {
        load();
      }
      while (!tally_.stop && backtrack()) {
      }
    });
    if (tally_.out_of_time) leave_levels();
    tell_promises(result);
    return result;
  }

  // A random descent: from each run, which begins with a choice and goes on to an end, to one of the choices that it
  // has noted. What comes of a choice does not depend on the others (share/work_item.hpp), so they may be forgotten.
  Descent descend(Random& random) {
    Descent descent{.stopped = true};
    machine_.forget_losses();
    descent.result = tally_.run([&] {
      push_level();
      threads_.add(machine_, kMain);
      RunCounter counter(tally_.result, descent);
      start();
      std::size_t first = 0;  // choices of this run
      while (counter.note_run(), !tally_.stop && first < level_->items.size()) {
        const auto [chosen, probability] = choose(level_->items, first, random);
        counter.weight /= probability;
        level_->items.resize(chosen + 1);
        const Level* const level = level_;
        Item item;
        if (level_->take(item) && self().apply(item) && follow(item)) extend();
        first = level_ == level ? chosen : 0;  // a revisit has choices of its own
      }
      descent.stopped = tally_.stop;
    });
    tell_promises(descent.result);
    return descent;
  }

 private:
  void tell_promises(Result& result) {
    result.promises = self().promises();
    judge_.add_promises(result);
  }

  // Gigabytes take seconds to free, and a run whose time is over has none to spare: the system frees them.
  void leave_levels() {
    static auto& left = *new std::vector<std::vector<std::unique_ptr<Level>>>;
    left.push_back(std::move(levels_));
    levels_.clear();
    level_ = nullptr;
    depth_ = 0;
  }

 protected:
  Algorithm& self() { return static_cast<Algorithm&>(*this); }
  Graph& graph() { return level_->graph; }

  void push_level() {
    if (depth_ == levels_.size()) levels_.push_back(std::make_unique<Level>(locations_, Algorithm::kSync));
    level_ = levels_[depth_++].get();
    HEDDLE_ASSERT(level_->items.empty());
    level_->has_history = false;
    level_->history.reset();
    level_->reset();
  }

  // The level is done: it has no items.
  void pop_level() {
    HEDDLE_ASSERT(depth_ > 0 && level_ == levels_[depth_ - 1].get() && level_->items.empty());
    --depth_;
    level_ = depth_ > 0 ? levels_[depth_ - 1].get() : nullptr;
    if (level_ != nullptr) level_->history.lose(levels_[depth_]->history);
  }

  // What an algorithm may say otherwise.

  // Whether an execution can come of the graph with the new access e.
  bool possible(EventId) { return true; }
  // How many results a choice has.
  uint32_t choices(EventId, uint32_t bound) { return bound; }
  // Whether a thread that can go on may do so in this graph.
  bool may_start(ThreadId, const Action&) { return true; }
  // Adds the reads that wait, when no thread can go on.
  bool add_waits() { return true; }
  // Looks at a thread before its next event.
  bool before_step(ThreadId) { return true; }
  // Whether a full graph counts as an execution. rcmc: psc has no cycle that was looked for.
  bool is_execution() { return true; }
  // Whether the graph obeys all axioms, so that an error in it is real.
  bool consistent() { return true; }
  // Whether each execution that is counted must obey SC-ACYCLICITY (rcmc: not with --no-psc).
  bool counts_only_psc() { return true; }
  // The algorithm's own errors of a full execution; false: there is one.
  bool check_end() { return true; }
  // Whether this execution has not been counted before.
  bool count_once(bool /*complete*/) { return true; }
  void after_execution() {}
  // Whether t has stopped in such a way that nothing comes of the graph that is not seen without it.
  bool is_doomed(ThreadId) { return false; }
  // Whether nothing is known against what was relied upon. If not, the exploration has ended.
  bool keeps_promises() { return true; }
  std::vector<Promise> promises() { return {}; }
  // A thread whose next event comes before all others after a choice, if there is one. `moved` has done the last event;
  // kNoThread: the graph is another one.
  ThreadId goes_first(ThreadId /*moved*/) { return kNoThread; }
  // Whether the end of a full execution need not be in its graph.
  bool may_leave_out_rest() { return true; }
  // The graph comes from a work item.
  void after_load() {}
  // If co means nothing.
  WeakOrder* weak_order() { return nullptr; }

  // Forwards.

  void start() {
    level_->has_history = true;
    machine_.restart();
    level_->history.start(graph(), machine_);
    if (check_thread(kMain)) extend();
  }

  void extend() {
    threads_.look_again();
    const auto may_start = [&](ThreadId t, const Action& a) {
      return a.kind == ActionKind::leave ? all_arrived(graph(), a) : self().may_start(t, a);
    };
    if (has_doomed()) return;
    bool ends = false;  // only exits and last joins are left
    for (ThreadId t = kNoThread;;) {
      t = self().goes_first(t);
      if (t == kNoThread) t = threads_.next(graph(), machine_, may_start);
      if (t == kNoThread) return finish();
      const bool ended = std::exchange(ends, threads_.left() != kNoThread);
      if (ends && !ended && knows_rest(threads_.left())) return finish_known();
      tally_.check_time();
      if (!step(t) || tally_.stop) return;
    }
  }

  // The first execution of all runs to its end. So does each that is observed or checked, and each of which all events
  // are compared with those of others.
  bool knows_rest(ThreadId t) {
    return tally_.result.unusual && request_.observer == nullptr && !request_.self_check &&
           self().weak_order() == nullptr && self().may_leave_out_rest() &&
           machine_.knows_rest(t, [this](Address a, uint8_t size) { return final_value(a, size); });
  }

  // A thread that has joined all others reads this.
  Value final_value(Address a, uint8_t size) {
    const LocId l = graph().location(a);
    return graph().seen(l) ? graph().value_of(l, graph().co_last(l)) : machine_.base(a, size);
  }

  bool step(ThreadId t) {
    const Action& a = machine_.pending(t);
    if (!self().before_step(t)) return false;
    switch (a.kind) {
      case ActionKind::load:
      case ActionKind::rmw:
      case ActionKind::cas: return self().read(t, a);
      case ActionKind::store: enter(graph(), machine_, a); return add_write(graph().add_store(t, a)) && perform(t, {});
      default: return other(t, a);
    }
  }

  bool other(ThreadId t, const Action& a) {
    const EventId e = graph().add_other(t, a, result_of_leave(graph(), machine_, t, a));
    if (is_meeting(a.kind) && a.kind != ActionKind::leave) {
      if (graph().is_crowded(e)) return tally_.broke({Assumption::arrivals}), false;
      threads_.look_again();
    }
    if (a.kind == ActionKind::choose) {
      for (uint32_t n = self().choices(e, a.bound); n-- > 1;)
        level_->push({.kind = ItemKind::choice, .event = e, .choice = n});
    }
    if (a.kind == ActionKind::free) {
      if (const auto error = find_use_during_free(graph(), e); error && !self().fail(*error)) return false;
    }
    if (a.kind == ActionKind::help && !request_.races_ignore) {
      if (const auto error = find_help_race(graph(), e, &machine_); error && !self().fail(*error)) return false;
    }
    if (a.kind == ActionKind::create) threads_.add(machine_, a.child);
    if (a.kind == ActionKind::exit) threads_.exited(t);
    const ThreadId child = a.kind == ActionKind::create ? a.child : kNoThread;
    const Value result = is_meeting(a.kind) ? graph()[e].value : Value{};
    return perform(t, result) && (child == kNoThread || check_thread(child));
  }

  // A read whose choices are noted.
  bool finish_read(EventId r) {
    HEDDLE_ASSERT(graph().last(graph()[r].thread) == r && index(r) + 1 == graph().size());
    const ThreadId t = graph()[r].thread;
    const Value value = graph()[r].value;
    if (!self().possible(r) || !check_race(r)) return false;
    if (graph()[r].blocked) return check_wait(r);
    if (!graph()[r].exclusive) return perform(t, value);
    return complete(r) && perform(t, value);
  }

  // Adds the write of an open read.
  bool complete(EventId r) { return add_write(graph().add_exclusive_write(r)); }

  bool add_write(EventId w) { return self().write(w) && self().possible(w) && check_race(w); }

  // The action of t whose events are the last ones of t in the graph.
  bool perform(ThreadId t, Value result) {
    // Another result takes the place of this one, or another place in co is taken after it.
    const std::size_t items = level_->items.size();
    machine_.return_expected = items != items_before_[0] || items != items_before_[1];
    items_before_ = {items, items_before_[0]};
    const Action& next = machine_.perform(t, result, graph().hb(graph().last(t)));
    ++tally_.result.events;
    if (next.kind == ActionKind::block && self().is_doomed(t)) return false;
    return next.kind != ActionKind::error || check_thread(t);
  }

  bool has_doomed() {
    return std::ranges::any_of(threads_.all(), [&](ThreadId t) { return self().is_doomed(t); });
  }

  // Errors.

  bool check_thread(ThreadId t) {
    if (machine_.pending(t).kind != ActionKind::error) return true;
    return self().fail(machine_.error(t));
  }

  bool check_race(EventId e) {
    if (request_.races_ignore) return true;
    if (const auto error = find_race(graph(), e, &machine_)) return self().fail(*error);
    return true;
  }

  // A read that waits is not performed, unless that shows an error.
  bool check_wait(EventId r) {
    const ThreadId t = graph()[r].thread;
    return !machine_.fails(t, graph().hb(r)) || perform(t, graph()[r].value);
  }

  // Whether a read that waits is an error in itself.
  bool wait_fails(EventId r) {
    const Graph& g = graph();
    return (!request_.races_ignore && find_race(g, r, &machine_)) || machine_.fails(g[r].thread, g.hb(r));
  }

  // The execution g has an error. The same one again is left out.
  template <class AnyError>
  [[gnu::cold, gnu::noinline]] void found(const Graph& g, const AnyError& error) {
    tally_.check_time();
    ++tally_.failed;
    judge_.found(g, error);
    check_number();
  }

  // Ends.

  // No event is left to be added.
  void begin_end() {
    HEDDLE_ASSERT_WHOLE(graph().check());
    tally_.check_time();
    tally_.tell(depth_);
  }

  void finish() {
    begin_end();
    if (!self().is_execution() || !self().add_waits()) return;
    if (!self().check_end()) return;
    const auto waits_for_ever = [&](EventId r) { return self().waits_for_ever(r); };
    const auto same = [&](EventId r) { return finds_same(r); };
    const auto found = [&](const auto& error) { return found_at_end(error); };
    const auto complete = judge_.judge(graph(), waits_for_ever, same, found, self().weak_order());
    if (!complete) return;
    if (!self().keeps_promises() || has_doomed()) return;
    if (self().count_once(*complete)) count(*complete);
    self().after_execution();
  }

  // As it would be if the thread that is left had come to its end.
  void finish_known() {
    HEDDLE_ASSERT(machine_.guarded_uses().empty());
    begin_end();
    if (!self().is_execution() || !self().check_end() || judge_.sees_rounds(graph()) || judge_.may_lose_race(graph()))
      return;
    if (judge_.uses_ended(graph(), [&](const auto& error) { return found_at_end(error); })) return;
    if (self().count_once(true)) count(true);
  }

  // Whether an error of a full graph is one.
  template <class AnyError>
  bool found_at_end(const AnyError& error) {
    if (!self().consistent()) return false;
    found(graph(), error);
    return true;
  }

  bool finds_same(EventId r) {
    const Graph& g = graph();
    WeakOrder* const order = self().weak_order();
    if (order == nullptr) return finds_the_same(g, machine_, r);
    return g[r].exclusive ? update_finds_the_same(g, machine_, r) : finds_the_same(g, machine_, *order, r);
  }

  void count(bool complete) {
    judge_.count(graph(), complete, self().counts_only_psc());
    check_number();
  }
  const Locations& locations() const { return locations_; }
  // Nothing has come of a graph.
  void count_given_up() {
    ++tally_.result.blocked;
    check_number();
  }
  void check_number() {
    if (tally_.out_of_executions() && !nothing_left()) tally_.limit(Limit::executions);
  }

  void broke(Assumption what) { tally_.broke({.what = what}); }

  bool nothing_left() const {
    for (std::size_t d = 0; d < depth_; ++d) {
      if (levels_[d]->has_more()) return false;
    }
    return true;
  }

  // Backwards.

  // Takes the next choice and explores from there. False when none is left.
  bool backtrack() {
    if (request_.sharing != nullptr && request_.sharing->wants_all()) share();
    while (depth_ > 0 && level_->items.empty()) pop_level();
    if (depth_ == 0) return false;
    Item item;
    if (level_->take(item) && self().apply(item) && follow(item)) extend();
    return true;
  }

  // Brings the machine to the changed graph.
  bool follow(const Item& item) {
    HEDDLE_ASSERT_WHOLE(graph().check());
    const bool is_read = item.kind == ItemKind::read;
    const bool is_new = !level_->has_history;
    update_history(item.event);
    tally_.result.events += level_->history.size();
    const ThreadId failed = level_->history.replay(graph(), machine_, Algorithm::kReplayToError);
    if (failed != kNoThread) return check_thread(failed);
    for (const ThreadId t : machine_.threads()) {
      if (!check_thread(t)) return false;
    }
    const std::span<const EventId> reads = is_read  ? std::span(&item.event, 1)
                                           : is_new ? std::span<const EventId>(level_->revisited)
                                                    : std::span<const EventId>();
    for (const EventId r : reads) {
      if (graph()[r].blocked && !check_wait(r)) return false;
    }
    return !is_read || !stops_at(item.event) || may_turn_for_ever(item.event);
  }

  // Let t be the thread of the read r. Whether t has stopped right after r, its last event: an assumption fails, or a
  // round of a loop has changed nothing. If no revisit can change or remove r, the graph can be given up: only t knows
  // of r, so what the other threads do they also do where r reads from another write. Not if t has done something since
  // that concerns others (Action::at_once): they may see it, or race with it.
  bool stops_at(EventId r) {
    const ThreadId t = graph()[r].thread;
    if (graph().last(t) != r || machine_.assumed().undone) return false;  // it matters what r reads
    const Action& next = machine_.pending(t);
    return next.kind == ActionKind::block && next.at_once &&
           (next.reason == BlockReason::assume ||
            (next.reason == BlockReason::spin && !TakenBack::takes_back(graph(), machine_, t)));
  }

  // A thread that has stopped at the read r, in a round that changes nothing: nothing may come of it, but a livelock.
  bool may_turn_for_ever(EventId r) {
    return machine_.pending(graph()[r].thread).reason == BlockReason::spin && self().waits_for_ever(r);
  }

  void update_history(EventId changed) {
    History& history = level_->history;
    if (level_->has_history) {
      history.update(graph(), changed);
    } else if (depth_ > 1) {
      history.restrict(levels_[depth_ - 2]->history, graph(), level_->revisited);
    } else {
      history.rebuild(graph(), changed, level_->revisited);
    }
    level_->has_history = true;
  }

  // Where the history has the action of the write w: at the read of its rmw, unless that one was added long before and
  // has been revisited; then it comes after the write that it reads from, and must stay there.
  EventId action_of(EventId w) {
    const Graph& g = graph();
    if (!g[w].exclusive) return w;
    const EventId read = g.predecessor(w);
    return index(read) + 1 == index(w) ? read : w;
  }

  // Work for others.

  // Shows all that is left, the oldest choice first. Some of it may be taken over.
  [[gnu::cold, gnu::noinline]] void share() {
    std::vector<std::string> rest;
    std::vector<Item*> items;
    for (std::size_t d = 0; d < depth_; ++d) {
      Level& level = *levels_[d];
      for (std::size_t i = 0; i < level.items.size(); ++i) {
        if (!level.has_more(level.items[i])) continue;
        tally_.check_time();  // long executions have many choices, each with a graph of its own
        if (tally_.stop) return;
        rest.push_back(sealed(level, i));
        items.push_back(&level.items[i]);
      }
    }
    tell_promises(tally_.result);
    const std::vector<bool> taken = request_.sharing->look(tally_.result, std::move(rest));
    HEDDLE_ASSERT(taken.size() <= items.size());
    for (std::size_t i = 0; i < taken.size(); ++i) items[i]->given |= taken[i];
  }

  std::string sealed(const Level& level, std::size_t i) {
    if (!rules_) rules_ = item_rules(machine_, request_);
    return seal_item(save(level, i), *rules_);
  }

  std::string save(const Level& level, std::size_t i) {
    const std::size_t size = index(level.items[i].event) + 1;
    HEDDLE_ASSERT(size <= level.graph.size());
    kept_.assign(level.graph.size(), 0);
    std::fill_n(kept_.begin(), size, 1);
    scratch_.keep(level.graph, kept_);
    level.restore(level.items[i], scratch_);
    Writer out;
    scratch_.save(out, machine_);
    level.save(i, out);
    return out.bytes();
  }

  [[gnu::cold, gnu::noinline]] void load() {
    const std::string bytes = open_item(request_.work, machine_, request_);
    read_item([&] {
      Reader in(bytes);
      graph().load(in, machine_, machine_.conditions());
      level_->load(in);
      in.end();
      HEDDLE_ASSERT(level_->items.size() == 1 && index(level_->items.back().event) + 1 == graph().size());
    });
    for (std::size_t t = 0; t < graph().thread_count(); ++t) {
      if (exists(graph(), ThreadId(t))) threads_.add(machine_, ThreadId(t));
    }
    self().after_load();
  }

  Machine& machine_;
  const Request request_;
  Locations locations_;
  Graph scratch_;
  std::optional<uint64_t> rules_;  // of items
  std::vector<std::unique_ptr<Level>> levels_;
  std::size_t depth_ = 0;
  Level* level_ = nullptr;  // the topmost
  ThreadOrder threads_;
  std::array<std::size_t, 2> items_before_{};  // how many there were after the last two actions
  std::vector<uint8_t> kept_;
  Judge judge_;
  Tally& tally_ = judge_.tally;
};

}  // namespace heddle
