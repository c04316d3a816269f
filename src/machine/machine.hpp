// The one interface between explorers and programs.
//
// A thread always stands just before its next visible action. An explorer looks at the pending actions,
// picks a thread, decides the result of its action and performs it; the machine then runs that thread
// to its next visible action. An execution is a deterministic function of the results.
//
//   restart ──► pending / perform / replay ──► … ──► restart
//
// Clocks. With every result comes the happens-before clock of the event in the caller's execution:
// clock[u] is the number of events of thread u that happen before or are this event. The machine uses it
// to find races among accesses that are not actions; a clock shorter than the number of threads counts as
// zero for the rest. The caller counts events as it likes (an rmw may be two), as long as each action of
// thread t raises clock[t].
//
// Two parts of the interface have headers of their own: names.hpp is for reports, assumptions.hpp for what starts an
// exploration again.
//
// Order. perform and replay must be called in an order that respects po ∪ rf, create before the child's
// first action, exit before the join of the thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/action.hpp"
#include "core/assert.hpp"
#include "core/error.hpp"
#include "core/result.hpp"
#include "core/suppression.hpp"
#include "core/thread_paths.hpp"
#include "machine/assumptions.hpp"
#include "machine/names.hpp"

namespace heddle {

using Clock = std::span<const uint32_t>;

// One action of a replay: what is known to happen, and its result.
struct Step {
  Value result;
  Clock clock;
  ActionKind kind;  // checked against what the thread really does: a difference means that
  Address addr;     // the program is not deterministic, which is a UserError
};

// In a list of steps of several threads, those of one thread from number `begin` on. They end where the next stretch
// begins, which is of another thread.
struct Stretch {
  ThreadId thread;
  uint32_t begin;
};

// A guarded use: memory is accessed under a hazard pointer, and retired in the same execution. Events are named by the
// caller's own count of the thread's events. Right iff the protect cannot have come after the retire; if several
// entries have the same `use`, one of them being right is enough.
struct GuardedUse {
  uint32_t use;  // number of the access; one access under several hazard pointers has several entries
  ThreadId thread;
  uint32_t protect;  // of that thread
  SiteId site;
  Address block;
  ThreadId retired_by = kNoThread;
  uint32_t retire = 0;  // of that thread
  SiteId retire_site = kNoSite;
};

// A local or thread_local variable that actions have used, and whose life has ended: after so many events of its
// thread, at least one, by the caller's own count.
struct EndedLocal {
  Address start;
  uint64_t size;
  ThreadId thread;
  uint32_t events;
  SiteId site;
  bool with_thread;  // it is a thread_local variable
};

// What a thread has done to memory after so many events of its own: a plain write has replaced its value, or its life
// has ended.
struct LostMemory {
  AddressRange range;
  ThreadId thread = kNoThread;
  uint32_t events = 0;
};

// A round of a waiting loop that may have changed nothing: the events of its thread before it, and up to where the
// thread may wait. If that is a read, it comes next.
struct WaitRound {
  uint32_t begin = 0, end = 0;
  friend bool operator==(const WaitRound&, const WaitRound&) = default;
};

class Machine : public ThreadPaths, public Names, public Assuming {
 public:
  // Back to the state before main. Afterwards only main exists.
  virtual void restart() = 0;

  // The number of restarts so far. A caller that finds another number than it remembers knows that the machine has been
  // used for something else.
  virtual uint64_t restarts() const { return 0; }

  // The first `same` of these steps are what has been done since the restart, in this order; nothing, or something
  // else, came after them. Goes back to the moment after some of them, as many as it can, and says how many. (Back to
  // the start, and 0, is always right.) The clocks of the steps are the same, but may have moved.
  virtual std::size_t rewind(std::span<const Step> /*steps*/, std::size_t /*same*/) {
    restart();
    return 0;
  }

  // Whether the explorer thinks that it will come back to where it now performs an action. It may come back anywhere,
  // but only what is expected is prepared at once.
  bool return_expected = true;

  // The threads created so far, main first, in no particular order otherwise.
  virtual std::span<const ThreadId> threads() const = 0;

  // What this thread will do next. Valid until the thread's next action or restart.
  virtual const Action& pending(ThreadId) = 0;

  // Does the pending action; returns the next one. Not for block, error, done.
  virtual const Action& perform(ThreadId, Value result, Clock) = 0;

  // Does all these actions of one thread in turn, without stopping in between.
  virtual void replay(ThreadId, std::span<const Step>) = 0;

  // Does all these actions from number `first` on, stretch by stretch. Returns the thread that fails on the way, if
  // any: in another order than before, a race may show in another thread. What would come after it is left out: it may
  // depend on what that thread has not done. Not `to_error`: threads that fail have no more steps, and the others go
  // on.
  virtual ThreadId replay_all(std::span<const Step> steps, std::span<const Stretch> stretches, std::size_t first,
                              bool to_error) {
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const ThreadId t = stretches[i].thread;
      HEDDLE_ASSERT(i == 0 || (stretches[i - 1].begin < stretches[i].begin && stretches[i - 1].thread != t));
      const std::size_t begin = std::max<std::size_t>(first, stretches[i].begin);
      const std::size_t end = i + 1 < stretches.size() ? stretches[i + 1].begin : steps.size();
      if (begin >= end) continue;
      replay(t, steps.subspan(begin, end - begin));
      if (to_error && pending(t).kind == ActionKind::error) return t;
    }
    return kNoThread;
  }

  // This thread stands before a join that is one of its last. Whether all others have exited or stand before their
  // exit, and it is known to come to its end without an error, so that the rest need not run. If not, the machine may
  // learn it. final_value: of what actions have written.
  using FinalValue = std::function<Value(Address, uint8_t size)>;
  virtual bool knows_rest(ThreadId, const FinalValue& /*final_value*/) { return false; }

  // Whether performing the pending read with this clock would be an error (a race with an access that is no action,
  // freed memory, …). A read that makes its thread wait is never performed, but it is an access all the same.
  virtual bool fails(ThreadId, Clock) { return false; }

  // Of the awaits.
  virtual Conditions& conditions() = 0;

  // The contents of memory that no action has written yet.
  virtual Value base(Address, uint8_t size) const = 0;

  // How a thread whose pending action is `error` failed.
  virtual Error error(ThreadId) const = 0;

  // At the end of a complete execution.
  virtual Unusual unusual() { return {.threads = threads().size() - 1}; }

  // Whether the process has ended without this thread, which no thread was to join: main has returned.
  virtual bool is_left_behind(ThreadId) const { return false; }

  // Of the execution so far.
  virtual std::span<const GuardedUse> guarded_uses() { return {}; }
  virtual std::span<const EndedLocal> ended_locals() const { return {}; }
  // If LeftOut is ordered or watched: what other threads may have read in rounds of waiting loops; and after how many
  // of its events a thread has begun such rounds, in order. If it is watched: those in which it may wait.
  virtual std::span<const LostMemory> losses() const { return {}; }
  virtual std::span<const uint32_t> rounds_begun(ThreadId) const { return {}; }
  virtual std::span<const WaitRound> rounds_that_wait(ThreadId) const { return {}; }
  // Which function a thread runs, by number.
  virtual uint32_t code(ThreadId) const { return 0; }
  virtual bool uses_hazard_pointers() const { return false; }
  // A thread's clock shows what happens before its events. So what a thread does depends on that, too, and not only on
  // what it reads.
  virtual bool reads_clocks() const { return false; }
  // Whether the program looks before it goes on: some action may be a recheck, or assumes something.
  virtual bool looks() const { return false; }

  // Whether a race of two events at this address is no error (--suppress). Throws Stopped if it is none, but the
  // exploration cannot go on, because an access of such a race may have been no action: then Assumption::suppressed is
  // broken. suppressed(): the races that were let pass.
  virtual bool suppresses(SiteId, SiteId, Address) { return false; }
  virtual std::vector<SuppressedRace> suppressed() const { return {}; }
};

}  // namespace heddle
