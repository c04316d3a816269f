#include "differential/crowds.hpp"

#include <algorithm>
#include <random>

#include "differential/collect.hpp"

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
    return s;
  }

 private:
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

Explored explored(const Script& script, Algorithm algorithm, ModelKind model, uint64_t limit) {
  Request request;
  request.algorithm = algorithm;
  request.model = model;
  request.keep_going = true;
  request.races_ignore = true;
  request.max_executions = limit;
  request.await.commute = false;
  return collect(script, request);
}

}  // namespace

Script generate_crowd(uint64_t seed) { return Crowd(seed).run(); }

std::optional<std::string> crowd_disagreement(const Script& script, ModelKind model, uint64_t limit,
                                              CrowdTally* tally) {
  const Explored spore = explored(script, Algorithm::spore, model, limit);
  if (!spore.result.limits.empty()) return std::nullopt;
  std::string text;
  for (const auto& [form, times] : spore.complete) {
    if (times > 1) text += "spore has explored this " + std::to_string(times) + " times:\n" + form + "\n";
  }
  const bool deadlock = !spore.result.findings.empty();
  if (model == ModelKind::sc || model == ModelKind::rc11) {
    const Algorithm algorithm = model == ModelKind::sc ? Algorithm::await : Algorithm::rcmc;
    const Explored other = explored(script, algorithm, model, limit);
    if (!other.result.limits.empty()) return std::nullopt;
    for (const auto& [form, times] : spore.complete) {
      if (!other.complete.contains(form)) text += "only spore has explored this:\n" + form + "\n";
    }
    for (const auto& [form, times] : other.complete) {
      if (!spore.complete.contains(form)) text += "spore has not explored this:\n" + form + "\n";
    }
    if (deadlock == other.result.findings.empty()) text += "only one of them has found a deadlock\n";
  }
  if (tally != nullptr) *tally = {spore.result.executions, deadlock};
  return text;
}

}  // namespace heddle::differential
