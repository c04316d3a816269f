#include "differential/crowds.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "differential/collect.hpp"
#include "differential/symmetric.hpp"
#include "script/twins.hpp"

namespace heddle::differential {
namespace {

class Crowd {
 public:
  explicit Crowd(uint64_t seed) : random_(seed) {}

  Script run() {
    Script s;
    s.locations.push_back({"x", 0, false});
    if (chance(3)) s.locations.push_back({"y", 0, false});
    const unsigned threads = 3 + below(3);
    s.threads.resize(threads + 1);
    for (unsigned t = 1; t <= threads; ++t) s.threads[0].push_back(of_thread(ScriptOp::create, t));
    std::ranges::shuffle(s.threads[0], random_);
    const bool joins = chance(3);
    for (unsigned t = 1; t <= threads; ++t) {
      if (joins && chance(2)) s.threads[0].push_back(of_thread(ScriptOp::join, t));
    }
    const unsigned more = 5 + below(5);
    for (unsigned n = 0; n < threads + more; ++n) {
      const unsigned t = n < threads ? n + 1 : 1 + below(threads);
      s.threads[t].push_back(access(static_cast<unsigned>(s.locations.size())));
    }
    if (chance(2)) copy_threads(s, threads);
    return s;
  }

 private:
  // Two or three that are created one after the other do the same.
  void copy_threads(Script& s, unsigned threads) {
    const unsigned first = below(threads - 1);
    const unsigned last = std::min(first + 1 + below(2), threads - 1);
    const auto& code = s.threads[s.threads[0][first].thread];
    for (unsigned i = first + 1; i <= last; ++i) s.threads[s.threads[0][i].thread] = code;
  }

  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  bool chance(unsigned n) { return below(n) == 0; }

  static Instruction of_thread(ScriptOp op, unsigned t) {
    Instruction i;
    i.op = op;
    i.thread = static_cast<uint8_t>(t);
    return i;
  }

  Instruction access(unsigned locations) {
    constexpr ScriptOp kOps[] = {ScriptOp::store, ScriptOp::store, ScriptOp::load, ScriptOp::load, ScriptOp::load,
                                 ScriptOp::load,  ScriptOp::rmw,   ScriptOp::cas,  ScriptOp::cas};
    Instruction i;
    i.op = kOps[below(9)];
    i.location = static_cast<uint8_t>(below(locations));
    i.mode = i.fail_mode = chance(4) ? Mode::sc : Mode::rlx;
    i.reg = static_cast<uint8_t>(below(3));
    i.rmw = chance(2) ? RmwOp::add : RmwOp::xchg;
    i.operand.constant = below(3);
    if (i.op == ScriptOp::cas) {
      if (chance(2))
        i.second_reg = static_cast<int8_t>(below(3));
      else
        i.constant = below(3);
      if (!chance(3)) i.await = Await::equal;
    } else if (i.op != ScriptOp::store && chance(2)) {
      i.await = chance(2) ? Await::equal : Await::not_equal;
      i.constant = below(3);
    }
    i.assumed = i.await != Await::none && chance(4);
    return i;
  }

  std::mt19937_64 random_;
};

Explored explored(const Script& script, Algorithm algorithm, ModelKind model, uint64_t limit,
                  const OnFull& on_full = {}, bool symmetry = false) {
  Request request;
  request.algorithm = algorithm;
  request.model = model;
  request.keep_going = true;
  request.races_ignore = true;
  request.max_executions = limit;
  request.await.commute = false;
  return collect(script, request, on_full, symmetry);
}

// Of the complete executions, which are in `forms` up to the exchange of twins, one of each form is explored.
std::string compare_by_symmetry(const Script& script, ModelKind model, uint64_t limit,
                                const std::set<std::string>& forms, bool deadlock) {
  std::string text;
  std::set<std::string> seen;
  const auto on_full = [&](const Full& f) {
    if (f.ending != Ending::complete) return;
    const std::string form = symmetric_form(script, f.execution);
    if (!seen.insert(form).second) text += "explored twice up to symmetry:\n" + form + "\n";
    if (!forms.contains(form)) text += "with symmetry only:\n" + form + "\n";
  };
  const Explored spore = explored(script, Algorithm::spore, model, limit, on_full, true);
  const auto& findings = spore.result.findings;
  if (std::ranges::any_of(findings, [](const Finding& f) { return f.error.kind == ErrorKind::symmetry; })) return {};
  if (seen.size() != forms.size())
    text += std::to_string(forms.size()) + " executions up to symmetry, explored " + std::to_string(seen.size()) + "\n";
  if (deadlock == findings.empty()) text += "symmetry makes a difference to deadlocks\n";
  return text;
}

bool has_twins(const Script& script) {
  return std::ranges::any_of(script_twins(script), [](ThreadId t) { return t != kNoThread; });
}

}  // namespace

Script generate_crowd(uint64_t seed) { return Crowd(seed).run(); }

std::optional<std::string> crowd_disagreement(const Script& script, ModelKind model, uint64_t limit,
                                              CrowdTally* tally) {
  const bool twins = has_twins(script);
  std::set<std::string> forms;
  const auto on_full = [&](const Full& f) {
    if (twins && f.ending == Ending::complete) forms.insert(symmetric_form(script, f.execution));
  };
  const Explored spore = explored(script, Algorithm::spore, model, limit, on_full);
  if (!saw_all(spore.result)) return std::nullopt;
  std::string text;
  for (const auto& [form, times] : spore.complete) {
    if (times > 1) text += "spore has explored this " + std::to_string(times) + " times:\n" + form + "\n";
  }
  const bool deadlock = !spore.result.findings.empty();
  if (model == ModelKind::sc || model == ModelKind::rc11) {
    const Algorithm algorithm = model == ModelKind::sc ? Algorithm::await : Algorithm::rcmc;
    std::set<std::string> others;
    const Explored other = explored(script, algorithm, model, limit, [&](const Full& f) {
      if (f.ending == Ending::complete && confirmed(script, f.execution)) others.insert(axioms::canonical(f.execution));
    });
    if (!saw_all(other.result)) return std::nullopt;
    for (const auto& [form, times] : spore.complete) {
      if (!others.contains(form)) text += "only spore has explored this:\n" + form + "\n";
    }
    for (const std::string& form : others) {
      if (!spore.complete.contains(form)) text += "spore has not explored this:\n" + form + "\n";
    }
    if (deadlock == other.result.findings.empty()) text += "only one of them has found a deadlock\n";
  }
  if (twins) text += compare_by_symmetry(script, model, limit, forms, deadlock);
  if (tally != nullptr) *tally = {spore.result.executions, deadlock};
  return text;
}

}  // namespace heddle::differential
