// What a thread is about to do. The machine offers one pending Action per thread; an explorer decides
// its result (the value read, the branch chosen) and has the machine perform it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/await.hpp"
#include "core/ids.hpp"
#include "core/mode.hpp"
#include "core/value.hpp"

namespace heddle {

enum class ActionKind : uint8_t {
  load,   // result: the value read
  store,  // writes `operand`
  rmw,    // result: the value read; writes apply(op, read, operand)
  cas,    // result: the value read; writes `operand` iff the value read equals `expected`
  fence,
  create,  // starts `child`
  join,    // waits until `child` has exited
  exit,    // the thread's last action
  free,    // ends the life of the block [addr, addr + length), for a `retire` only where it is not `guarded`
  choose,  // result: any of 0 .. bound-1
  help,    // marks that a cas follows which others may help with, or stands for such help (see `helping`)
  // At the meeting `addr` of `expected` threads (graph/meetings.hpp):
  arrive,  // result: the phase; `operand`: how many come, how many of them for the last time
  leave,   // waits until all have come in the phase `operand`
  look,    // result: the phase in which the next ones come, and how many have
  // Not to be performed:
  block,  // the thread goes no further in this execution (see BlockReason)
  error,  // the thread has failed; Machine::error tells how
  done,   // the thread has performed its exit
};

enum class RmwOp : uint8_t {
  xchg,
  add,
  sub,
  band,
  nand,
  bor,
  bxor,
  smax,
  smin,
  umax,
  umin,
  uinc_wrap,
  udec_wrap,
  usub_cond,
  usub_sat,
  fadd,
  fsub,
  fmax,
  fmin,
  insert,  // up to 8 bytes: the bits of operand.lo where operand.hi has ones; a plain write to a part of a location
};

// What the access is for; shown to a person, never decides an exploration.
enum class Purpose : uint8_t {
  access,
  mutex_lock,
  mutex_trylock,
  mutex_unlock,
  mutex_destroy,
  once,
  shared_lock,     // a readers-writer lock: for reading
  exclusive_lock,  // for writing
  lock_attempt,    // for either
  lock_release,
  acquire,  // a semaphore: down
  release,  // up
  arrive,   // at a barrier
  barrier_wait,
  wait,           // the thread begins to wait until it is woken
  stop_wait,      // it no longer wants to
  woken,          // it waits
  notify,         // looks which threads wait
  wake,           // wakes a thread
  move,           // lets a waiting thread wait elsewhere
  moved,          // it waits until another thread does that
  at_exit,        // adds an exit handler
  exit,           // runs those that there are
  time_limit,     // a choice: whether a wait to be woken reaches its limit
  earlier_round,  // a choice: whether a waiting loop goes round before, and learns of a later time
  other,
};

enum class BlockReason : uint8_t {
  assume,  // assume(false)
  spin,    // a round of a loop has changed nothing: the thread would do the same again
  unroll,  // --unroll: a loop was cut, the result is bounded
  cut,     // a loop without a known bound has gone round as often as it may for now
  mixed,   // rounds have been left out that should not: the exploration starts again
  ended,   // exit(0): the process has ended
  leaves,  // exit(0), while another thread runs the exit handlers: until the process has ended
  steps,   // more visible actions than the step limit allows: the result is incomplete
  silent,  // no visible action for very long: the result is incomplete
};

// An atomic read of an operation that others may help with.
struct HelpRead {
  Address addr = 0;
  Mode mode = Mode::na;
  bool guarded = false;  // see Action
};

struct Action {
  ActionKind kind = ActionKind::done;
  Mode mode = Mode::na;       // for a cas: of a success
  Mode fail_mode = Mode::na;  // cas: of a failure
  RmwOp op = RmwOp::xchg;
  Await await = Await::none;
  Purpose purpose = Purpose::access;
  BlockReason reason = BlockReason::assume;
  bool helping = false;        // help: instead of the cas of this addr, expected, operand; else just before it
  bool retire = false;         // free: by heddle_hp_retire
  bool at_once = false;        // block: the thread has done nothing that concerns others since its last action
  bool assumed = false;        // await, join: the program assumes it: a thread that waits for ever is stopped
  bool confirms = false;       // cas: what it expects was read just before; both may read from the same write
  bool rechecks = false;       // load, cas: waits for the value that an earlier load of its thread has found there
  bool last = false;           // join: nothing comes after it but such joins, loads, frees, and the end of the thread
  bool result_unused = false;  // rmw: the value that it reads is never used; await: for nothing but to wait
  bool compared = false;       // load, rmw: all that matters of the value that it reads is whether it is `expected`
  bool undone = false;         // await, rmw that adds: with other values the thread takes it back, and retries
  bool guarded = false;        // access: of a block that a hazard pointer of the thread protects
  bool elects = false;         // leave: result: whether it is the leave of the first thread that arrived in the phase
  uint8_t size = 0;            // bytes: 1, 2, 4, 8, 16
  ThreadId child = kNoThread;  // create, join
  ThreadId twin = kNoThread;   // create: the thread before it that it can be exchanged with, if any
  SiteId site = kNoSite;
  uint32_t bound = 0;  // choose
  uint32_t loud = 0;   // await, block: 1 + its thread's events before it last did something else that concerns others
  uint32_t round = 0;  // block, spin: how many events of the thread are of the round; await: likewise, before it
  Address addr = 0;
  Address own = 0;      // access, free: of memory that belongs to the thread, its place there plus one; else 0
  uint64_t length = 0;  // free
  std::span<const HelpRead> reads;  // help: what is read before the cas; valid while the action is pending
  Value operand;
  Value expected;
  const Condition* condition = nullptr;  // of Await::holds
};

constexpr bool is_read(ActionKind k) { return k == ActionKind::load || k == ActionKind::rmw || k == ActionKind::cas; }
constexpr bool is_access(ActionKind k) { return is_read(k) || k == ActionKind::store; }
constexpr bool is_meeting(ActionKind k) {
  return k == ActionKind::arrive || k == ActionKind::leave || k == ActionKind::look;
}
constexpr bool is_final(ActionKind k) {
  return k == ActionKind::block || k == ActionKind::error || k == ActionKind::done;
}

// Whether a read of `read` lets the thread go on.
inline bool satisfied(const Action& a, Value read) { return satisfied(a.await, a.expected, a.condition, read); }

// Whether a cas fails, with a mode of its own, if it reads another value than it expects. A lock, or a loop, waits
// then.
inline bool has_fail_mode(const Action& a) {
  return a.kind == ActionKind::cas && (a.await == Await::none || a.await == Await::holds || a.assumed);
}

// The value that an rmw of `size` bytes writes.
Value apply(RmwOp op, Value read, Value operand, uint8_t size);

// The modes of the read and of the write part of an rmw or a successful cas: e.g. acq_rel is acq + rel.
constexpr Mode read_part(Mode m) { return m == Mode::acqrel ? Mode::acq : m == Mode::rel ? Mode::rlx : m; }
constexpr Mode write_part(Mode m) { return m == Mode::acqrel ? Mode::rel : m == Mode::acq ? Mode::rlx : m; }

std::string_view name(ActionKind k);
std::string_view name(RmwOp op);
std::string_view name(Purpose p);

}  // namespace heddle
