#include "library/state.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "native/access.hpp"
#include "native/exits.hpp"
#include "native/names.hpp"
#include "native/room.hpp"

namespace heddle::library {

State state;

std::vector<Holder> holders(Address lock) {
  std::vector<Holder> out;
  if (!state.used) return out;
  for (const ThreadId t : rt.threads) {
    for (const HeldMutex& h : state.of[t].held)
      if (h.mutex == lock) out.push_back({t, h.site});
    for (const HeldLock& h : state.of[t].locks)
      if (h.lock == lock) out.push_back({t, h.site});
  }
  return out;
}
const bool tells_holders = (names::holders_of = holders, true);

// The first of those that hold it is the other party.
void misuse(std::string_view text, Address object) {
  HostScope scope;
  const std::vector<Holder> all = holders(object);
  const Holder other = all.empty() ? Holder() : all.front();
  const std::string holds = all.empty() ? "" : fmt::format(": {} does", who(other.thread));
  fail(ErrorKind::mutex, fmt::format(fmt::runtime(text), names::describe(object), holds), other.thread, other.site);
}

#if HEDDLE_CHECKED

namespace {

// What is wrong with the books of the execution that ends; nothing if all is well.
std::string check() {
  for (const ThreadId t : rt.threads) {
    const OfThread& of = state.of[t];
    if (!state.used && !(of.held.empty() && of.onces.empty() && of.locks.empty() && of.ticks.empty()))
      return "a thread has books, though none are used";
    if (!state.used && (of.queue != 0 || of.parks != 0 || of.error_number != nullptr || of.seeded))
      return "a thread is not as at the start, though no books are used";
    for (const HeldMutex& h : of.held)
      if (h.depth == 0 || h.changed > thread(t).changes)
        return "a mutex is held without a lock, or since a later change";
    for (const HeldLock& h : of.locks)
      if (h.depth == 0 || h.changed > thread(t).changes)
        return "a lock is held that was given back, or since a later change";
    for (std::size_t i = 1; i < of.ticks.size(); ++i) {
      if (of.ticks[i - 1].clock >= of.ticks[i].clock || of.ticks[i - 1].nanoseconds > of.ticks[i].nanoseconds)
        return "a clock runs backwards";
    }
  }
  return "";
}

}  // namespace

#endif

void reset() {
  for (const ThreadId t : rt.threads) state.claims[t].how = Claim::none;
  HEDDLE_ASSERT_WHOLE(check());
  if (!state.used) return;
  state.used = false;
  for (const ThreadId t : rt.threads) {
    OfThread& of = state.of[t];
    of.held.clear();
    of.onces.clear();
    of.locks.clear();
    of.queue = 0;
    of.parks = 0;
    of.waits_with = 0;
    of.ticks.clear();
    of.told_time = 0;
    of.told.clear();
    of.name[0] = '\0';
    of.error_number = nullptr;
    of.seeded = false;
  }
}

void keep(OfThread& of) {
  undo::keep_list(of.held);
  undo::keep_list(of.onces);
  undo::keep_list(of.locks);
  undo::keep_list(of.ticks);
  undo::keep(of.told_time);
  undo::keep_list(of.told);
  undo::keep(of.queue);
  undo::keep(of.parks);
  undo::keep(of.waits_with);
  undo::keep(of.name);
  undo::keep(of.error_number);
  undo::keep(of.seeded);
  undo::keep(of.random);
  undo::keep(of.kept);
  of.kept = undo::state.segment;
}

namespace {

const bool added = add_room(reset);

}  // namespace

// Native code sets the errno of the real thread. What it has set is moved to the program's when the program looks.
int* error_place() {
  OfThread& of = mine();
  if (of.error_number == nullptr) {
    of.error_number = static_cast<int*>(heap::allocate(sizeof(int), alignof(int), BlockKind::native, true));
    exits::end_with_thread(of.error_number);
  }
  if (errno != 0) {
    plain_put(of.error_number, errno);
    errno = 0;
  }
  return of.error_number;
}

void set_error_number(int value) {
  errno = 0;
  if (error_number() != value) plain_put(error_place(), value);  // the same again is no change
}

int error_number() { return plain_get(error_place()); }

}  // namespace heddle::library
