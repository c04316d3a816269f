#include "differential/compare.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "differential/brute_force.hpp"
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

// Whether rcmc may explore an execution more than once.
bool may_repeat(const Script& s) {
  for (const auto& code : s.threads) {
    for (const Instruction& i : code) {
      if (is_sc(i.mode) || is_sc(i.fail_mode)) return true;
      if (i.op == ScriptOp::rmw || i.op == ScriptOp::cas || i.op == ScriptOp::lock || i.op == ScriptOp::trylock) {
        return true;
      }
    }
  }
  return false;
}

// The same question as Full::deadlock, for WRC11: whatever total order of the writes extends co_weak, each thread that
// waits would read a value that does not let it go on, and it does read a write that may be the last.
bool weak_deadlock(const Script& script, const Full& f) {
  if (f.ending != Ending::blocked) return false;
  const axioms::Relations x(f.execution);
  const axioms::Relation co = axioms::weak_co(x, axioms::hb(x));
  const auto& events = f.execution.events;
  std::vector<std::size_t> last(f.threads.size(), events.size());
  std::vector<bool> created(f.threads.size());
  created[0] = true;
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (events[e].type == axioms::Type::init) continue;
    const auto t = static_cast<std::size_t>(events[e].thread);
    if (last[t] == events.size() || events[last[t]].index < events[e].index) last[t] = e;
    if (events[e].type == axioms::Type::create) created[static_cast<std::size_t>(events[e].child)] = true;
  }
  for (std::size_t t = 0; t < f.threads.size(); ++t) {
    if (!created[t]) continue;
    const Action a = script_action(script, ThreadId(t), f.threads[t]);
    if (a.kind == ActionKind::block || a.assumed) return false;
    if (!is_read(a.kind)) continue;
    const auto read = static_cast<std::size_t>(events[last[t]].rf);
    for (std::size_t w = 0; w < events.size(); ++w) {
      if (!x.W[w] || events[w].location != a.addr || w == read) continue;
      if (co(read, w) || (satisfied(a, events[w].value) && !co(w, read))) return false;
    }
  }
  return true;
}

bool found(const Result& r, std::initializer_list<ErrorKind> kinds) {
  return std::any_of(r.findings.begin(), r.findings.end(), [&](const Finding& f) {
    return std::find(kinds.begin(), kinds.end(), f.error.kind) != kinds.end();
  });
}

uint64_t total(const std::map<std::string, unsigned>& counts) {
  uint64_t n = 0;
  for (const auto& [form, times] : counts) n += times;
  return n;
}

class Comparison {
 public:
  Comparison(const Reference& reference, const Explored& explored, bool may_repeat)
      : reference_(reference), explored_(explored), may_repeat_(may_repeat) {}

  // `exhaustive`: no error ended the exploration of a part early.
  std::string run(bool exhaustive, bool race) {
    executions("complete", explored_.complete, reference_.complete, exhaustive, may_repeat_);
    // spore may reach one that waits by several ways, and graphs in which a read waits that could go on.
    executions("blocked", explored_.blocked, reference_.blocked, false, true);
    finding("failed assertion", {ErrorKind::assertion}, reference_.error, !race);
    finding("race", {ErrorKind::race}, race, !reference_.error);
    finding("deadlock", {ErrorKind::deadlock, ErrorKind::livelock}, reference_.deadlock, exhaustive);
    const Result& r = explored_.result;
    if (reference_.error && race && !found(r, {ErrorKind::assertion, ErrorKind::race})) text_ += "missing error\n";
    if (r.executions != total(explored_.complete)) text_ += "the count of executions is wrong\n";
    if (r.blocked < total(explored_.blocked)) text_ += "the count of blocked executions is wrong\n";
    if (r.duplicates != 0) text_ += "the explorer counts duplicates\n";
    const Verdict without_errors = r.executions != 0 ? Verdict::verified : Verdict::incomplete;
    if (r.verdict != (r.findings.empty() ? without_errors : Verdict::error)) text_ += "the verdict is wrong\n";
    return std::move(text_);
  }

 private:
  void executions(const char* kind, const std::map<std::string, unsigned>& explored,
                  const std::set<std::string>& wanted, bool all, bool may_repeat) {
    for (const auto& [form, times] : explored) {
      if (!wanted.contains(form)) text_ += std::string("wrong ") + kind + ": " + form + "\n";
      if (times > 1 && !may_repeat)
        text_ += "explored " + std::to_string(times) + " times, " + kind + ": " + form + "\n";
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
  bool may_repeat_;
  std::string text_;
};

}  // namespace

std::optional<Reference> reference(const Script& script, axioms::Model model, uint64_t limit) {
  Reference r;
  const bool plain = has_plain(script);
  const bool all = brute_force(script, model, limit, [&](const Full& f) {
    if (f.ending == Ending::complete && confirmed(script, f.execution))
      r.complete.insert(axioms::canonical(f.execution, has_co(model)));
    if (f.ending == Ending::blocked) r.blocked.insert(axioms::canonical(f.execution, has_co(model)));
    r.crowded |= f.ending == Ending::crowded;
    r.error |= f.ending == Ending::error;
    if (f.ending == Ending::crowded) return;
    r.deadlock |= has_co(model) ? f.deadlock : weak_deadlock(script, f);
    r.race |= plain && !empty(axioms::races(model, f.execution));
  });
  if (!all) return std::nullopt;
  return r;
}

namespace {

std::string difference(const Script& script, axioms::Model model, const Reference& r, Algorithm algorithm);

}  // namespace

// An exploration is given up where more arrive than there are places, or at an error that comes before.
std::string disagreement(const Script& script, axioms::Model model, const Reference& r, Algorithm algorithm) {
  try {
    std::string text = difference(script, model, r, algorithm);
    return r.crowded && !r.error && !r.race ? "a crowd was not seen\n" : r.crowded ? "" : text;
  } catch (const UserError& e) {
    return r.crowded ? "" : e.what() + std::string("\n");
  }
}

namespace {

std::string difference(const Script& script, axioms::Model model, const Reference& r, Algorithm algorithm) {
  Request request;
  request.algorithm = algorithm;
  request.model = model;
  request.keep_going = true;
  request.races_ignore = true;
  request.await.commute = false;  // the axioms know of no such thing
  const bool repeats = algorithm == Algorithm::rcmc && may_repeat(script);
  // More executions are explored then, those that psc forbids, but the errors are the same.
  const auto without_psc = [&](bool exhaustive, bool race) {
    request.rcmc.psc = false;
    Explored explored = collect(script, request);
    request.rcmc.psc = true;
    for (auto [forms, wanted] :
         {std::pair(&explored.complete, &r.complete), std::pair(&explored.blocked, &r.blocked)}) {
      std::erase_if(*forms, [&](const auto& form) { return !wanted->contains(form.first); });
    }
    explored.result.executions = total(explored.complete);
    explored.result.blocked = total(explored.blocked);
    return Comparison(r, explored, repeats).run(exhaustive, race);
  };
  const auto compare = [&](bool exhaustive, bool race) {
    const Explored explored = collect(script, request);
    std::string text = Comparison(r, explored, repeats).run(exhaustive, race);
    if (!text.empty() || !repeats) return text;
    if (const std::string missing = without_psc(exhaustive, race); !missing.empty()) return "without psc:\n" + missing;
    request.rcmc.count_duplicates = true;
    const Result counted = collect(script, request).result;
    request.rcmc.count_duplicates = false;
    if (counted.executions != explored.complete.size() || counted.blocked != explored.blocked.size() ||
        counted.executions + counted.duplicates != explored.result.executions) {
      text = "the count of duplicates is wrong\n";
    }
    return text;
  };
  std::string text = compare(!r.error, false);
  if (text.empty() && has_plain(script)) {
    request.races_ignore = false;
    text = compare(!r.error && !r.race, r.race);
    if (!text.empty()) text = "with --races report:\n" + text;
  }
  return text;
}

}  // namespace

std::optional<std::string> disagreement(const Script& script, axioms::Model model, uint64_t limit,
                                        Algorithm algorithm) {
  if (!has_co(model) && algorithm == Algorithm::spore) return weak_disagreement(script, limit);
  const std::optional<Reference> r = reference(script, model, limit);
  if (!r) return std::nullopt;
  return disagreement(script, model, *r, algorithm);
}

}  // namespace heddle::differential
