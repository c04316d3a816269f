#include "differential/interleavings.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "differential/collect.hpp"
#include "differential/compare.hpp"

namespace heddle::differential {
namespace {

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
    const bool has_value =
        is_read(d.action.kind) || d.action.kind == ActionKind::arrive || d.action.kind == ActionKind::choose;
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

class Enumeration {
 public:
  Enumeration(const Script& script, bool commute, uint64_t limit) : script_(script), commute_(commute), limit_(limit) {}

  std::optional<Forms> run() {
    visit(Interleaved(script_), {});
    if (count_ > limit_) return std::nullopt;
    return std::move(classes_);
  }

 private:
  void visit(const Interleaved& s, const std::vector<Done>& steps) {
    std::string form = class_of(steps, commute_);
    if (++count_ > limit_ || !visited_.insert(form).second) return;
    std::vector<std::size_t> able;
    for (std::size_t t = 0; t < s.threads(); ++t) {
      if (!s.enabled(t)) continue;
      // What is no access concerns nobody else: it may as well come at once.
      if (!is_access(s.pending(t).kind)) return take(s, steps, t);
      able.push_back(t);
    }
    if (able.empty()) s.end_among(classes_).insert(std::move(form));
    for (const std::size_t t : able) take(s, steps, t);
  }

  void take(const Interleaved& s, const std::vector<Done>& steps, std::size_t t) {
    const Action a = s.pending(t);
    const uint64_t results = a.kind == ActionKind::choose ? a.bound : 1;
    for (uint64_t r = 0; r < results; ++r) {
      Interleaved next = s;
      std::vector<Done> longer = steps;
      longer.push_back(next.step(t, r));
      visit(next, longer);
    }
  }

  const Script& script_;
  bool commute_;
  uint64_t limit_;
  uint64_t count_ = 0;
  std::set<std::string> visited_;
  Forms classes_;
};

// The classes of the interleavings that the explorer shows.
class Collector : public Observer {
 public:
  Collector(const Script& script, bool commute) : script_(script), commute_(commute) {}

  void execution(const Graph& g, Machine&, bool complete) override {
    const std::vector<Done> steps = steps_of(g, script_, wrong);
    ++(complete ? this->complete : blocked)[class_of(steps, commute_)];
  }

  std::map<std::string, unsigned> complete, blocked;
  std::string wrong;

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

std::string compare_classes(const Script& script, const Forms& classes, bool commute) {
  ScriptMachine machine(script);
  Collector collector(script, commute);
  Request request = sc_request(Algorithm::await);
  request.observer = &collector;
  request.await.commute = commute;
  const Result result = explore(machine, request);
  std::string text = collector.wrong;
  compare("complete", collector.complete, classes.complete, true, text);
  compare("blocked", collector.blocked, classes.blocked, true, text);
  if (has_found(result, {ErrorKind::assertion}) != !classes.errors.empty())
    text += "wrong or missing assertion failure\n";
  if (has_found(result, {ErrorKind::deadlock, ErrorKind::livelock}) != !classes.deadlocks.empty())
    text += "wrong or missing deadlock\n";
  // Errors are not shown one by one: the limit must be hit if it is one less than there are classes.
  request.observer = nullptr;
  for (const uint64_t less : {0, 1}) {
    request.max_executions = classes.size() - less;
    const bool hit = !saw_all(explore(machine, request));
    if (request.max_executions != 0 && hit != (less == 1)) text += "the number of interleavings is wrong\n";
  }
  if (!text.empty()) text = std::string(commute ? "with" : "without") + " commuting rmws:\n" + text;
  return text;
}

constexpr uint64_t kMany = 20'000;

Result explored(const Script& script, Algorithm algorithm, bool commute, bool races_ignore) {
  ScriptMachine machine(script);
  Request request = sc_request(algorithm);
  request.races_ignore = races_ignore;
  request.await.commute = commute;
  request.max_executions = kMany;
  return explore(machine, request);
}

std::optional<std::string> compare_with_spore(const Script& script) {
  const Result by_spore = explored(script, Algorithm::spore, true, true);
  const Result by_await = explored(script, Algorithm::await, false, true);
  const Result commuting = explored(script, Algorithm::await, true, true);
  if (!saw_all(by_spore) || !saw_all(by_await) || !saw_all(commuting)) return std::nullopt;
  std::string text;
  const bool error = has_found(by_spore, {ErrorKind::assertion});
  if (!error && by_spore.executions != by_await.executions) {
    text += "spore counts " + std::to_string(by_spore.executions) + " executions, await " +
            std::to_string(by_await.executions) + "\n";
  }
  if (commuting.executions > by_await.executions) text += "more executions where rmws commute\n";
  for (const Result* r : {&by_await, &commuting}) {
    const auto stuck = {ErrorKind::deadlock, ErrorKind::livelock};
    if (has_found(*r, {ErrorKind::assertion}) != error) text += "spore and await disagree about an assertion\n";
    if (!error && has_found(*r, stuck) != has_found(by_spore, stuck))
      text += "spore and await disagree about a deadlock\n";
  }
  return text;
}

}  // namespace

std::optional<Forms> enumerate_classes(const Script& script, bool commute, uint64_t limit) {
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
  const std::optional<Forms> plain = axioms ? enumerate_classes(script, false, 25 * limit) : std::nullopt;
  const std::optional<Forms> commuting = plain ? enumerate_classes(script, true, 25 * limit) : std::nullopt;
  if (!commuting) return compare_with_spore(script);
  std::string text = disagreement(script, ModelKind::sc, *axioms, Algorithm::await);
  if (axioms->crowded) return text;
  text += compare_classes(script, *plain, false);
  text += compare_classes(script, *commuting, true);
  text += compare_with_spore(script).value_or("");
  const bool race = has_found(explored(script, Algorithm::await, true, false), {ErrorKind::race});
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
