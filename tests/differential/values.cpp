#include "differential/values.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "differential/compare.hpp"

namespace heddle::differential {
namespace {

void add_step(std::vector<std::string>& steps, const Done& d) {
  const Action& a = d.action;
  std::string& text = steps[d.thread];
  text += " " + std::string(name(a.kind)) + "@" + std::to_string(static_cast<unsigned>(a.site));
  if (is_read(a.kind) || a.kind == ActionKind::choose) text += "=" + std::to_string(d.result.lo);
}

std::string joined(const std::vector<std::string>& steps) {
  std::string text;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    if (!steps[t].empty()) text += std::to_string(t) + ":" + steps[t] + "\n";
  }
  return text;
}

class ValueEnumeration {
 public:
  ValueEnumeration(const Script& script, uint64_t limit) : script_(script), limit_(limit) {}

  std::optional<ValueFunctions> run() {
    visit(Interleaved(script_), std::vector<std::string>(script_.threads.size()));
    if (count_ > limit_) return std::nullopt;
    return std::move(functions_);
  }

 private:
  void visit(const Interleaved& s, const std::vector<std::string>& steps) {
    std::string key = joined(steps);
    for (const Value& v : s.memory()) key += std::to_string(v.lo) + " ";
    if (++count_ > limit_ || !visited_.insert(std::move(key)).second) return;
    look_for_race(s);
    bool any = false;
    for (std::size_t t = 0; t < s.threads(); ++t) {
      if (s.enabled(t) && !is_access(s.pending(t).kind)) return take(s, steps, t);
    }
    for (std::size_t t = 0; t < s.threads(); ++t) {
      if (!s.enabled(t)) continue;
      any = true;
      take(s, steps, t);
    }
    if (!any) s.end_among(functions_).insert(joined(steps));
  }

  // Two threads stand before conflicting accesses, one of them plain.
  void look_for_race(const Interleaved& s) {
    for (std::size_t t = 0; t < s.threads(); ++t) {
      for (std::size_t u = 0; u < t; ++u) {
        if (!s.created(t) || !s.created(u)) continue;
        const Action a = s.pending(t);
        const Action b = s.pending(u);
        if (!is_access(a.kind) || !is_access(b.kind) || a.addr != b.addr) continue;
        if (a.mode != Mode::na && b.mode != Mode::na) continue;
        if (writes_now(s, t) || writes_now(s, u)) functions_.race = true;
      }
    }
  }

  static bool writes_now(const Interleaved& s, std::size_t t) {
    const Action a = s.pending(t);
    return s.enabled(t) && writes({t, a, s.value(a.addr)});
  }

  void take(const Interleaved& s, const std::vector<std::string>& steps, std::size_t t) {
    const Action a = s.pending(t);
    const uint64_t results = a.kind == ActionKind::choose ? a.bound : 1;
    for (uint64_t r = 0; r < results; ++r) {
      Interleaved next = s;
      std::vector<std::string> longer = steps;
      add_step(longer, next.step(t, r));
      visit(next, longer);
    }
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
    std::vector<std::string> steps(script_.threads.size());
    for (const Done& d : steps_of(g, script_, wrong)) add_step(steps, d);
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
    std::set<std::string> lines;
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
      lines.insert(std::move(line));
    }
    std::string text;
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

}  // namespace

std::optional<ValueFunctions> enumerate_values(const Script& script, uint64_t limit) {
  return ValueEnumeration(script, limit).run();
}

std::optional<std::string> rvf_disagreement(const Script& script, uint64_t limit, RvfTally* tally) {
  const std::optional<ValueFunctions> wanted = enumerate_values(script, 25 * limit);
  if (!wanted) return std::nullopt;
  ScriptMachine machine(script);
  ValueCollector collector(script);
  Request request = sc_request(Algorithm::rvf);
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

  request = sc_request(Algorithm::rvf);
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
