#include "machine/script/script.hpp"

#include <algorithm>
#include <optional>

#include "core/assert.hpp"

namespace heddle {
namespace {

using Code = std::vector<Instruction>;

// Has the operands of a cas.
bool is_cas(ScriptOp op) { return op == ScriptOp::cas || op == ScriptOp::mark || op == ScriptOp::help; }

bool holds(const Instruction& i, const ScriptThread& t) { return (t.reg[i.reg] == i.constant) == i.equal; }

Value value_of(const ScriptValue& v, const ScriptThread& t) {
  return {v.constant + (v.reg >= 0 ? t.reg[static_cast<std::size_t>(v.reg)] : 0), 0};
}

// Runs the invisible instructions, up to the next visible one, the end, or a test that stops the thread.
void settle(const Code& code, ScriptThread& t) {
  for (; t.pc < code.size(); ++t.pc) {
    const Instruction& i = code[t.pc];
    if (is_visible(i.op)) return;
    if (i.op == ScriptOp::set) {
      t.reg[i.reg] = calculate(i.calculation, value_of(i.operand, t).lo, value_of(i.second(), t).lo);
    } else if (i.op == ScriptOp::skip) {
      if (holds(i, t)) t.pc += i.length;
    } else if (!holds(i, t)) {
      return;
    }
  }
}

// The mutex operations are those of the native machine: a lock is a cas that waits, its word holds the owner + 1.
void fill_mutex(const Instruction& i, ThreadId t, Action& a) {
  const bool unlock = i.op == ScriptOp::unlock;
  a.kind = unlock ? ActionKind::store : ActionKind::cas;
  a.mode = unlock ? Mode::rel : Mode::acq;
  a.fail_mode = unlock ? Mode::na : Mode::rlx;
  a.await = i.op == ScriptOp::lock ? Await::equal : Await::none;
  a.purpose = unlock ? Purpose::mutex_unlock : i.op == ScriptOp::lock ? Purpose::mutex_lock : Purpose::mutex_trylock;
  a.operand = {unlock ? 0 : index(t) + 1, 0};
}

void fill_meeting(const Script& s, const Instruction& i, const ScriptThread& t, Action& a) {
  a.kind = i.op == ScriptOp::arrive  ? ActionKind::arrive
           : i.op == ScriptOp::leave ? ActionKind::leave
                                     : ActionKind::look;
  a.size = 0;
  a.expected = {s.locations[i.location].places, 0};
  if (i.op == ScriptOp::arrive) a.operand = {i.constant, i.assumed ? i.constant : 0};
  if (i.op == ScriptOp::leave) a.operand = value_of(i.operand, t);
}

void fill_access(const Instruction& i, const ScriptThread& s, Action& a) {
  a.kind = i.op == ScriptOp::load    ? ActionKind::load
           : i.op == ScriptOp::store ? ActionKind::store
           : i.op == ScriptOp::rmw   ? ActionKind::rmw
           : i.op == ScriptOp::cas   ? ActionKind::cas
                                     : ActionKind::help;
  a.helping = i.op == ScriptOp::help;
  a.mode = i.mode;
  a.await = i.await;
  a.assumed = i.assumed;
  if (i.op == ScriptOp::rmw) a.op = i.rmw;
  a.result_unused = i.unused;
  if (is_cas(i.op)) a.fail_mode = i.fail_mode;
  if (is_cas(i.op) || i.await != Await::none) a.expected = value_of(i.second(), s);
  if (i.op != ScriptOp::load) a.operand = value_of(i.operand, s);
}

// Whether the cas at pc expects what the load just before it reads, which asks for no more order, and assumes that.
bool confirms(const Code& code, std::size_t pc) {
  const Instruction& cas = code[pc];
  if (cas.op != ScriptOp::cas || !cas.assumed || pc == 0) return false;
  const Instruction& look = code[pc - 1];
  if (look.op != ScriptOp::load || look.mode == Mode::na || look.location != cas.location) return false;
  if (cas.second_reg != look.reg || cas.constant != 0) return false;
  if (look.mode == Mode::sc ? cas.mode != Mode::sc : is_acquire(look.mode) && !is_acquire(cas.mode)) return false;
  for (std::size_t from = 0; from < pc; ++from) {
    if (code[from].op == ScriptOp::skip && from + 1 + code[from].length == pc) return false;
  }
  return true;
}

// Whether the load or cas at pc waits for what a load of the same location before it has read.
bool rechecks(const Code& code, std::size_t pc) {
  const Instruction& i = code[pc];
  if (i.await != Await::equal || !i.assumed || i.second_reg < 0 || i.constant != 0 || i.mode == Mode::na) return false;
  for (std::size_t before = pc; before-- > 0;) {
    const Instruction& look = code[before];
    if (has_result(look) && look.reg == i.second_reg)
      return look.op == ScriptOp::load && look.mode != Mode::na && look.location == i.location;
  }
  return false;
}

bool bad_mode(const Instruction& i) {
  switch (i.op) {
    case ScriptOp::load: return i.mode == Mode::rel || i.mode == Mode::acqrel;
    case ScriptOp::store: return i.mode == Mode::acq || i.mode == Mode::acqrel;
    case ScriptOp::rmw: return i.mode == Mode::na;
    case ScriptOp::cas:
    case ScriptOp::mark:
    case ScriptOp::help:
      return i.mode == Mode::na || i.fail_mode == Mode::na || i.fail_mode == Mode::rel || i.fail_mode == Mode::acqrel;
    case ScriptOp::fence: return i.mode == Mode::na || i.mode == Mode::rlx;
    default: return false;
  }
}

bool mutex_op(ScriptOp op) { return op == ScriptOp::lock || op == ScriptOp::trylock || op == ScriptOp::unlock; }

std::string instruction_problem(const Script& s, const Code& code, std::size_t pc) {
  const Instruction& i = code[pc];
  constexpr int kRegisters = kScriptRegisters;
  if (i.reg >= kRegisters || i.operand.reg >= kRegisters || i.second_reg >= kRegisters) return "no such register";
  const bool has_second = is_cas(i.op) || i.op == ScriptOp::set || (i.op == ScriptOp::load && i.await != Await::none);
  if (i.second_reg >= 0 && !has_second) return "a register where none is used";
  if (uses_location(i.op)) {
    if (i.location >= s.locations.size()) return "no such location";
    if (s.locations[i.location].mutex != mutex_op(i.op)) return "a mutex used as data, or data as a mutex";
    if ((s.locations[i.location].places != 0) != meets(i.op)) return "a meeting used as data, or data as a meeting";
  }
  if (bad_mode(i)) return "a mode that this instruction cannot have";
  if (i.await != Await::none && i.op != ScriptOp::load && i.op != ScriptOp::rmw &&
      !(i.op == ScriptOp::cas && i.await == Await::equal)) {
    return "this instruction cannot wait for a value";
  }
  if (i.assumed && i.await == Await::none && i.op != ScriptOp::arrive)
    return "a condition that is assumed, and is none";
  if (i.unused && i.op != ScriptOp::rmw) return "only the result of an rmw can be unused";
  if (i.op == ScriptOp::skip && pc + 1 + i.length > code.size()) return "a branch past the end";
  if (i.op == ScriptOp::choose && i.constant == 0) return "a choice among nothing";
  if (i.op == ScriptOp::arrive && i.constant == 0) return "an arrival of no one";
  if ((i.op == ScriptOp::create || i.op == ScriptOp::join) && (i.thread == 0 || i.thread >= s.threads.size())) {
    return "no such thread to create or join";
  }
  return {};
}

std::optional<std::size_t> find(const Code& code, ScriptOp op, std::size_t thread) {
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    if (code[pc].op == op && code[pc].thread == thread) return pc;
  }
  return std::nullopt;
}

std::size_t count(const Script& s, ScriptOp op, std::size_t thread) {
  std::size_t n = 0;
  for (const Code& code : s.threads) {
    for (const Instruction& i : code) n += i.op == op && i.thread == thread;
  }
  return n;
}

// One create; at most one join, by the same thread, later, and never without the create.
std::string lifetime_problem(const Script& s, std::size_t thread) {
  if (count(s, ScriptOp::create, thread) != 1) return "a thread needs exactly one create";
  if (count(s, ScriptOp::join, thread) > 1) return "a thread is joined twice";
  for (std::size_t parent = 0; parent < s.threads.size(); ++parent) {
    const Code& code = s.threads[parent];
    const auto create = find(code, ScriptOp::create, thread);
    const auto join = find(code, ScriptOp::join, thread);
    if (create && parent >= thread) return "a thread must be created by one with a smaller number";
    if (!join) continue;
    if (!create || *create > *join) return "only the creator may join a thread, after the create";
    for (std::size_t pc = 0; pc < *create; ++pc) {
      const bool over_create = code[pc].op == ScriptOp::skip && pc + code[pc].length >= *create;
      if (over_create && pc + code[pc].length < *join) return "a branch leads around a create to its join";
    }
  }
  return {};
}

}  // namespace

uint64_t calculate(Calculation c, uint64_t a, uint64_t b) {
  const auto signed_a = static_cast<int64_t>(a);
  const auto signed_b = static_cast<int64_t>(b);
  // The smallest number divided by -1 is not a number.
  const bool divides = b != 0 && b != UINT64_MAX;
  switch (c) {
    case Calculation::add: return a + b;
    case Calculation::sub: return a - b;
    case Calculation::mul: return a * b;
    case Calculation::div: return divides ? static_cast<uint64_t>(signed_a / signed_b) : b == 0 ? 0 : -a;
    case Calculation::mod: return divides ? static_cast<uint64_t>(signed_a % signed_b) : 0;
    case Calculation::band: return a & b;
    case Calculation::bor: return a | b;
    case Calculation::bxor: return a ^ b;
    case Calculation::shl: return a << (b & 63);
    case Calculation::shr: return static_cast<uint64_t>(signed_a >> (b & 63));
    case Calculation::eq: return a == b;
    case Calculation::ne: return a != b;
    case Calculation::lt: return signed_a < signed_b;
    case Calculation::le: return signed_a <= signed_b;
  }
  __builtin_unreachable();
}

std::string_view name(Calculation c) {
  constexpr std::string_view names[] = {"add", "sub", "mul", "div", "mod", "and", "or",
                                        "xor", "shl", "shr", "eq",  "ne",  "lt",  "le"};
  return names[static_cast<int>(c)];
}

std::string problem(const Script& s) {
  if (s.threads.empty()) return "a script needs a main thread";
  for (const Code& code : s.threads) {
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      if (std::string p = instruction_problem(s, code, pc); !p.empty()) return p;
    }
  }
  for (std::size_t t = 1; t < s.threads.size(); ++t) {
    if (std::string p = lifetime_problem(s, t); !p.empty()) return p;
  }
  return {};
}

ScriptThread script_start(const Script& s, ThreadId t) {
  ScriptThread state;
  settle(s.threads[index(t)], state);
  return state;
}

void script_step(const Script& s, ThreadId t, ScriptThread& state, Value result) {
  const Code& code = s.threads[index(t)];
  HEDDLE_ASSERT(!state.exited);
  if (state.pc == code.size()) {
    state.exited = true;
    return;
  }
  const Instruction& i = code[state.pc];
  HEDDLE_ASSERT(is_visible(i.op));
  const bool waits = i.await != Await::none || i.op == ScriptOp::lock;
  if (waits && !satisfied(script_action(s, t, state), result)) return;
  if (has_result(i)) {
    state.reg[i.reg] = i.op == ScriptOp::trylock ? result.lo != 0 : i.op == ScriptOp::look ? result.hi : result.lo;
  }
  ++state.pc;
  settle(code, state);
}

Action script_action(const Script& s, ThreadId t, const ScriptThread& state) {
  const Code& code = s.threads[index(t)];
  Action a;
  a.site = script_site(s, t, state.pc);
  if (state.pc == code.size()) {
    a.kind = state.exited ? ActionKind::done : ActionKind::exit;
    return a;
  }
  const Instruction& i = code[state.pc];
  if (uses_location(i.op)) {
    a.addr = script_address(i.location);
    a.size = 8;
  }
  HEDDLE_ASSERT(i.op != ScriptOp::set && i.op != ScriptOp::skip);
  switch (i.op) {
    case ScriptOp::load:
    case ScriptOp::store:
    case ScriptOp::rmw:
    case ScriptOp::cas:
    case ScriptOp::mark:
    case ScriptOp::help:
      fill_access(i, state, a);
      a.confirms = s.confirms && confirms(code, state.pc);
      a.rechecks = s.rechecks && rechecks(code, state.pc);
      break;
    case ScriptOp::lock:
    case ScriptOp::trylock:
    case ScriptOp::unlock: fill_mutex(i, t, a); break;
    case ScriptOp::fence:
      a.kind = ActionKind::fence;
      a.mode = i.mode;
      break;
    case ScriptOp::create:
    case ScriptOp::join:
      a.kind = i.op == ScriptOp::create ? ActionKind::create : ActionKind::join;
      a.child = ThreadId{i.thread};
      a.last = t == kMain &&
               std::all_of(code.begin() + state.pc, code.end(), [](const auto& j) { return j.op == ScriptOp::join; });
      break;
    case ScriptOp::choose:
      a.kind = ActionKind::choose;
      a.bound = static_cast<uint32_t>(i.constant);
      break;
    case ScriptOp::arrive:
    case ScriptOp::leave:
    case ScriptOp::look: fill_meeting(s, i, state, a); break;
    case ScriptOp::assume:
      a.kind = ActionKind::block;
      a.at_once = true;
      break;
    case ScriptOp::check: a.kind = ActionKind::error; break;
    case ScriptOp::set:
    case ScriptOp::skip: break;  // settle never stops at one
  }
  return a;
}

SiteId script_site(const Script& s, ThreadId t, uint32_t pc) {
  HEDDLE_ASSERT(pc <= s.threads[index(t)].size());
  std::size_t site = 1 + pc;
  for (std::size_t u = 0; u < index(t); ++u) site += s.threads[u].size() + 1;
  return SiteId(site);
}

}  // namespace heddle
