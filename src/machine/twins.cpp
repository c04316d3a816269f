#include "machine/twins.hpp"

#include <algorithm>

#include "machine/native.hpp"

namespace heddle::twins {
namespace {

bool directly_after_last_create(const Thread& t) { return t.last_child != kNoThread && own_clock(t) == t.last_create; }

bool ignores_argument(const void* function) {
  return std::ranges::any_of(rt.image->functions, [&](const Image::Function& f) {
    return f.address == address(function) && f.ignores_argument;
  });
}

}  // namespace

ThreadId find(const Thread& t, const void* function, const void* argument, bool c11) {
  if (!rt.options.symmetry || rt.image->names_threads || !directly_after_last_create(t) ||
      t.wrote == own_clock(t) + 1) {
    return kNoThread;
  }
  const Thread& before = thread(t.last_child);
  if (before.function != function || before.c11 != c11) return kNoThread;
  return before.argument == argument || ignores_argument(function) ? before.id : kNoThread;
}

ThreadId declared(const Thread& t, const void* function, ThreadId twin) {
  rt.symmetry_declared = true;
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
  child.found_twin = false;
  if (twin != kNoThread && !declared) thread(twin).found_twin = child.found_twin = true;
}

void result_taken(const Thread& child) {
  if (child.found_twin)
    fail(ErrorKind::symmetry, "the result of a thread that can be exchanged with another is used; use --no-symmetry");
}

}  // namespace heddle::twins
