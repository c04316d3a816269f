// Tiny concurrent programs as data, and the steps of one thread of them.
//
// Exploration is tested on scripts: no compiler, no fibres, and small enough that brute force can say what is
// right. A script has a few 8-byte locations and mutexes and a few threads of straight-line code with forward
// branches, so it always ends. Thread 0 is main; every other thread is started by exactly one `create`.
//
// A thread's state is a plain value and its steps are pure functions of it, so that ScriptMachine and the brute
// force of the tests share one meaning of a script.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/action.hpp"
#include "core/site.hpp"

namespace heddle {

inline constexpr unsigned kScriptRegisters = 16;

enum class ScriptOp : uint8_t {
  load,     // reg = location
  store,    // location = operand
  rmw,      // reg = location; location = rmw(reg, operand)
  cas,      // reg = location; if (reg == second) location = operand
  mark,     // the cas that follows may be helped with: the same operands
  help,     // such help: stands for the cas, does nothing
  fence,    //
  lock,     // waits until the mutex is free
  trylock,  // reg = 0 if the mutex was free and is now ours, else 1
  unlock,   //
  create,   // starts `thread`
  join,     // waits for `thread`
  choose,   // reg = any of 0 .. constant-1
  arrive,   // reg = the phase; `constant` come to the meeting, all of them for the last time if `assumed`
  leave,    // waits until all have arrived in the phase `operand`
  look,     // reg = how many have arrived in the phase
  // Not visible:
  set,     // reg = calculate(calculation, operand, second)
  skip,    // if (reg == constant) leaves out the next `length` instructions
  assume,  // if not (reg == constant) blocks the thread for good
  check,   // if not (reg == constant) the program is wrong
};

// What `set` can do with two numbers: 64 bits, two's complement, comparisons signed and of result 0 or 1.
enum class Calculation : uint8_t {
  add,
  sub,
  mul,
  div,  // towards zero; 0 for a division by zero
  mod,
  band,
  bor,
  bxor,
  shl,  // by the lowest six bits
  shr,  // arithmetic
  eq,
  ne,
  lt,
  le,
};

uint64_t calculate(Calculation, uint64_t a, uint64_t b);
std::string_view name(Calculation);

// A register plus a constant, or only a constant.
struct ScriptValue {
  int8_t reg = -1;
  uint64_t constant = 0;

  friend bool operator==(const ScriptValue&, const ScriptValue&) = default;
};

struct Instruction {
  ScriptOp op = ScriptOp::fence;
  Mode mode = Mode::rlx;       // for a cas: of a success
  Mode fail_mode = Mode::rlx;  // cas
  RmwOp rmw = RmwOp::xchg;
  bool unused = false;        // rmw: the result goes nowhere
  Await await = Await::none;  // load, rmw: waits until location == / != constant; cas: equal or none
  bool assumed = false;       // await: see Action; arrive: for the last time
  bool equal = true;          // skip, assume, check: test == or !=
  uint8_t reg = 0;            // where the result goes, or what is tested
  uint8_t location = 0;
  uint8_t thread = 0;
  Calculation calculation = Calculation::add;
  int8_t second_reg = -1;  // cas, mark, help, set: the register that is added to the constant
  uint16_t length = 0;
  uint64_t constant = 0;
  ScriptValue operand;

  // cas, mark, help: what is expected; set: the right-hand side.
  ScriptValue second() const { return {second_reg, constant}; }

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct ScriptLocation {
  std::string name;
  uint64_t initial = 0;
  bool mutex = false;
  uint64_t places = 0;  // if it is a meeting (graph/meetings.hpp)

  friend bool operator==(const ScriptLocation&, const ScriptLocation&) = default;
};

struct Script {
  std::vector<ScriptLocation> locations;
  std::vector<std::vector<Instruction>> threads;
  bool confirms = false;  // each cas that can says that it confirms the load before it (Action)
  bool rechecks = false;  // each await that can says that it rechecks a load before it (Action)

  friend bool operator==(const Script&, const Script&) = default;
};

// Says what is wrong with a script, or nothing: a name out of range, a thread without its one create, a join that can
// be reached without the create, a branch past the end, mutex operations on data or the reverse, a mode that C does not
// know.
std::string problem(const Script&);

// Whether location `a` holds anything to be read or written by this instruction.
constexpr bool meets(ScriptOp op) { return op == ScriptOp::arrive || op == ScriptOp::leave || op == ScriptOp::look; }
constexpr bool uses_location(ScriptOp op) { return (op <= ScriptOp::unlock && op != ScriptOp::fence) || meets(op); }
constexpr bool has_result(ScriptOp op) {
  return op == ScriptOp::load || op == ScriptOp::rmw || op == ScriptOp::cas || op == ScriptOp::trylock ||
         op == ScriptOp::choose || op == ScriptOp::arrive || op == ScriptOp::look || op == ScriptOp::set;
}
constexpr bool has_result(const Instruction& i) { return has_result(i.op) && !i.unused; }
constexpr bool is_test(ScriptOp op) { return op >= ScriptOp::skip; }
constexpr bool is_visible(ScriptOp op) { return op < ScriptOp::set; }

constexpr Address script_address(unsigned location) { return 0x1000 + 8 * static_cast<Address>(location); }
constexpr unsigned script_location(Address a) { return static_cast<unsigned>((a - 0x1000) / 8); }

// Where a thread stands. `pc` is past the end when only the exit is left.
struct ScriptThread {
  std::array<uint64_t, kScriptRegisters> reg{};
  uint32_t pc = 0;
  bool exited = false;

  friend bool operator==(const ScriptThread&, const ScriptThread&) = default;
};

// The state before a thread's first visible action, and the one after its pending action had this result. A result that
// does not satisfy an await leaves the thread where it is.
ScriptThread script_start(const Script&, ThreadId);
void script_step(const Script&, ThreadId, ScriptThread&, Value result);
// The pending action, block, error and done included.
Action script_action(const Script&, ThreadId, const ScriptThread&);

// The place of the next instruction: every instruction and every exit has its own.
SiteId script_site(const Script&, ThreadId, uint32_t pc);

}  // namespace heddle
