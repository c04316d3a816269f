#include "explore/await/await.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "explore/await/bytes.hpp"
#include "explore/await/reversals.hpp"
#include "explore/await/spinning.hpp"
#include "explore/judge/judge.hpp"
#include "explore/replay/replay.hpp"
#include "explore/share/work_item.hpp"
#include "graph/interleaving.hpp"
#include "models/sc.hpp"

namespace heddle {
namespace {

class Explorer {
 public:
  Explorer(Machine& machine, const Request& request)
      : machine_(machine),
        request_(request),
        graph_(locations_, Sc::kSync),
        reversals_(order_, graph_, details_),
        judge_(machine, request, ModelKind::sc) {}

  Result run() {
    machine_.forget_losses();
    Result result = tally_.run([&] {
      machine_.restart();
      frames_.resize(1);
      check_thread(kMain);
      if (!is_part() || read_item([&] { return load(); })) explore_on();
      while (!tally_.stop && share() && backtrack()) explore_on();
    });
    tell_promises(result);
    return result;
  }

 private:
  void tell_promises(Result& result) const {
    result.promises.clear();
    judge_.add_promises(result);
  }

  // Of a prefix of the interleaving.
  struct Frame {
    SleepSet sleep;
    WakeupTrees::Tree wakeup;
    bool failed = false;  // there is an error in it
  };

  // A wakeup sequence for a shared frame.
  struct Reversal {
    Position at;
    Sequence sequence;
  };

  // Forwards.

  void explore_on() {
    extend();
    if (!tally_.stop) finish();
  }

  void extend() {
    while (!tally_.stop) {
      tally_.check_time();
      const std::size_t depth = order_.size();
      if (frames_.size() < depth + 2) frames_.resize(2 * depth + 2);
      Frame& frame = frames_[depth];
      Label next;
      if (frame.wakeup.empty()) {
        next = choose_step(frame);
        if (next.thread == kNoThread) return;
        frames_[depth + 1].wakeup = {};
      } else {
        next = trees_.first(frame.wakeup);
        HEDDLE_ASSERT(failed_before_ || is_part() || !is_asleep(frame, next));
        frames_[depth + 1].wakeup = trees_.take_first(frame.wakeup);
        if (!is_enabled(next.thread)) return lose_way(depth);
      }
      step(next.thread, next.choice);
    }
  }

  // After a race, what the program does may depend on more than the results of its steps.
  [[gnu::cold, gnu::noinline]] void lose_way(std::size_t depth) {
    if (!failed_before_) throw std::logic_error("a wakeup sequence cannot be followed");
    trees_.clear(frames_[depth].wakeup);
    trees_.clear(frames_[depth + 1].wakeup);
    frames_[depth].failed = true;
  }

  // The thread of the last step goes on if it can: that is cheapest.
  Label choose_step(Frame& frame) {
    HEDDLE_ASSERT(frame.sleep.steps.empty() || failed_before_ || is_part());
    if (is_part()) frame.sleep.open_all();
    if (order_.size() != 0) {
      const Label next = awake_step(frame, order_[static_cast<Position>(order_.size() - 1)].label.thread);
      if (next.thread != kNoThread) return next;
    }
    for (const ThreadId t : machine_.threads()) {
      const Label next = awake_step(frame, t);
      if (next.thread != kNoThread) return next;
    }
    return {};
  }

  // The next step of t that does not sleep.
  Label awake_step(const Frame& frame, ThreadId t) {
    Label next;
    if (!is_enabled(t)) return next;
    const Action& a = machine_.pending(t);
    const uint32_t choices = a.kind == ActionKind::choose ? a.bound : 1;
    const auto sleeps = [&](const Sleeper& s) { return s.step.thread == t && s.step.choice == next.choice; };
    while (is_part() && next.choice < choices && std::ranges::any_of(frame.sleep.steps, sleeps)) ++next.choice;
    if (next.choice < choices) next.thread = t;
    return next;
  }

  static bool is_asleep(const Frame& frame, const Label& step) {
    return std::ranges::any_of(frame.sleep.steps, [&](const Sleeper& s) {
      return s.step.thread == step.thread && s.step.choice == step.choice;
    });
  }

  bool is_part() const { return !request_.work.empty(); }

  bool is_enabled(ThreadId t) {
    const Action& a = machine_.pending(t);
    if (is_final(a.kind)) return false;
    if (a.kind == ActionKind::join) return has_exited(graph_, a.child);
    if (a.kind == ActionKind::leave) return all_arrived(graph_, a);
    return a.await == Await::none || satisfied(a, value_at(a));
  }

  Value value_at(const Action& a) {
    const LocId l = enter(graph_, machine_, a);
    return graph_.value_of(l, graph_.co_last(l));
  }

  void step(ThreadId t, uint32_t choice) {
    const Action& a = machine_.pending(t);
    const auto at = static_cast<Position>(order_.size());
    details_.resize(at + 1);
    details_[at] = {EventId(graph_.size()), 0, {}};
    Label label;
    label.thread = t;
    Value result;
    std::optional<GraphError> error;
    ThreadId child = kNoThread;
    if (is_access(a.kind)) {
      result = details_[at].before = value_at(a);
      label.loc = graph_.location(a.addr);
      label.effect = effect_of(a, result, commute_);
      push(label);
      error = a.kind == ActionKind::store ? store(t, a) : read(t, a, at);
    } else if (is_meeting(a.kind)) {
      result = meet(t, a, label);
    } else {
      if (a.kind == ActionKind::create) label.creates = child = a.child;
      if (a.kind == ActionKind::join) label.joins = a.child;
      if (a.kind == ActionKind::choose) {
        label.choice = choice;
        details_[at].choices = a.bound;
        result = {choice, 0};
      }
      push(label);
      error = other(t, a, result);
    }
    machine_.perform(t, result, graph_.hb(graph_.last(t)));
    ++tally_.result.events;
    if (error) found(*error);
    check_thread(t);
    if (child != kNoThread) check_thread(child);
    check_waiting(t);
  }

  // The phase of an arrival, which the label has, is known when it is in the graph.
  Value meet(ThreadId t, const Action& a, Label& label) {
    const Value result = result_of_leave(graph_, machine_, t, a);
    const EventId e = graph_.add_other(t, a, result);
    const bool leaves = a.kind == ActionKind::leave;
    if (a.kind != ActionKind::look) {
      const uint64_t phase = leaves ? a.operand.lo : graph_[e].value.lo;
      label.met = {graph_[e].loc, static_cast<uint32_t>(a.expected.lo), static_cast<uint32_t>(phase), leaves};
    }
    push(label);
    if (!leaves && graph_.is_crowded(e)) tally_.broke({Assumption::arrivals});
    return graph_[e].value;
  }

  // A read that waits would find out if t has just written there without an action.
  void check_waiting(ThreadId t) {
    for (const ThreadId u : machine_.threads()) {
      const Action& a = machine_.pending(u);
      if (u == t || a.await == Await::none || !is_read(a.kind)) continue;
      const EventId before = graph_.last(u) != kNoEvent ? graph_.last(u) : graph_.creation(u);
      if (before != kNoEvent && machine_.fails(u, graph_.hb(before))) check_thread(u);
    }
  }

  void push(const Label& label) {
    HEDDLE_ASSERT(details_.size() == order_.size() + 1 && frames_.size() > order_.size() + 1);
    const Frame& from = frames_[order_.size()];
    order_.push(label);
    Frame& to = frames_[order_.size()];
    to.failed = from.failed;
    to.sleep.inherit(from.sleep, label);
  }

  std::optional<GraphError> store(ThreadId t, const Action& a) { return race(add_last_store(graph_, t, a)); }

  std::optional<GraphError> read(ThreadId t, const Action& a, Position at) {
    const EventId r = add_last_read(graph_, t, a);
    HEDDLE_ASSERT(graph_[r].exclusive == modifies(order_[at].label.effect) && !graph_[r].blocked);
    if (commutes(order_[at].label.effect)) acquire_less(r, at);
    auto error = race(r);
    if (!graph_[r].exclusive) return error;
    const EventId w = complete_last(graph_, r);
    return error ? std::move(error) : race(w);
  }

  // In another interleaving of the class, the rmws of the run that do not happen before this one come after it.
  void acquire_less(EventId r, Position at) {
    const Position first = order_[at].run_first;
    if (first == at) return;
    known_.clear();
    for (Position p = order_[at].loc_prev; p != kNowhere && order_.same_run(p, at); p = order_[p].loc_prev) {
      if (order_.before(p, at)) known_.push_back(EventId(index(details_[p].event) + 1));
    }
    graph_.acquire_only(r, graph_[details_[first].event].rf, known_);
  }

  std::optional<GraphError> other(ThreadId t, const Action& a, Value result) {
    const EventId e = graph_.add_other(t, a, result);
    if (a.kind == ActionKind::free) return find_use_during_free(graph_, e);
    if (a.kind == ActionKind::help && !request_.races_ignore) return find_help_race(graph_, e, &machine_);
    return std::nullopt;
  }

  std::optional<GraphError> race(EventId e) {
    return request_.races_ignore ? std::nullopt : find_race(graph_, e, &machine_);
  }

  // Errors.

  void check_thread(ThreadId t) {
    const Action& a = machine_.pending(t);
    if (a.kind == ActionKind::error) return found(machine_.error(t));
    if (a.await == Await::none || !is_read(a.kind) || satisfied(a, value_at(a))) return;
    // A read that makes its thread wait is an access all the same.
    const std::size_t size = graph_.size();
    check_wait(add_last_read(graph_, t, a));
    graph_.cut(size);
  }

  void check_wait(EventId r) {
    const ThreadId t = graph_[r].thread;
    if (!machine_.fails(t, graph_.hb(r))) return;
    if (machine_.perform(t, graph_[r].value, graph_.hb(r)).kind != ActionKind::error)
      throw std::logic_error("an access that must fail does not");
    found(machine_.error(t));
  }

  // The same error again is left out. The machine has shown it once more: it follows to where it was.
  template <class AnyError>
  [[gnu::cold, gnu::noinline]] void found(const AnyError& error) {
    frames_[order_.size()].failed = failed_before_ = true;
    judge_.found(graph_, error);
    if (!tally_.stop) follow(graph_.size());
  }

  // Ends.

  void finish() {
    tally_.tell();
    const std::size_t size = graph_.size();
    for (const ThreadId t : machine_.threads()) {
      const Action& a = machine_.pending(t);
      if (is_read(a.kind) && !is_enabled(t)) add_last_read(graph_, t, a);
    }
    HEDDLE_ASSERT_WHOLE(graph_.check());
    const bool& failed = frames_[order_.size()].failed;
    if (!all_asleep()) {
      // The memory may have been freed meanwhile.
      for (std::size_t r = size; r < graph_.size() && !failed; ++r) check_wait(EventId(r));
      if (!failed) judge();
      tally_.failed += failed;
    }
    if (tally_.stop) return;
    reversals_.run(machine_.threads(), insert_);
    graph_.cut(size);
    if (tally_.out_of_executions() && !nothing_left()) tally_.limit(Limit::executions);
  }

  // Whether a thread could go on, but only by a step that is explored elsewhere.
  bool all_asleep() {
    const auto goes_on = [&](const Sleeper& s) { return is_enabled(s.step.thread); };
    return is_part() && std::ranges::any_of(frames_[order_.size()].sleep.steps, goes_on);
  }

  void judge() {
    if (!request_.races_ignore) {
      if (const auto error = find_race_of_waiting(graph_, order_, details_, machine_)) return found(*error);
    }
    const auto same = [&](EventId r) { return finds_the_same(graph_, machine_, r); };
    const auto is_error = [&](const auto& error) { return found(error), true; };
    const auto complete = judge_.judge(graph_, [](EventId) { return true; }, same, is_error);
    if (complete) judge_.count(graph_, *complete);
  }

  // Lines 6 and 21: puts v into the wakeup tree of the prefix before p, unless the sleep set says that it is redundant.
  void insert(Position p, Sequence& v) {
    Frame& frame = frames_[p];
    if (p < root_) copy_ = v;
    if (trees_.insert(frame.wakeup, frame.sleep, v) && p < root_) told_.push_back({p, copy_});
  }

  bool nothing_left() const { return open_end() == root_; }

  // Of our own frames, all from this one on have no wakeup tree.
  std::size_t open_end() const {
    std::size_t d = order_.size();
    while (d > root_ && frames_[d - 1].wakeup.empty()) --d;
    return std::max(d, root_);
  }

  // Backwards.

  // To the longest prefix with a wakeup tree. False if there is none.
  bool backtrack() {
    if (nothing_left()) return false;
    const auto depth = static_cast<Position>(open_end() - 1);
    HEDDLE_ASSERT(failed_before_ || is_part() || !is_asleep(frames_[depth], order_[depth].label));
    frames_[depth].sleep.steps.push_back({order_[depth].label});
    follow(index(details_[depth].event), depth);
    // A thread runs to its next step when it is asked for it: in another order a race may show in another thread.
    for (const ThreadId t : machine_.threads()) {
      if (machine_.pending(t).kind == ActionKind::error && !frames_[depth].failed) found(machine_.error(t));
    }
    return true;
  }

  // Others (await/tree.hpp).

  // Tells of what was found, gives work away if another process has none, and shows what is left. False if nothing is.
  bool share() {
    Sharing* const others = request_.sharing;
    if (others == nullptr) return true;
    const bool asked = others->wants_all();
    if (!asked && !(is_part() && nothing_left())) return true;
    StepWriter out(machine_, locations_);
    out.number(told_.size());
    for (const Reversal& r : told_) {
      out.number(r.at);
      out.labels(r.sequence);
    }
    told_.clear();
    give_frames(out, asked && others->others_wait());
    if (is_part()) others->tell(out.bytes());
    if (nothing_left()) return false;
    tell_promises(tally_.result);
    others->look(tally_.result, {item()});
    return true;
  }

  // Of the frames that have branches half, the shortest prefixes; but not the only branch.
  void give_frames(StepWriter& out, bool any) {
    const std::size_t open_end = this->open_end();
    std::vector<std::size_t> open;
    for (std::size_t d = root_; d < open_end && any; ++d) {
      if (!frames_[d].wakeup.empty()) open.push_back(d);
    }
    const bool only = open.size() == 1 && frames_[open[0]].wakeup.has_one();
    const std::size_t end = open.empty() || only ? root_ : open[(open.size() - 1) / 2] + 1;
    out.number(end - root_);
    for (; root_ < end; ++root_) {
      const auto d = static_cast<Position>(root_);
      Frame& frame = frames_[d];
      if (d > 0) out.label(order_[d - 1].label);
      frame.sleep.steps.push_back({order_[d].label, d + 1 != open_end});  // the last is explored
      out.sleep(frame.sleep);
      out.tree(trees_, frame.wakeup);
    }
  }

  // All that is left.
  std::string item() {
    const std::size_t frames = open_end();
    StepWriter out(machine_, locations_);
    out.number(root_);
    out.number(frames);
    for (Position p = 0; p < frames; ++p) out.label(order_[p].label);
    out.number(frames);
    for (std::size_t d = 0; d < frames; ++d) {
      out.sleep(frames_[d].sleep);
      out.tree(trees_, frames_[d].wakeup);
    }
    return out.bytes();
  }

  // Whether it begins with a branch.
  bool load() {
    StepReader in(request_.work, machine_, locations_);
    root_ = in.number();
    const std::vector<Label> steps = in.labels();
    for (const Label& l : steps) {
      if (!can_take(l)) throw std::runtime_error("a step cannot be taken");
      if (frames_.size() < order_.size() + 2) frames_.resize(2 * order_.size() + 2);
      step(l.thread, l.choice);
    }
    const uint64_t frames = in.count();
    const bool is_branch = frames == steps.size() + 1 && root_ == frames;
    if (!is_branch && (frames != steps.size() || root_ >= frames)) throw std::runtime_error("frames are missing");
    for (std::size_t d = 0; d < frames; ++d) {
      frames_[d].sleep = in.sleep();
      frames_[d].wakeup = in.tree(trees_);
    }
    in.end();
    if (frames_[frames - 1].wakeup.empty()) throw std::runtime_error("nothing is left");
    return is_branch;
  }

  bool can_take(const Label& l) {
    if (std::ranges::find(machine_.threads(), l.thread) == machine_.threads().end() || !is_enabled(l.thread))
      return false;
    const Action& a = machine_.pending(l.thread);
    return l.choice < (a.kind == ActionKind::choose ? a.bound : 1);
  }

  void follow(std::size_t events, std::size_t steps) {
    HEDDLE_ASSERT(details_.size() == order_.size());
    order_.cut(steps);
    details_.resize(steps);
    graph_.cut(events);
    follow(events);
  }

  // Brings the machine to the graph, whose first events are as they were.
  void follow(std::size_t events) {
    history_.update(graph_, EventId(events));
    tally_.result.events += history_.size();
    history_.replay(graph_, machine_, false);
  }

  Machine& machine_;
  const Request request_;
  // Not where a clock tells in which order they were done.
  const bool commute_ = request_.await.commute && !machine_.reads_clocks();
  Locations locations_;
  Graph graph_;
  History history_;
  ConflictOrder order_;
  std::vector<Detail> details_;  // by Position
  std::vector<Frame> frames_;    // by length of the prefix
  WakeupTrees trees_;
  Reversals reversals_;
  const Reversals::Insert insert_ = [this](Position p, Sequence& v) { insert(p, v); };
  std::vector<EventId> known_;
  std::size_t root_ = 0;        // from this frame on they are our own; the others are shared (await/tree.hpp)
  std::vector<Reversal> told_;  // for shared frames, not yet told
  Sequence copy_;
  bool failed_before_ = false;  // some interleaving had an error
  Judge judge_;
  Tally& tally_ = judge_.tally;
};

}  // namespace

Result explore_await(Machine& machine, const Request& request) { return Explorer(machine, request).run(); }

}  // namespace heddle
