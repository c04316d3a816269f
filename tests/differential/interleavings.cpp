#include "differential/interleavings.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "differential/compare.hpp"
#include "machine/script/script_machine.hpp"

namespace heddle::differential {
namespace {

// A step of an interleaving.
struct Done {
  std::size_t thread;
  Action action;
  Value result;
};

bool writes(const Done& d) {
  return d.action.kind == ActionKind::store || d.action.kind == ActionKind::rmw ||
         (d.action.kind == ActionKind::cas && d.result == d.action.expected);
}

// Rmws with the same group may change places; 0: with none.
int group(const Done& d) {
  const Action& a = d.action;
  if (a.kind != ActionKind::rmw || !a.result_unused || a.await != Await::none) return 0;
  switch (a.op) {
    case RmwOp::add:
    case RmwOp::sub: return 1;
    case RmwOp::bor: return 2;
    case RmwOp::band: return 3;
    case RmwOp::bxor: return 4;
    default: return 0;
  }
}

bool conflict(const Done& a, const Done& b, bool commute) {
  if (!is_access(a.action.kind) || !is_access(b.action.kind) || a.action.addr != b.action.addr) return false;
  if (!writes(a) && !writes(b)) return false;
  return !commute || group(a) == 0 || group(a) != group(b);
}

std::string class_of(const std::vector<Done>& steps, bool commute) {
  std::vector<std::string> names;
  std::map<std::size_t, std::string> threads;
  std::map<std::size_t, int> counts;
  for (const Done& d : steps) {
    names.push_back(std::to_string(d.thread) + "." + std::to_string(counts[d.thread]++));
    std::string& text = threads[d.thread];
    text += " " + std::string(name(d.action.kind)) + "@" + std::to_string(static_cast<unsigned>(d.action.site));
    const bool has_value = is_read(d.action.kind) || d.action.kind == ActionKind::choose;
    if (has_value && !(commute && group(d) != 0)) text += "=" + std::to_string(d.result.lo);
  }
  std::set<std::string> pairs;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t j = i + 1; j < steps.size(); ++j) {
      if (steps[i].thread != steps[j].thread && conflict(steps[i], steps[j], commute))
        pairs.insert(names[i] + "<" + names[j]);
    }
  }
  std::string text;
  for (const auto& [t, line] : threads) text += std::to_string(t) + ":" + line + "\n";
  for (const std::string& p : pairs) text += p + " ";
  return text + "\n";
}

struct State {
  std::vector<ScriptThread> threads;
  std::vector<bool> created;
  std::vector<Value> memory;
  std::vector<Done> steps;
};

class Enumeration {
 public:
  Enumeration(const Script& script, bool commute, uint64_t limit) : script_(script), commute_(commute), limit_(limit) {}

  std::optional<Classes> run() {
    State s;
    for (std::size_t t = 0; t < script_.threads.size(); ++t) {
      s.threads.push_back(script_start(script_, ThreadId(t)));
      s.created.push_back(t == 0);
    }
    for (const ScriptLocation& l : script_.locations) s.memory.push_back({l.initial, 0});
    visit(s);
    if (count_ > limit_) return std::nullopt;
    return std::move(classes_);
  }

 private:
  Action pending(const State& s, std::size_t t) const { return script_action(script_, ThreadId(t), s.threads[t]); }

  bool enabled(const State& s, std::size_t t) const {
    if (!s.created[t]) return false;
    const Action a = pending(s, t);
    if (is_final(a.kind)) return false;
    if (a.kind == ActionKind::join) return s.threads[index(a.child)].exited;
    return !is_read(a.kind) || satisfied(a, s.memory[script_location(a.addr)]);
  }

  void visit(const State& s) {
    if (++count_ > limit_ || !visited_.insert(class_of(s.steps, commute_)).second) return;
    std::vector<std::size_t> able;
    for (std::size_t t = 0; t < s.threads.size(); ++t) {
      if (!enabled(s, t)) continue;
      // What is no access concerns nobody else: it may as well come at once.
      if (!is_access(pending(s, t).kind)) return take(s, t);
      able.push_back(t);
    }
    if (able.empty()) return end(s);
    for (const std::size_t t : able) take(s, t);
  }

  void take(const State& s, std::size_t t) {
    const Action a = pending(s, t);
    const uint64_t results = a.kind == ActionKind::choose ? a.bound : 1;
    for (uint64_t r = 0; r < results; ++r) {
      State next = s;
      Value result{r, 0};
      if (is_access(a.kind)) {
        Value& cell = next.memory[script_location(a.addr)];
        result = cell;
        if (writes({t, a, result})) cell = a.kind == ActionKind::rmw ? apply(a.op, cell, a.operand, a.size) : a.operand;
        if (a.kind == ActionKind::store) result = {};
      }
      if (a.kind == ActionKind::create) next.created[index(a.child)] = true;
      script_step(script_, ThreadId(t), next.threads[t], result);
      next.steps.push_back({t, a, result});
      visit(next);
    }
  }

  void end(const State& s) {
    bool all_exited = true;
    bool stopped = false;
    bool failed = false;
    for (std::size_t t = 0; t < s.threads.size(); ++t) {
      if (!s.created[t]) continue;
      const Action a = pending(s, t);
      failed |= a.kind == ActionKind::error;
      all_exited &= a.kind == ActionKind::done;
      stopped |= a.kind == ActionKind::block || a.assumed;
    }
    auto& into = failed       ? classes_.errors
                 : all_exited ? classes_.complete
                 : stopped    ? classes_.blocked
                              : classes_.deadlocks;
    into.insert(class_of(s.steps, commute_));
  }

  const Script& script_;
  bool commute_;
  uint64_t limit_;
  uint64_t count_ = 0;
  std::set<std::string> visited_;
  Classes classes_;
};

// The classes of the interleavings that the explorer shows.
class Collector : public Observer {
 public:
  Collector(const Script& script, bool commute) : script_(script), commute_(commute) {}

  void execution(const Graph& g, Machine&, bool complete) override {
    std::vector<ScriptThread> threads;
    for (std::size_t t = 0; t < script_.threads.size(); ++t) threads.push_back(script_start(script_, ThreadId(t)));
    std::vector<Done> steps;
    for (std::size_t i = 0; i < g.size(); ++i) {
      const Event& e = g[EventId(i)];
      if (e.blocked || (e.is_write() && e.exclusive)) continue;
      const Action a = script_action(script_, e.thread, threads[index(e.thread)]);
      const Value result = a.kind == ActionKind::store ? Value{} : e.value;
      script_step(script_, e.thread, threads[index(e.thread)], result);
      steps.push_back({index(e.thread), a, result});
    }
    ++(complete ? this->complete : blocked)[class_of(steps, commute_)];
  }

  std::map<std::string, unsigned> complete, blocked;

 private:
  const Script& script_;
  bool commute_;
};

void compare(const char* kind, const std::map<std::string, unsigned>& explored, const std::set<std::string>& wanted,
             bool all, std::string& text) {
  for (const auto& [form, times] : explored) {
    if (!wanted.contains(form)) text += std::string("wrong ") + kind + ":\n" + form;
    if (times > 1) text += "explored " + std::to_string(times) + " times, " + kind + ":\n" + form;
  }
  for (const std::string& form : wanted) {
    if (all && !explored.contains(form)) text += std::string("missing ") + kind + ":\n" + form;
  }
}

bool found(const Result& r, std::initializer_list<ErrorKind> kinds) {
  return std::ranges::any_of(r.findings,
                             [&](const Finding& f) { return std::ranges::find(kinds, f.error.kind) != kinds.end(); });
}

std::string compare_classes(const Script& script, const Classes& classes, bool commute) {
  ScriptMachine machine(script);
  Collector collector(script, commute);
  Request request;
  request.algorithm = Algorithm::await;
  request.model = ModelKind::sc;
  request.keep_going = true;
  request.races_ignore = true;
  request.observer = &collector;
  request.await.commute = commute;
  const Result result = explore(machine, request);
  std::string text;
  compare("complete", collector.complete, classes.complete, true, text);
  compare("blocked", collector.blocked, classes.blocked, true, text);
  if (found(result, {ErrorKind::assertion}) != !classes.errors.empty()) text += "wrong or missing assertion failure\n";
  if (found(result, {ErrorKind::deadlock, ErrorKind::livelock}) != !classes.deadlocks.empty())
    text += "wrong or missing deadlock\n";
  // Errors are not shown one by one: the limit must be hit if it is one less than there are classes.
  request.observer = nullptr;
  for (const uint64_t less : {0, 1}) {
    request.max_executions = classes.size() - less;
    const bool hit = !explore(machine, request).limits.empty();
    if (request.max_executions != 0 && hit != (less == 1)) text += "the number of interleavings is wrong\n";
  }
  if (!text.empty()) text = std::string(commute ? "with" : "without") + " commuting rmws:\n" + text;
  return text;
}

constexpr uint64_t kMany = 20'000;

Result explored(const Script& script, Algorithm algorithm, bool commute, bool races_ignore) {
  ScriptMachine machine(script);
  Request request;
  request.algorithm = algorithm;
  request.model = ModelKind::sc;
  request.keep_going = true;
  request.races_ignore = races_ignore;
  request.await.commute = commute;
  request.max_executions = kMany;
  return explore(machine, request);
}

std::optional<std::string> compare_with_spore(const Script& script) {
  const Result by_spore = explored(script, Algorithm::spore, true, true);
  const Result by_await = explored(script, Algorithm::await, false, true);
  const Result commuting = explored(script, Algorithm::await, true, true);
  if (!by_spore.limits.empty() || !by_await.limits.empty() || !commuting.limits.empty()) return std::nullopt;
  std::string text;
  const bool error = found(by_spore, {ErrorKind::assertion});
  if (!error && by_spore.executions != by_await.executions) {
    text += "spore counts " + std::to_string(by_spore.executions) + " executions, await " +
            std::to_string(by_await.executions) + "\n";
  }
  if (commuting.executions > by_await.executions) text += "more executions where rmws commute\n";
  for (const Result* r : {&by_await, &commuting}) {
    const auto stuck = {ErrorKind::deadlock, ErrorKind::livelock};
    if (found(*r, {ErrorKind::assertion}) != error) text += "spore and await disagree about an assertion\n";
    if (!error && found(*r, stuck) != found(by_spore, stuck)) text += "spore and await disagree about a deadlock\n";
  }
  return text;
}

}  // namespace

std::optional<Classes> enumerate_classes(const Script& script, bool commute, uint64_t limit) {
  return Enumeration(script, commute, limit).run();
}

Script without_dead_results(Script s) {
  for (auto& code : s.threads) {
    std::vector<unsigned> live(code.size() + 1);  // sets of registers, before each instruction
    for (std::size_t pc = code.size(); pc-- > 0;) {
      Instruction& i = code[pc];
      unsigned set = live[pc + 1];
      if (i.op == ScriptOp::skip) set |= live[pc + 1 + i.length];
      if (i.op == ScriptOp::rmw && i.await == Await::none && (set >> i.reg & 1) == 0) i.unused = true;
      if (has_result(i)) set &= ~(1u << i.reg);
      if (is_test(i.op)) set |= 1u << i.reg;
      for (const int used : {static_cast<int>(i.operand.reg), static_cast<int>(i.second_reg)}) {
        if (used >= 0) set |= 1u << used;
      }
      live[pc] = set;
    }
  }
  return s;
}

std::optional<std::string> await_disagreement(const Script& script, uint64_t limit, AwaitTally* tally) {
  const std::optional<Reference> axioms = reference(script, ModelKind::sc, limit);
  const std::optional<Classes> plain = axioms ? enumerate_classes(script, false, 25 * limit) : std::nullopt;
  const std::optional<Classes> commuting = plain ? enumerate_classes(script, true, 25 * limit) : std::nullopt;
  if (!commuting) return compare_with_spore(script);
  std::string text = disagreement(script, ModelKind::sc, *axioms, Algorithm::await);
  text += compare_classes(script, *plain, false);
  text += compare_classes(script, *commuting, true);
  text += compare_with_spore(script).value_or("");
  const bool race = found(explored(script, Algorithm::await, true, false), {ErrorKind::race});
  if (race && !axioms->race) text += "wrong race, with commuting rmws\n";
  if (!race && axioms->race && !axioms->error) text += "missing race, with commuting rmws\n";
  if (tally != nullptr) {
    tally->executions = plain->complete.size();
    tally->classes = commuting->complete.size();
    tally->blocked = !plain->blocked.empty();
    tally->error = axioms->error;
    tally->deadlock = !plain->deadlocks.empty();
    tally->race = axioms->race;
  }
  return text;
}

}  // namespace heddle::differential
