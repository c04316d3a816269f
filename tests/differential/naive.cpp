#include <algorithm>
#include <map>
#include <set>

#include "differential/brute_force.hpp"

namespace heddle::differential {
namespace {

using axioms::Event;
using axioms::Type;

// One thread by itself, with some value for each read.
struct Local {
  std::vector<Event> events;  // rf is still open
  ScriptThread end;
  ActionKind stop = ActionKind::done;  // done, block, error, join (waits for a thread) or load (waits for a value)
};

using Values = std::map<Address, std::set<uint64_t>>;

class Semantics {
 public:
  Semantics(const Script& script, axioms::Model model, uint64_t limit, const OnFull& on_full)
      : script_(script), model_(model), limit_(limit), on_full_(on_full) {}

  bool run() {
    for (unsigned l = 0; l < script_.locations.size(); ++l) {
      values_[script_address(l)] = {script_.locations[l].initial};
    }
    // A value that is written depends on at most as many writes as there are instructions.
    std::size_t rounds = 1;
    for (const auto& code : script_.threads) rounds += code.size();
    for (std::size_t before = 0; rounds-- > 0 && before != known_values();) {
      before = known_values();
      enumerate_locals();
    }
    enumerate_locals();
    chosen_.assign(script_.threads.size(), nullptr);
    combine(0);
    return !over_limit();
  }

 private:
  bool over_limit() const { return count_ > limit_; }

  std::size_t known_values() const {
    std::size_t n = 0;
    for (const auto& [l, set] : values_) n += set.size();
    return n;
  }

  void enumerate_locals() {
    const Values known = values_;
    locals_.assign(script_.threads.size(), {});
    for (std::size_t t = 0; t < script_.threads.size() && !over_limit(); ++t) {
      Local l;
      l.end = script_start(script_, ThreadId(t));
      extend(t, known, l);
    }
  }

  void finish(std::size_t t, Local l, ActionKind stop) {
    ++count_;
    l.stop = stop;
    locals_[t].push_back(std::move(l));
  }

  // Every way on from here.
  void extend(std::size_t t, const Values& known, Local l) {
    if (over_limit()) return;
    const auto thread = ThreadId(t);
    const Action a = script_action(script_, thread, l.end);
    if (is_final(a.kind)) return finish(t, l, a.kind);
    if (is_read(a.kind)) {
      for (const uint64_t v : known.at(a.addr)) extend_read(t, known, l, a, {v, 0});
      return;
    }
    if (a.kind == ActionKind::join) finish(t, l, ActionKind::join);
    const uint64_t results = a.kind == ActionKind::choose ? a.bound : 1;
    for (uint64_t v = 0; v < results; ++v) {
      Local next = l;
      Event& e = add(next, t, type_of(a.kind), a.mode);
      if (a.child != kNoThread) e.child = static_cast<int>(index(a.child));
      if (a.kind == ActionKind::choose) e.value = {v, 0};
      if (a.kind == ActionKind::store) set_access(e, a, a.operand);
      script_step(script_, thread, next.end, {v, 0});
      extend(t, known, next);
    }
  }

  void extend_read(std::size_t t, const Values& known, Local l, const Action& a, Value v) {
    if (!satisfied(a, v)) {
      Event& r = add(l, t, Type::read, has_fail_mode(a) ? a.fail_mode : read_part(a.mode));
      r.locked = a.kind != ActionKind::load;
      set_access(r, a, v);
      return finish(t, l, ActionKind::load);
    }
    const bool success = a.kind == ActionKind::rmw || (a.kind == ActionKind::cas && v == a.expected);
    Event& r = add(l, t, Type::read, a.kind == ActionKind::cas && !success ? a.fail_mode : read_part(a.mode));
    r.locked = a.kind != ActionKind::load;
    set_access(r, a, v);
    if (success) {
      r.exclusive = true;
      Event& w = add(l, t, Type::write, write_part(a.mode));
      set_access(w, a, a.kind == ActionKind::rmw ? apply(a.op, v, a.operand, a.size) : a.operand);
      w.exclusive = true;
    }
    script_step(script_, ThreadId(t), l.end, v);
    extend(t, known, l);
  }

  static Type type_of(ActionKind k) {
    return k == ActionKind::store    ? Type::write
           : k == ActionKind::fence  ? Type::fence
           : k == ActionKind::create ? Type::create
           : k == ActionKind::join   ? Type::join
           : k == ActionKind::exit   ? Type::exit
                                     : Type::other;
  }

  static Event& add(Local& l, std::size_t t, Type type, Mode mode) {
    Event e;
    e.type = type;
    e.mode = mode;
    e.thread = static_cast<int>(t);
    e.index = static_cast<int>(l.events.size());
    l.events.push_back(e);
    return l.events.back();
  }

  void set_access(Event& e, const Action& a, Value v) {
    e.location = a.addr;
    e.value = v;
    if (e.type == Type::write) values_[a.addr].insert(v.lo);
  }

  // Chooses how each thread runs.
  void combine(std::size_t t) {
    if (over_limit()) return;
    if (t == script_.threads.size()) {
      if (fits()) build();
      return;
    }
    if (!created(t)) {
      chosen_[t] = nullptr;
      return combine(t + 1);
    }
    for (const Local& l : locals_[t]) {
      chosen_[t] = &l;
      ++count_;
      combine(t + 1);
    }
  }

  // A creator has a smaller number.
  bool created(std::size_t t) const {
    if (t == 0) return true;
    for (std::size_t u = 0; u < t; ++u) {
      if (chosen_[u] == nullptr) continue;
      for (const Event& e : chosen_[u]->events) {
        if (e.type == Type::create && e.child == static_cast<int>(t)) return true;
      }
    }
    return false;
  }

  // Joins return for threads that exit, and wait for those that do not.
  bool fits() const {
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      if (chosen_[t] == nullptr) continue;
      for (const Event& e : chosen_[t]->events) {
        if (e.type == Type::join && !exits(static_cast<std::size_t>(e.child))) return false;
      }
      if (chosen_[t]->stop == ActionKind::join &&
          exits(index(script_action(script_, ThreadId(t), chosen_[t]->end).child))) {
        return false;
      }
    }
    return true;
  }

  bool exits(std::size_t t) const { return chosen_[t] != nullptr && chosen_[t]->stop == ActionKind::done; }

  void build() {
    axioms::Execution x;
    for (unsigned l = 0; l < script_.locations.size(); ++l) {
      Event e;
      e.type = Type::init;
      e.location = script_address(l);
      e.value = {script_.locations[l].initial, 0};
      x.events.push_back(e);
      x.co.push_back({static_cast<int>(l)});
    }
    for (const Local* l : chosen_) {
      if (l == nullptr) continue;
      for (const Event& e : l->events) {
        const int id = static_cast<int>(x.events.size());
        if (e.type == Type::write) x.co[script_location(e.location)].push_back(id);
        if (e.type == Type::write && e.exclusive) x.rmw.emplace_back(id - 1, id);
        x.events.push_back(e);
      }
    }
    choose_rf(x, 0);
  }

  void choose_rf(axioms::Execution& x, std::size_t e) {
    while (e < x.events.size() && x.events[e].type != Type::read) ++e;
    if (e == x.events.size()) return choose_co(x, 0);
    for (const int w : std::vector<int>(x.co[script_location(x.events[e].location)])) {
      if (x.events[static_cast<std::size_t>(w)].value != x.events[e].value) continue;
      x.events[e].rf = w;
      choose_rf(x, e + 1);
    }
  }

  void choose_co(axioms::Execution& x, std::size_t l) {
    if (over_limit()) return;
    if (l == x.co.size()) {
      ++count_;
      if (axioms::consistent(model_, x)) report(x);
      return;
    }
    const std::vector<int> before = x.co[l];
    std::sort(x.co[l].begin() + 1, x.co[l].end());
    do choose_co(x, l + 1);
    while (has_co(model_) && std::next_permutation(x.co[l].begin() + 1, x.co[l].end()));
    x.co[l] = before;
  }

  void report(const axioms::Execution& x) {
    std::vector<ScriptThread> ends(script_.threads.size());
    bool all_exited = true;
    bool failed = false;
    bool stuck = true;
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      if (chosen_[t] == nullptr) continue;
      ends[t] = chosen_[t]->end;
      all_exited &= chosen_[t]->stop == ActionKind::done;
      failed |= chosen_[t]->stop == ActionKind::error;
      if (chosen_[t]->stop == ActionKind::block) stuck = false;
      if (chosen_[t]->stop != ActionKind::load) continue;
      const bool assumed = script_action(script_, ThreadId(t), ends[t]).assumed;
      if (assumed || !reads_last(x, static_cast<int>(t))) stuck = false;
    }
    Full f{x, ends};
    f.ending = failed ? Ending::error : all_exited ? Ending::complete : Ending::blocked;
    f.deadlock = f.ending == Ending::blocked && stuck;
    on_full_(f);
  }

  bool reads_last(const axioms::Execution& x, int thread) const {
    const int last = static_cast<int>(chosen_[static_cast<std::size_t>(thread)]->events.size()) - 1;
    for (const Event& e : x.events) {
      if (e.thread == thread && e.index == last) return e.rf == x.co[script_location(e.location)].back();
    }
    return false;
  }

  const Script& script_;
  axioms::Model model_;
  uint64_t limit_;
  const OnFull& on_full_;
  uint64_t count_ = 0;
  Values values_;
  std::vector<std::vector<Local>> locals_;
  std::vector<const Local*> chosen_;
};

}  // namespace

bool naive(const Script& script, axioms::Model model, uint64_t limit, const OnFull& on_full) {
  return Semantics(script, model, limit, on_full).run();
}

}  // namespace heddle::differential
