#include "differential/compare.hpp"

#include <algorithm>

#include "differential/brute_force.hpp"
#include "differential/collect.hpp"
#include "differential/weak.hpp"

namespace heddle::differential {
namespace {

bool has_plain(const Script& s) {
  for (const auto& code : s.threads) {
    for (const Instruction& i : code) {
      if ((i.op == ScriptOp::load || i.op == ScriptOp::store) && i.mode == Mode::na) return true;
    }
  }
  return false;
}

bool found(const Result& r, std::initializer_list<ErrorKind> kinds) {
  return std::any_of(r.findings.begin(), r.findings.end(), [&](const Finding& f) {
    return std::find(kinds.begin(), kinds.end(), f.error.kind) != kinds.end();
  });
}

class Comparison {
 public:
  Comparison(const Reference& reference, const Explored& explored) : reference_(reference), explored_(explored) {}

  // `exhaustive`: no error ended the exploration of a part early.
  std::string run(bool exhaustive, bool race) {
    executions("complete", explored_.complete, reference_.complete, exhaustive);
    executions("blocked", explored_.blocked, reference_.blocked, false);
    finding("failed assertion", {ErrorKind::assertion}, reference_.error, !race);
    finding("race", {ErrorKind::race}, race, !reference_.error);
    finding("deadlock", {ErrorKind::deadlock, ErrorKind::livelock}, reference_.deadlock, exhaustive);
    const Result& r = explored_.result;
    if (reference_.error && race && !found(r, {ErrorKind::assertion, ErrorKind::race})) text_ += "missing error\n";
    if (r.executions != total(explored_.complete)) text_ += "the count of executions is wrong\n";
    if (r.blocked != total(explored_.blocked)) text_ += "the count of blocked executions is wrong\n";
    if (r.duplicates != 0) text_ += "the explorer counts duplicates\n";
    if (r.verdict != (r.findings.empty() ? Verdict::verified : Verdict::error)) text_ += "the verdict is wrong\n";
    return std::move(text_);
  }

 private:
  static uint64_t total(const std::map<std::string, unsigned>& counts) {
    uint64_t n = 0;
    for (const auto& [form, times] : counts) n += times;
    return n;
  }

  void executions(const char* kind, const std::map<std::string, unsigned>& explored,
                  const std::set<std::string>& wanted, bool all) {
    for (const auto& [form, times] : explored) {
      if (!wanted.contains(form)) text_ += std::string("wrong ") + kind + ": " + form + "\n";
      if (times > 1) text_ += "explored " + std::to_string(times) + " times, " + kind + ": " + form + "\n";
    }
    if (!all) return;
    for (const std::string& form : wanted) {
      if (!explored.contains(form)) text_ += std::string("missing ") + kind + ": " + form + "\n";
    }
  }

  void finding(const char* what, std::initializer_list<ErrorKind> kinds, bool wanted, bool required) {
    const bool reported = found(explored_.result, kinds);
    if (reported && !wanted) text_ += std::string("wrong ") + what + "\n";
    if (!reported && wanted && required) text_ += std::string("missing ") + what + "\n";
  }

  const Reference& reference_;
  const Explored& explored_;
  std::string text_;
};

}  // namespace

std::optional<Reference> reference(const Script& script, axioms::Model model, uint64_t limit) {
  Reference r;
  const bool plain = has_plain(script);
  const bool all = brute_force(script, model, limit, [&](const Full& f) {
    if (f.ending == Ending::complete) r.complete.insert(axioms::canonical(f.execution, has_co(model)));
    if (f.ending == Ending::blocked) r.blocked.insert(axioms::canonical(f.execution, has_co(model)));
    r.error |= f.ending == Ending::error;
    r.deadlock |= f.deadlock;
    r.race |= plain && !empty(axioms::races(model, f.execution));
  });
  if (!all) return std::nullopt;
  return r;
}

std::string disagreement(const Script& script, axioms::Model model, const Reference& r) {
  ExploreOptions options;
  options.keep_going = true;
  options.races_ignore = true;
  std::string text = Comparison(r, collect(script, model, options)).run(!r.error, false);
  if (text.empty() && has_plain(script)) {
    options.races_ignore = false;
    text = Comparison(r, collect(script, model, options)).run(!r.error && !r.race, r.race);
    if (!text.empty()) text = "with --races report:\n" + text;
  }
  return text;
}

std::optional<std::string> disagreement(const Script& script, axioms::Model model, uint64_t limit) {
  if (!has_co(model)) return weak_disagreement(script, limit);
  const std::optional<Reference> r = reference(script, model, limit);
  if (!r) return std::nullopt;
  return disagreement(script, model, *r);
}

}  // namespace heddle::differential
