#include "native/symmetry.hpp"

#include <algorithm>

namespace heddle::symmetry {

State state;

namespace {

bool directly_after_last_create(const Thread& t) {
  return state.twin[t.id].last_child != kNoThread && own_clock(t) == state.twin[t.id].last_create;
}

bool ignores_argument(const void* function) {
  return std::ranges::any_of(rt.image->functions, [&](const Image::Function& f) {
    return f.address == address(function) && f.ignores_argument;
  });
}

// Whether t has joined some of a class and not all. Of an incomplete class two neighbours differ.
bool some_but_not_all(const Thread& t) {
  return std::ranges::any_of(rt.threads, [&](ThreadId id) {
    const Twin& u = state.twin[id];
    return u.before != kNoThread && (u.joined_by == t.id) != (state.twin[u.before].joined_by == t.id);
  });
}

}  // namespace

ThreadId find(const Thread& t, const void* function, const void* argument, bool c11) {
  if (!rt.options.symmetry || !rt.options.find_twins || rt.image->uses.tells_threads_apart ||
      !directly_after_last_create(t)) {
    return kNoThread;
  }
  const Thread& before = thread(state.twin[t.id].last_child);
  if (before.function != function || before.c11 != c11) return kNoThread;
  return before.argument == argument || ignores_argument(function) ? before.id : kNoThread;
}

ThreadId declared(const Thread& t, const void* function, ThreadId twin) {
  if (!rt.options.symmetry) return kNoThread;
  if (twin == kNoThread) fail(ErrorKind::annotation, "a thread is declared symmetric to a thread that does not exist");
  if (twin != state.twin[t.id].last_child || !directly_after_last_create(t)) {
    fail(ErrorKind::annotation,
         "a symmetric thread must be created directly after the thread that it is symmetric to, by the same thread");
  }
  if (thread(twin).function != function) {
    fail(ErrorKind::annotation, "symmetric threads must run the same function");
  }
  return twin;
}

namespace {

// t meets an earlier access of another thread to the same memory.
void meet(const Thread& t, uint32_t e) {
  const auto by = ThreadId(epoch::thread_of(e));
  const uint32_t clock = epoch::clock_of(e);
  const auto between_creates = [&](ThreadId id) {
    const Twin& u = state.twin[id];
    return u.found && thread(id).parent == by && u.class_start < clock && clock <= u.created_at;
  };
  if (state.twin[by].has_found && std::ranges::any_of(rt.threads, between_creates)) {
    fail(ErrorKind::symmetry,
         "threads that can be exchanged are told apart by what their parent did between their creation; use "
         "--no-symmetry",
         by);
  }
  if (state.twin[t.id].apart) {
    fail(ErrorKind::symmetry, "threads that can be exchanged are told apart by joins; use --no-symmetry", by);
  }
}

// From the first found twins of an execution on, accesses tell of more than races.
void watch(bool on) {
  cell::state.hooks.meets = on ? meet : nullptr;
  cell::settle_hooks();
}

void tell_own_place(const Thread& t, Action& action) { action.own = heap::own_place(t, action.addr); }

}  // namespace

void note(Thread& parent, Thread& child, ThreadId twin, bool declared) {
  if (!rt.options.symmetry) return;
  state.used = true;
  Twin& p = state.twin[parent.id];
  Twin& c = state.twin[child.id];
  p.last_child = child.id;
  p.last_create = own_clock(parent);
  c.created_at = c.class_start = own_clock(parent);
  if (twin == kNoThread || declared) return;
  c.before = twin;
  c.class_start = state.twin[twin].class_start;
  state.twin[twin].found = c.found = true;
  p.has_found = true;
  watch(true);
}

void note_join(const Thread& t, const Thread& child) {
  if (!state.twin[child.id].found) return;
  state.twin[child.id].joined_by = t.id;
  state.twin[t.id].apart = some_but_not_all(t);
}

void result_taken(const Thread& child) {
  if (!state.twin[child.id].found) return;
  fail(ErrorKind::symmetry, "the result of a thread that can be exchanged with another is used; use --no-symmetry");
}

void begin() {
  if (rt.options.symmetry) threads::add_offer(tell_own_place);
}

void find_no_twins() { rt.options.find_twins = false; }

void reset() {
  if (!state.used) return;
  state.used = false;
  for (const ThreadId t : rt.threads) {
    Twin& twin = state.twin[t];
    twin.last_child = twin.before = twin.joined_by = kNoThread;
    twin.found = twin.has_found = twin.apart = false;
  }
  if (cell::state.hooks.meets != nullptr) watch(false);
}

void restore(const Saved& saved) {
  state = saved;
  watch(std::ranges::any_of(rt.threads, [](ThreadId t) { return state.twin[t].found; }));
}

}  // namespace heddle::symmetry
