#include "differential/helping.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "differential/brute_force.hpp"
#include "differential/collect.hpp"
#include "differential/shrink.hpp"
#include "differential/symmetric.hpp"

namespace heddle::differential {
namespace {

using Code = std::vector<Instruction>;

constexpr uint8_t kScratch = kScriptRegisters - 1;

class HelpingGenerator {
 public:
  explicit HelpingGenerator(uint64_t seed) : random_(seed) {}

  // x: what the cas is on; y: how the helped operation is announced; z: anything.
  Script run() {
    script_.locations = {{"x", 0, false}, {"y", 0, false}, {"z", 0, false}};
    script_.threads.resize(1);
    expected_ = below(2);
    desired_ = expected_ + 1;
    mode_ = chance(3) ? Mode::sc : Mode::acqrel;
    fail_mode_ = chance(6) ? Mode::rlx : mode_ == Mode::sc ? Mode::sc : Mode::acq;
    main_thread();
    for (unsigned n = 1 + below(2); n-- > 0;) helper();
    if (script_.threads.size() == 4 && chance(2)) script_.threads[3] = script_.threads[2];
    if (chance(2)) bystander();
    for (std::size_t t = 1; t < script_.threads.size(); ++t) lifetime(ScriptOp::create, t);
    for (std::size_t t = 1; t < script_.threads.size(); ++t) lifetime(ScriptOp::join, t);
    if (chance(2)) {
      add(script_.threads[0], load(0, chance(2) ? Mode::rlx : Mode::acq));
      add(script_.threads[0], check(script_.threads[0].back().reg));
    }
    return std::move(script_);
  }

 private:
  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  bool chance(unsigned n) { return below(n) == 0; }

  static void add(Code& code, const Instruction& i) { code.push_back(i); }

  void lifetime(ScriptOp op, std::size_t t) {
    Instruction i;
    i.op = op;
    i.thread = static_cast<uint8_t>(t);
    add(script_.threads[0], i);
  }

  Instruction load(uint8_t location, Mode mode) {
    Instruction i;
    i.op = ScriptOp::load;
    i.location = location;
    i.mode = mode;
    i.reg = static_cast<uint8_t>(below(4));
    return i;
  }
  Instruction store(uint8_t location, Mode mode, uint64_t value) {
    Instruction i;
    i.op = ScriptOp::store;
    i.location = location;
    i.mode = mode;
    i.operand.constant = value;
    return i;
  }
  Instruction rmw(uint8_t location, Mode mode, RmwOp op, uint64_t value) {
    Instruction i = store(location, mode, value);
    i.op = ScriptOp::rmw;
    i.rmw = op;
    i.reg = static_cast<uint8_t>(4 + below(2));
    return i;
  }
  Instruction cas_like(ScriptOp op) {
    Instruction i = store(0, mode_, desired_);
    i.op = op;
    i.constant = expected_;
    i.fail_mode = fail_mode_;
    if (op == ScriptOp::cas) i.reg = 6;
    return i;
  }
  Instruction check(uint8_t reg) {
    Instruction i;
    i.op = ScriptOp::check;
    i.reg = reg;
    i.equal = chance(3);
    i.constant = below(3);
    return i;
  }
  Instruction skip_unless(uint8_t reg, uint64_t value, unsigned length) {
    Instruction i;
    i.op = ScriptOp::skip;
    i.reg = reg;
    i.equal = false;
    i.constant = value;
    i.length = static_cast<uint16_t>(length);
    return i;
  }
  Mode order(Mode strong) { return chance(6) ? Mode::rlx : chance(4) ? Mode::sc : strong; }

  // Something else, at times.
  void noise(Code& code) {
    if (!chance(3)) return;
    switch (below(4)) {
      case 0: add(code, load(static_cast<uint8_t>(below(3)), order(Mode::acq))); break;
      case 1: add(code, store(2, order(Mode::rel), 1 + below(2))); break;
      case 2: add(code, rmw(chance(4) ? 0 : 2, Mode::acqrel, RmwOp::add, 1 + below(2))); break;
      default: {
        add(code, load(2, order(Mode::acq)));
        add(code, check(code.back().reg));
      }
    }
  }

  void main_thread() {
    Code code;
    noise(code);
    if (expected_ != 0) {
      add(code, chance(4) ? store(0, order(Mode::rel), expected_) : rmw(0, Mode::acqrel, RmwOp::xchg, expected_));
    } else if (!chance(6)) {
      add(code, load(0, order(Mode::acq)));
      const uint8_t reg = code.back().reg;
      Instruction only = check(reg);
      only.op = ScriptOp::assume;
      only.equal = true;
      only.constant = expected_;
      if (!chance(4)) add(code, only);
    }
    noise(code);
    add(code, chance(3) ? rmw(1, Mode::acqrel, RmwOp::xchg, 1) : store(1, order(Mode::rel), 1));
    if (chance(8)) noise(code);
    add(code, cas_like(ScriptOp::mark));
    add(code, cas_like(ScriptOp::cas));
    noise(code);
    script_.threads.push_back(std::move(code));
  }

  void helper() {
    Code code;
    noise(code);
    add(code, load(1, order(Mode::acq)));
    const uint8_t seen = code.back().reg;
    Code rest;
    add(rest, cas_like(ScriptOp::help));
    noise(rest);
    if (chance(2)) add(rest, load(static_cast<uint8_t>(below(3)), order(Mode::acq)));
    if (rest.back().op == ScriptOp::load && chance(2)) add(rest, check(rest.back().reg));
    if (!chance(6)) add(code, skip_unless(seen, 1, static_cast<unsigned>(rest.size())));
    code.insert(code.end(), rest.begin(), rest.end());
    script_.threads.push_back(std::move(code));
  }

  void bystander() {
    Code code;
    add(code, load(0, order(Mode::acq)));
    const uint8_t seen = code.back().reg;
    if (chance(2)) add(code, load(static_cast<uint8_t>(1 + below(2)), order(Mode::acq)));
    if (chance(2)) {
      add(code, check(code.back().reg));
      code.insert(code.end() - 1, skip_unless(seen, desired_, 1));
    }
    if (chance(3)) add(code, rmw(0, Mode::acqrel, RmwOp::add, 1 + below(2)));
    if (chance(6)) add(code, store(0, Mode::rel, below(3)));
    script_.threads.push_back(std::move(code));
  }

  std::mt19937_64 random_;
  Script script_;
  uint64_t expected_ = 0;
  uint64_t desired_ = 0;
  Mode mode_ = Mode::acqrel;
  Mode fail_mode_ = Mode::acq;
};

bool found(const Result& r, ErrorKind kind) {
  return std::any_of(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.error.kind == kind; });
}

// With symmetry too: the error is not lost, and of what is explored without symmetry each class is explored once.
std::string disagreement_of_twins(const Script& script, const Request& request, bool error) {
  std::map<std::string, unsigned> classes;
  const Result r = collect(
                       script, request,
                       [&](const Full& f) {
                         if (f.ending == Ending::complete) ++classes[symmetric_form(script, f.execution)];
                       },
                       true)
                       .result;
  if (found(r, ErrorKind::symmetry) || found(r, ErrorKind::annotation)) return "";
  if (error && !found(r, ErrorKind::assertion)) return "missing error with symmetry\n";
  std::set<std::string> wanted;
  const Result all = collect(script, request, [&](const Full& f) {
                       if (f.ending == Ending::complete) wanted.insert(symmetric_form(script, f.execution));
                     }).result;
  if (!all.findings.empty() || !r.findings.empty()) return "";
  std::string text;
  for (const auto& [form, times] : classes) {
    if (times > 1) text += "explored twice: " + form + "\n";
    if (!wanted.contains(form)) text += "wrong: " + form + "\n";
  }
  if (classes.size() < wanted.size()) text += "a class is missing\n";
  return text;
}

}  // namespace

Script generate_helping(uint64_t seed) { return HelpingGenerator(seed).run(); }

Script without_annotations(const Script& script) {
  Script plain = script;
  for (Code& code : plain.threads) {
    for (std::size_t pc = code.size(); pc-- > 0;) {
      if (code[pc].op == ScriptOp::mark) erase_instruction(code, pc);
      if (pc < code.size() && code[pc].op == ScriptOp::help) {
        code[pc].op = ScriptOp::cas;
        code[pc].reg = kScratch;
      }
    }
  }
  return plain;
}

std::optional<std::string> helping_disagreement(const Script& script, axioms::Model model, uint64_t limit,
                                                HelpingTally* tally) {
  bool error = false;
  if (!brute_force(without_annotations(script), model, limit,
                   [&](const Full& f) { error |= f.ending == Ending::error; })) {
    return std::nullopt;
  }
  Request request;
  request.model = model;
  request.keep_going = true;
  request.races_ignore = true;
  const Result r = collect(script, request).result;
  const bool refused = found(r, ErrorKind::annotation);
  if (tally != nullptr) *tally = {error, refused};
  if (error && !refused && !found(r, ErrorKind::assertion)) return "missing error\n";
  return disagreement_of_twins(script, request, error);
}

}  // namespace heddle::differential
