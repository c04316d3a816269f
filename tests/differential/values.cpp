#include "differential/values.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "differential/compare.hpp"
#include "machine/script/script_machine.hpp"

namespace heddle::differential {
namespace {

struct ValueState {
  std::vector<ScriptThread> threads;
  std::vector<bool> created;
  std::vector<Value> memory;
  std::vector<std::string> steps;  // of each thread
};

std::string step_text(const Action& a, Value result) {
  std::string text = " " + std::string(name(a.kind)) + "@" + std::to_string(static_cast<unsigned>(a.site));
  if (is_read(a.kind) || a.kind == ActionKind::choose) text += "=" + std::to_string(result.lo);
  return text;
}

std::string joined(const std::vector<std::string>& steps) {
  std::string text;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    if (!steps[t].empty()) text += std::to_string(t) + ":" + steps[t] + "\n";
  }
  return text;
}

bool may_write(const Action& a) { return is_access(a.kind) && a.kind != ActionKind::load; }

class ValueEnumeration {
 public:
  ValueEnumeration(const Script& script, uint64_t limit) : script_(script), limit_(limit) {}

  std::optional<ValueFunctions> run() {
    ValueState s;
    for (std::size_t t = 0; t < script_.threads.size(); ++t) {
      s.threads.push_back(script_start(script_, ThreadId(t)));
      s.created.push_back(t == 0);
    }
    s.steps.resize(s.threads.size());
    for (const ScriptLocation& l : script_.locations) s.memory.push_back({l.initial, 0});
    visit(s);
    if (count_ > limit_) return std::nullopt;
    return std::move(functions_);
  }

 private:
  Action pending(const ValueState& s, std::size_t t) const { return script_action(script_, ThreadId(t), s.threads[t]); }

  bool enabled(const ValueState& s, std::size_t t) const {
    if (!s.created[t]) return false;
    const Action a = pending(s, t);
    if (is_final(a.kind)) return false;
    if (a.kind == ActionKind::join) return s.threads[index(a.child)].exited;
    return !is_read(a.kind) || satisfied(a, s.memory[script_location(a.addr)]);
  }

  void visit(const ValueState& s) {
    std::string key = joined(s.steps);
    for (const Value& v : s.memory) key += std::to_string(v.lo) + " ";
    if (++count_ > limit_ || !visited_.insert(std::move(key)).second) return;
    look_for_race(s);
    bool any = false;
    for (std::size_t t = 0; t < s.threads.size(); ++t) {
      if (enabled(s, t) && !is_access(pending(s, t).kind)) return take(s, t);
    }
    for (std::size_t t = 0; t < s.threads.size(); ++t) {
      if (!enabled(s, t)) continue;
      any = true;
      take(s, t);
    }
    if (!any) end(s);
  }

  // Two threads stand before conflicting accesses, one of them plain.
  void look_for_race(const ValueState& s) {
    for (std::size_t t = 0; t < s.threads.size(); ++t) {
      for (std::size_t u = 0; u < t; ++u) {
        if (!s.created[t] || !s.created[u]) continue;
        const Action a = pending(s, t);
        const Action b = pending(s, u);
        if (!is_access(a.kind) || !is_access(b.kind) || a.addr != b.addr) continue;
        if (a.mode != Mode::na && b.mode != Mode::na) continue;
        if (writes_now(s, a) || writes_now(s, b)) functions_.race = true;
      }
    }
  }

  bool writes_now(const ValueState& s, const Action& a) const {
    if (!may_write(a)) return false;
    const Value found = s.memory[script_location(a.addr)];
    if (is_read(a.kind) && !satisfied(a, found)) return false;
    return a.kind != ActionKind::cas || found == a.expected;
  }

  void take(const ValueState& s, std::size_t t) {
    const Action a = pending(s, t);
    const uint64_t results = a.kind == ActionKind::choose ? a.bound : 1;
    for (uint64_t r = 0; r < results; ++r) {
      ValueState next = s;
      Value result{r, 0};
      if (is_access(a.kind)) {
        Value& cell = next.memory[script_location(a.addr)];
        result = cell;
        if (a.kind == ActionKind::rmw) cell = apply(a.op, cell, a.operand, a.size);
        if (a.kind == ActionKind::store || (a.kind == ActionKind::cas && cell == a.expected)) cell = a.operand;
        if (a.kind == ActionKind::store) result = {};
      }
      if (a.kind == ActionKind::create) next.created[index(a.child)] = true;
      script_step(script_, ThreadId(t), next.threads[t], result);
      next.steps[t] += step_text(a, result);
      visit(next);
    }
  }

  void end(const ValueState& s) {
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
    auto& into = failed       ? functions_.errors
                 : all_exited ? functions_.complete
                 : stopped    ? functions_.blocked
                              : functions_.deadlocks;
    into.insert(joined(s.steps));
  }

  const Script& script_;
  uint64_t limit_;
  uint64_t count_ = 0;
  std::set<std::string> visited_;
  ValueFunctions functions_;
};

// What the explorer shows.
class ValueCollector : public Observer {
 public:
  explicit ValueCollector(const Script& script) : script_(script) {}

  void execution(const Graph& g, Machine&, bool complete) override {
    std::vector<ScriptThread> threads;
    for (std::size_t t = 0; t < script_.threads.size(); ++t) threads.push_back(script_start(script_, ThreadId(t)));
    std::vector<std::string> steps(threads.size());
    std::vector<Value> memory;
    for (const ScriptLocation& l : script_.locations) memory.push_back({l.initial, 0});
    for (std::size_t i = 0; i < g.size(); ++i) {
      const Event& e = g[EventId(i)];
      if (e.blocked || (e.is_write() && e.exclusive)) continue;
      const Action a = script_action(script_, e.thread, threads[index(e.thread)]);
      const Value result = a.kind == ActionKind::store ? Value{} : e.value;
      if (is_access(a.kind)) {
        Value& cell = memory[script_location(a.addr)];
        if (is_read(a.kind) && cell != result) wrong = "a read does not find the last value\n";
        if (a.kind == ActionKind::rmw) cell = apply(a.op, cell, a.operand, a.size);
        if (a.kind == ActionKind::store || (a.kind == ActionKind::cas && cell == a.expected)) cell = a.operand;
      }
      script_step(script_, e.thread, threads[index(e.thread)], result);
      steps[index(e.thread)] += step_text(a, result);
    }
    const std::string function = joined(steps);
    ++(complete ? this->complete : blocked)[function];
    ++classes[function + causes(g)];
  }

  std::map<std::string, unsigned> complete, blocked, classes;
  std::string wrong;

 private:
  // Which reads come before which by program order and reads-from.
  static std::string causes(const Graph& g) {
    const std::size_t n = g.size();
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n));
    std::string text;
    for (std::size_t i = 0; i < n; ++i) {
      const auto e = EventId(i);
      const auto include = [&](EventId other) {
        if (other == kNoEvent || other == kInit) return;
        before[i][index(other)] = true;
        for (std::size_t j = 0; j < n; ++j) before[i][j] = before[i][j] || before[index(other)][j];
      };
      include(g.predecessor(e));
      if (g[e].is_read() || g[e].kind == EventKind::join) include(g[e].rf);
      if (!g[e].is_read() || g[e].blocked) continue;
      // Names that do not depend on the order in the graph.
      std::set<std::string> names;
      for (std::size_t j = 0; j < n; ++j) {
        const Event& other = g[EventId(j)];
        if (before[i][j] && other.is_read()) {
          names.insert(std::to_string(index(other.thread)) + "." + std::to_string(other.po));
        }
      }
      std::string line = std::to_string(index(g[e].thread)) + "." + std::to_string(g[e].po) + " after";
      for (const std::string& s : names) line += " " + s;
      text += line + "\n";
    }
    // Lines in the order of their events' names.
    std::set<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      lines.insert(text.substr(at, end - at));
      at = end + 1;
    }
    text.clear();
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }

  const Script& script_;
};

void compare_functions(const char* kind, const std::map<std::string, unsigned>& explored,
                       const std::set<std::string>& wanted, std::string& text) {
  for (const auto& [form, times] : explored) {
    if (!wanted.contains(form)) text += std::string("wrong ") + kind + ":\n" + form;
  }
  for (const std::string& form : wanted) {
    if (!explored.contains(form)) text += std::string("missing ") + kind + ":\n" + form;
  }
}

bool has_found(const Result& r, std::initializer_list<ErrorKind> kinds) {
  return std::ranges::any_of(r.findings,
                             [&](const Finding& f) { return std::ranges::find(kinds, f.error.kind) != kinds.end(); });
}

Request rvf_request() {
  Request request;
  request.algorithm = Algorithm::rvf;
  request.model = ModelKind::sc;
  request.keep_going = true;
  request.races_ignore = true;
  return request;
}

}  // namespace

std::optional<ValueFunctions> enumerate_values(const Script& script, uint64_t limit) {
  return ValueEnumeration(script, limit).run();
}

std::optional<std::string> rvf_disagreement(const Script& script, uint64_t limit, RvfTally* tally) {
  const std::optional<ValueFunctions> wanted = enumerate_values(script, 25 * limit);
  if (!wanted) return std::nullopt;
  ScriptMachine machine(script);
  ValueCollector collector(script);
  Request request = rvf_request();
  request.observer = &collector;
  const Result result = explore(machine, request);
  std::string text = collector.wrong;
  compare_functions("complete", collector.complete, wanted->complete, text);
  compare_functions("blocked", collector.blocked, wanted->blocked, text);
  for (const auto& [form, times] : collector.classes) {
    if (times > 1) text += "a class explored " + std::to_string(times) + " times:\n" + form;
  }
  if (has_found(result, {ErrorKind::assertion}) != !wanted->errors.empty())
    text += "wrong or missing assertion failure\n";
  if (has_found(result, {ErrorKind::deadlock, ErrorKind::livelock}) != !wanted->deadlocks.empty())
    text += "wrong or missing deadlock\n";

  request.observer = nullptr;
  for (unsigned off = 1; off < 16; ++off) {
    if (off != 15 && (off & (off - 1)) != 0) continue;  // each technique alone, and all
    request.rvf = {(off & 1) == 0, (off & 2) == 0, (off & 4) == 0, (off & 8) == 0};
    const Result without = explore(machine, request);
    if (without.executions != result.executions || without.blocked != result.blocked) {
      text += "without technique " + std::to_string(off) + ": " + std::to_string(without.executions) + " and " +
              std::to_string(without.blocked) + " executions instead of " + std::to_string(result.executions) +
              " and " + std::to_string(result.blocked) + "\n";
    }
  }

  request = rvf_request();
  request.races_ignore = false;
  const bool race = has_found(explore(machine, request), {ErrorKind::race});
  if (!race && wanted->race && wanted->errors.empty()) text += "missing race of two accesses that meet\n";
  const std::optional<Reference> axioms = reference(script, ModelKind::sc, limit);
  if (axioms && race && !axioms->race) text += "wrong race\n";
  if (axioms && !race && axioms->race && !axioms->error) text += "missing race\n";
  if (tally != nullptr) {
    tally->executions = result.executions;
    tally->functions = wanted->complete.size();
    tally->blocked = !wanted->blocked.empty();
    tally->error = !wanted->errors.empty();
    tally->deadlock = !wanted->deadlocks.empty();
    tally->race = wanted->race;
  }
  return text;
}

}  // namespace heddle::differential
