#include "differential/shrink.hpp"

#include <algorithm>

namespace heddle::differential {
namespace {

using Code = std::vector<Instruction>;

// Leaves out a thread that creates no other, with its create and join.
bool remove_thread(Script& s, std::size_t t) {
  for (const Instruction& i : s.threads[t]) {
    if (i.op == ScriptOp::create) return false;
  }
  s.threads.erase(s.threads.begin() + static_cast<std::ptrdiff_t>(t));
  for (Code& code : s.threads) {
    for (std::size_t pc = code.size(); pc-- > 0;) {
      if (code[pc].op != ScriptOp::create && code[pc].op != ScriptOp::join) continue;
      if (code[pc].thread == t) {
        erase_instruction(code, pc);
      } else if (code[pc].thread > t) {
        --code[pc].thread;
      }
    }
  }
  return true;
}

bool remove_unused_location(Script& s, std::size_t l) {
  for (Code& code : s.threads) {
    for (Instruction& i : code) {
      if (!uses_location(i.op)) continue;
      if (i.location == l) return false;
      if (i.location > l) --i.location;
    }
  }
  s.locations.erase(s.locations.begin() + static_cast<std::ptrdiff_t>(l));
  return true;
}

// Each kind of simplification of an instruction, applied to a copy; unchanged where it does not apply.
using Simplification = void (*)(Instruction&);

void make_access_plainer(Instruction& i, Mode mode) {
  if (uses_location(i.op) && i.mode > mode) i.mode = mode;
}

constexpr Simplification kSimplifications[] = {
    [](Instruction& i) { make_access_plainer(i, Mode::rlx); },
    [](Instruction& i) { make_access_plainer(i, Mode::acq); },
    [](Instruction& i) { make_access_plainer(i, Mode::rel); },
    [](Instruction& i) { make_access_plainer(i, Mode::acqrel); },
    [](Instruction& i) {
      if (i.mode == Mode::na) i.mode = Mode::rlx;
    },
    [](Instruction& i) {
      if (i.op == ScriptOp::fence) i.mode = Mode::acq;
    },
    [](Instruction& i) {
      if (i.op == ScriptOp::fence && i.mode > Mode::rel) i.mode = Mode::rel;
    },
    [](Instruction& i) { i.fail_mode = Mode::rlx; },
    [](Instruction& i) {
      i.await = Await::none;
      i.assumed = false;
    },
    [](Instruction& i) { i.assumed = false; },
    [](Instruction& i) {
      if (i.op == ScriptOp::rmw) i.rmw = RmwOp::xchg;
    },
    [](Instruction& i) {
      if (i.op == ScriptOp::rmw || i.op == ScriptOp::cas) i.op = ScriptOp::load;
    },
    [](Instruction& i) {
      if (i.op == ScriptOp::rmw || i.op == ScriptOp::cas) i.op = ScriptOp::store;
    },
    [](Instruction& i) {
      if (i.op == ScriptOp::cas) i.op = ScriptOp::rmw;
    },
    [](Instruction& i) {
      if (i.op == ScriptOp::trylock) i.op = ScriptOp::lock;
    },
    [](Instruction& i) { i.operand = {-1, 1}; },
    [](Instruction& i) { i.operand.constant = 0; },
    [](Instruction& i) { i.second_reg = -1; },
    [](Instruction& i) { i.calculation = Calculation::add; },
    [](Instruction& i) { i.constant = i.op == ScriptOp::choose ? 2 : 0; },
    [](Instruction& i) { i.equal = true; },
    [](Instruction& i) { i.reg = 0; },
    [](Instruction& i) {
      if (uses_location(i.op)) i.location = 0;
    },
};

// Loads and stores are simpler than rmws, weak modes than strong ones, constants than registers.
unsigned complexity(const Instruction& i) {
  const unsigned op = i.op == ScriptOp::cas ? 6 : i.op == ScriptOp::rmw ? 4 : i.op == ScriptOp::trylock ? 2 : 1;
  unsigned n = 20 + 2 * op;
  n += i.mode == Mode::na ? 6 : static_cast<unsigned>(i.mode);
  n += static_cast<unsigned>(i.fail_mode) + static_cast<unsigned>(i.rmw) + (i.await != Await::none ? 3 : 0) +
       (i.assumed ? 1 : 0);
  n += (i.second_reg >= 0 ? 3 : 0) + static_cast<unsigned>(i.calculation);
  n += (i.equal ? 0 : 1) + i.reg + i.location + static_cast<unsigned>(std::min<uint64_t>(i.constant, 9));
  if (i.operand.reg >= 0) return n + 3 + static_cast<unsigned>(std::min<uint64_t>(i.operand.constant, 9));
  // A store of 1 says more than one of 0, which is what is there.
  return n + (i.operand.constant == 1 ? 0 : 1 + static_cast<unsigned>(std::min<uint64_t>(i.operand.constant, 9)));
}

unsigned complexity(const Script& s) {
  unsigned n = 0;
  for (const ScriptLocation& l : s.locations) n += 10 + (l.initial != 0 ? 1 : 0);
  for (const Code& code : s.threads) {
    n += 30;
    for (const Instruction& i : code) n += complexity(i);
  }
  return n;
}

class Shrinker {
 public:
  Shrinker(Script script, const std::function<bool(const Script&)>& holds) : best_(std::move(script)), holds_(holds) {}

  Script run() {
    do progress_ = false, pass();
    while (progress_);
    return std::move(best_);
  }

 private:
  // Keeps a changed script if it is valid, simpler, and still what is looked for.
  bool keep(Script&& s) {
    if (complexity(s) >= complexity(best_) || !problem(s).empty() || !holds_(s)) return false;
    best_ = std::move(s);
    return progress_ = true;
  }

  void pass() {
    for (std::size_t t = best_.threads.size(); t-- > 1;) {
      Script s = best_;
      if (remove_thread(s, t)) keep(std::move(s));
    }
    for (std::size_t t = 0; t < best_.threads.size(); ++t) {
      for (std::size_t pc = best_.threads[t].size(); pc-- > 0;) {
        if (!remove_instruction(t, pc)) simplify(t, pc);
      }
    }
    for (std::size_t l = best_.locations.size(); l-- > 0;) {
      Script s = best_;
      s.locations[l].initial = 0;
      keep(std::move(s));
      s = best_;
      if (remove_unused_location(s, l)) keep(std::move(s));
    }
  }

  bool remove_instruction(std::size_t t, std::size_t pc) {
    Script s = best_;
    erase_instruction(s.threads[t], pc);
    return keep(std::move(s));
  }

  void simplify(std::size_t t, std::size_t pc) {
    for (const Simplification f : kSimplifications) {
      Script s = best_;
      f(s.threads[t][pc]);
      keep(std::move(s));
    }
  }

  Script best_;
  const std::function<bool(const Script&)>& holds_;
  bool progress_ = false;
};

}  // namespace

void insert_instruction(Code& code, std::size_t at, const Instruction& i) {
  for (std::size_t pc = 0; pc < at; ++pc) {
    if (code[pc].op == ScriptOp::skip && pc + code[pc].length >= at) ++code[pc].length;
  }
  code.insert(code.begin() + static_cast<std::ptrdiff_t>(at), i);
}

void erase_instruction(Code& code, std::size_t at) {
  for (std::size_t pc = 0; pc < at; ++pc) {
    if (code[pc].op == ScriptOp::skip && pc + code[pc].length >= at) --code[pc].length;
  }
  code.erase(code.begin() + static_cast<std::ptrdiff_t>(at));
}

Script shrink(Script script, const std::function<bool(const Script&)>& holds) {
  return Shrinker(std::move(script), holds).run();
}

}  // namespace heddle::differential
