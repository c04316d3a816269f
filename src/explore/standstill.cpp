#include "explore/standstill.hpp"

namespace heddle {
namespace {

std::string waiting_for(Machine& machine, ThreadId t, const Wait& wait) {
  const Action& a = machine.pending(t);
  const std::string who = label(machine, t);
  if (a.kind == ActionKind::join) return who + " waits for " + label(machine, a.child) + " to end";
  const std::string what = machine.describe(a.addr);
  if (a.purpose != Purpose::mutex_lock) return who + " waits for a change of " + what;
  const std::string holder = wait.writer == kNoThread ? "" : " held by " + label(machine, wait.writer);
  return who + " waits for mutex " + what + holder;
}

}  // namespace

std::string label(const Machine& machine, ThreadId t) {
  std::string id = "T";
  id += std::to_string(index(t));
  const std::string name = machine.name(t);
  return t == kMain || name == id ? name : id + " (" + name + ")";
}

bool ended_process(Machine& machine, const WaitOf& wait_of) {
  bool ended = false;
  for (const ThreadId t : machine.threads()) {
    const Action& a = machine.pending(t);
    const Wait wait = wait_of(t);
    if (wait.waits && !wait.for_ever) return false;
    if (wait.waits || a.kind != ActionKind::block) continue;
    if (a.reason != BlockReason::ended) return false;
    ended = true;
  }
  return ended;
}

std::optional<Error> find_deadlock(Machine& machine, const WaitOf& wait_of) {
  Error error;
  error.kind = ErrorKind::deadlock;
  for (const ThreadId t : machine.threads()) {
    const Action& a = machine.pending(t);
    const Wait wait = wait_of(t);
    if (!wait.waits && a.kind == ActionKind::block) return std::nullopt;  // stopped on purpose
    if (wait.waits && !wait.for_ever) return std::nullopt;
    if (a.kind == ActionKind::done) continue;
    // Threads that wait for each other are stuck; one that looks for a value that never comes turns round and round.
    if (is_read(a.kind) && a.purpose == Purpose::access) error.kind = ErrorKind::livelock;
    if (error.thread == kNoThread || a.kind != ActionKind::join) {
      error.thread = t;
      error.site = a.site;
    }
    error.message += (error.message.empty() ? "" : "; ") + waiting_for(machine, t, wait);
  }
  return error;
}

}  // namespace heddle
