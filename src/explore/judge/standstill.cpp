#include "explore/judge/standstill.hpp"

#include "core/assert.hpp"
#include "core/thread_name.hpp"

namespace heddle {
namespace {

std::string label(const Machine& machine, ThreadId t) { return name_of(t, machine.name(t)); }

// " held by T1 (reader) and T2 (reader)", of a readers-writer lock.
std::string held_by(const Machine& machine, const Action& a, Address lock) {
  std::string out;
  if (a.purpose != Purpose::shared_lock && a.purpose != Purpose::exclusive_lock) return out;
  for (const Holder& h : machine.holders(lock)) out += (out.empty() ? " held by " : " and ") + label(machine, h.thread);
  return out;
}

std::string waiting_for(Machine& machine, ThreadId t, const Wait& wait) {
  const Action& a = machine.pending(t);
  const std::string who = label(machine, t);
  if (a.kind == ActionKind::join) return who + " waits for " + label(machine, a.child) + " to end";
  if (a.kind == ActionKind::block && a.reason == BlockReason::leaves)
    return who + " waits for the process to end: another thread runs the exit handlers";
  if (a.kind == ActionKind::block && wait.addr == 0)
    return who + " turns round and round in a loop that looks at nothing";
  const std::string what = machine.describe(a.kind == ActionKind::leave ? a.addr : wait.addr);
  if (a.purpose == Purpose::woken) return who + " waits to be woken at " + what;
  if (a.purpose != Purpose::mutex_lock)
    return who + " waits for " + (a.purpose == Purpose::access ? "a change of " : "") + what +
           held_by(machine, a, wait.addr);
  // Before there were threads, only main can have taken it.
  const std::string holder = " held by " + label(machine, wait.writer == kNoThread ? kMain : wait.writer);
  return who + " waits for mutex " + what + holder;
}

}  // namespace

bool ended_process(Machine& machine, const WaitOf& wait_of) {
  bool ended = false;
  bool leaves = false;
  bool left = false;
  bool wanted = false;
  for (const ThreadId t : machine.threads()) {
    const Action& a = machine.pending(t);
    const Wait wait = wait_of(t);
    if (wait.waits && !wait.for_ever) return false;
    if (wait.waits || a.kind == ActionKind::join || a.kind == ActionKind::leave)
      (machine.is_left_behind(t) ? left : wanted) = true;
    if (wait.waits || a.kind != ActionKind::block) continue;
    if (a.reason != BlockReason::ended && a.reason != BlockReason::leaves) return false;
    (a.reason == BlockReason::ended ? ended : leaves) = true;
  }
  const bool returned = machine.pending(kMain).kind == ActionKind::done;
  return ended || (leaves && returned) || (left && !wanted);
}

std::optional<Error> find_deadlock(Machine& machine, const WaitOf& wait_of) {
  for (const ThreadId t : machine.threads()) {
    const Wait wait = wait_of(t);
    const Action& a = machine.pending(t);
    const bool waits_for_end = a.kind == ActionKind::block && a.reason == BlockReason::leaves;
    const bool stopped = (a.kind == ActionKind::block && !waits_for_end) || (a.kind == ActionKind::join && a.assumed);
    if (wait.waits ? !wait.for_ever : stopped) return std::nullopt;
  }
  Error error;
  error.kind = ErrorKind::deadlock;
  int heaviest = 0;
  for (const ThreadId t : machine.threads()) {
    const Action& a = machine.pending(t);
    if (a.kind == ActionKind::done) continue;
    // Threads that wait for each other are stuck; one that looks for a value that never comes turns round and round.
    const bool turns_round = (is_read(a.kind) || (a.kind == ActionKind::block && a.reason == BlockReason::spin)) &&
                             a.purpose == Purpose::access;
    if (turns_round) error.kind = ErrorKind::livelock;
    // The place of the error: a thread that waits for itself, else one that waits for more than an end.
    const int weight = a.kind == ActionKind::join ? 1 : is_read(a.kind) && wait_of(t).writer == t ? 3 : 2;
    if (weight > heaviest) {
      heaviest = weight;
      error.thread = t;
      error.site = a.site;
    }
    error.message += (error.message.empty() ? "" : "; ") + waiting_for(machine, t, wait_of(t));
  }
  HEDDLE_ASSERT(error.thread != kNoThread);  // some thread has not come to its end
  return error;
}

}  // namespace heddle
