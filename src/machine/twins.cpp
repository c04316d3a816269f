#include "machine/twins.hpp"

#include <algorithm>

#include "machine/native.hpp"
#include "machine/shadow.hpp"

namespace heddle::twins {
namespace {

bool directly_after_last_create(const Thread& t) { return t.last_child != kNoThread && own_clock(t) == t.last_create; }

bool ignores_argument(const void* function) {
  return std::ranges::any_of(rt.image->functions, [&](const Image::Function& f) {
    return f.address == address(function) && f.ignores_argument;
  });
}

// Whether t has joined some of a class and not all. Of an incomplete class two neighbours differ.
bool some_but_not_all(const Thread& t) {
  return std::ranges::any_of(rt.threads, [&](ThreadId id) {
    const Thread& u = thread(id);
    return u.twin != kNoThread && (u.joined_by == t.id) != (thread(u.twin).joined_by == t.id);
  });
}

}  // namespace

ThreadId find(const Thread& t, const void* function, const void* argument, bool c11) {
  if (!rt.options.symmetry || !rt.options.find_twins || rt.image->names_threads || !directly_after_last_create(t)) {
    return kNoThread;
  }
  const Thread& before = thread(t.last_child);
  if (before.function != function || before.c11 != c11) return kNoThread;
  return before.argument == argument || ignores_argument(function) ? before.id : kNoThread;
}

ThreadId declared(const Thread& t, const void* function, ThreadId twin) {
  if (!rt.options.symmetry) return kNoThread;
  if (twin == kNoThread) fail(ErrorKind::annotation, "a thread is declared symmetric to a thread that does not exist");
  if (twin != t.last_child || !directly_after_last_create(t)) {
    fail(ErrorKind::annotation,
         "a symmetric thread must be created directly after the thread that it is symmetric to, by the same thread");
  }
  if (thread(twin).function != function) {
    fail(ErrorKind::annotation, "symmetric threads must run the same function");
  }
  return twin;
}

void note(Thread& parent, Thread& child, ThreadId twin, bool declared) {
  parent.last_child = child.id;
  parent.last_create = own_clock(parent);
  child.created_at = child.class_start = own_clock(parent);
  if (twin == kNoThread || declared) return;
  child.twin = twin;
  child.class_start = thread(twin).class_start;
  thread(twin).found_twin = child.found_twin = true;
  parent.has_found = rt.twins = rt.thorough = true;
}

void note_join(Thread& t, Thread& child) {
  if (!child.found_twin) return;
  child.joined_by = t.id;
  t.apart = some_but_not_all(t);
}

void result_taken(const Thread& child) {
  if (!child.found_twin) return;
  fail(ErrorKind::symmetry, "the result of a thread that can be exchanged with another is used; use --no-symmetry");
}

void observe_slowly(const Thread& t, uint32_t e) {
  const auto by = ThreadId(cell::epoch_thread(e));
  const uint32_t clock = cell::epoch_clock(e);
  if (by == t.id) return;
  const auto between_creates = [&](ThreadId id) {
    const Thread& u = thread(id);
    return u.found_twin && u.parent == by && u.class_start < clock && clock <= u.created_at;
  };
  if (thread(by).has_found && std::ranges::any_of(rt.threads, between_creates)) {
    fail(ErrorKind::symmetry,
         "threads that can be exchanged are told apart by what their parent did between their creation; use "
         "--no-symmetry",
         by);
  }
  if (t.apart) {
    fail(ErrorKind::symmetry, "threads that can be exchanged are told apart by joins; use --no-symmetry", by);
  }
}

}  // namespace heddle::twins
