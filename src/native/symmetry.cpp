#include "native/symmetry.hpp"

#include <algorithm>
#include <cstring>

#include "native/access.hpp"

namespace heddle::symmetry {

State state;

namespace {

bool directly_after_last_create(const Thread& t) {
  return state.twin[t.id].last_child != kNoThread && own_clock(t) == state.twin[t.id].last_create;
}

bool ignores_argument(const void* function) {
  const Image::Function* const f = function_at(address(function));
  return f != nullptr && f->ignores_argument;
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
  HEDDLE_ASSERT(e != 0 && by != t.id);
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

[[noreturn]] void told_apart_by_address() {
  fail(ErrorKind::symmetry,
       "threads that can be exchanged are told apart by addresses of their memory; use --no-symmetry");
}

// Whether t, or a thread that it descends from, has been found to have a twin.
bool is_exchanged(ThreadId t) {
  for (; t != kNoThread && t != kMain; t = thread(t).parent) {
    if (state.twin[t].found) return true;
  }
  return false;
}

bool watched() { return cell::state.hooks.meets != nullptr; }

// The thread whose memory this is.
ThreadId owner(Address a) {
  if (region::in_stack(a)) return ThreadId((a - region::kStacks) / region::kStackSize);
  return region::in_arena(a) && !region::in_own_arena(a) ? heap::owner(a) : kNoThread;
}

// Whether the address is another one after an exchange.
bool moves(Address a) {
  const ThreadId t = owner(a);
  return t != kNoThread && index(t) < rt.known_threads && is_exchanged(t);
}

void look_at_part(uint64_t word) {
  if (moves(word)) told_apart_by_address();
}

// From the first found twins of an execution on, accesses tell of more than races.
void watch(bool on) {
  undo::keep(cell::state.hooks);
  undo::keep(cell::state.thorough);
  cell::state.hooks.meets = on ? meet : nullptr;
  cell::state.hooks.part = on ? look_at_part : nullptr;
  cell::settle_hooks();
}

void tell_own_place(const Thread& t, Action& action) { action.own = heap::own_place(t, action.addr); }

}  // namespace

void note(Thread& parent, Thread& child, ThreadId twin, bool declared) {
  if (!rt.options.symmetry) return;
  state.used = true;
  Twin& p = state.twin[parent.id];
  Twin& c = state.twin[child.id];
  HEDDLE_ASSERT(child.parent == parent.id);
  HEDDLE_ASSERT(twin == kNoThread || (twin == p.last_child && thread(twin).parent == parent.id && twin != child.id));
  undo::keep(p);
  undo::keep(c);
  p.last_child = child.id;
  p.last_create = own_clock(parent);
  c.created_at = c.class_start = own_clock(parent);
  if (twin == kNoThread || declared) return;
  c.before = twin;
  c.class_start = state.twin[twin].class_start;
  HEDDLE_ASSERT(c.class_start <= state.twin[twin].created_at && state.twin[twin].created_at <= c.created_at);
  undo::keep(state.twin[twin]);
  state.twin[twin].found = c.found = true;
  p.has_found = true;
  watch(true);
}

void come_between(const Thread& t) {
  if (!state.used) return;
  undo::keep(state.twin[t.id]);
  state.twin[t.id].last_child = kNoThread;
  if (is_exchanged(t.id)) {
    fail(ErrorKind::symmetry,
         "a thread that can be exchanged with another changes the state of the process; use --no-symmetry");
  }
}

void note_join(const Thread& t, const Thread& child) {
  if (!state.twin[child.id].found) return;
  HEDDLE_ASSERT(state.twin[child.id].joined_by == kNoThread);  // a thread is joined once
  undo::keep(state.twin[child.id]);
  undo::keep(state.twin[t.id]);
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

void reset() {
  HEDDLE_ASSERT(state.used || cell::state.hooks.meets == nullptr);
  if (!state.used) return;
  state.used = false;
  for (const ThreadId t : rt.threads) {
    Twin& twin = state.twin[t];
    twin.last_child = twin.before = twin.joined_by = kNoThread;
    twin.found = twin.has_found = twin.apart = false;
  }
  if (cell::state.hooks.meets != nullptr) watch(false);
}

}  // namespace heddle::symmetry

namespace heddle {

using symmetry::moves;
using symmetry::owner;
using symmetry::told_apart_by_address;
using symmetry::watched;

// The blocks of a thread have the same order in its arena as those of its twins in theirs. What lies before all
// arenas of threads, null for example, lies before each of them.
void abi::__heddle_order(const void* a, const void* b, uint32_t site) {
  if (!watched()) return;
  cell::tell_unseen();
  constexpr Address kOfThreads = region::kArenas + region::kArenaSize;
  const bool moved = moves(address(a));
  const bool other_moved = moves(address(b));
  if (!moved && (!other_moved || address(a) < kOfThreads)) return;
  if (!other_moved && address(b) < kOfThreads) return;
  if (moved && other_moved && owner(address(a)) == owner(address(b))) return;
  rt.site = SiteId(site);
  told_apart_by_address();
}

// Only in one block: what lies between two of them depends on where the arena begins if one is aligned.
void abi::__heddle_subtract(const void* a, const void* b, uint32_t site) {
  if (!watched()) return;
  cell::tell_unseen();
  const bool moved = moves(address(a));
  if (moved == moves(address(b))) {
    if (!moved) return;
    const Thread& t = thread(owner(address(a)));
    const Address place = heap::own_place(t, address(a));
    if (place != 0 && place >> 32 == heap::own_place(t, address(b)) >> 32) return;
  }
  rt.site = SiteId(site);
  told_apart_by_address();
}

void abi::__heddle_inspect(uint64_t a, uint32_t site) {
  if (!watched()) return;
  cell::tell_unseen();
  if (!moves(a)) return;
  rt.site = SiteId(site);
  told_apart_by_address();
}

// Addresses in memory lie in words: what lies across two would not be recognised.
void abi::__heddle_inspect_place(const void* p, uint64_t value, uint32_t site) {
  if ((address(p) & cell::kWordMask) != 0) abi::__heddle_inspect(value, site);
}

// Of a private variable, or a single load: other copies the machine sees.
void abi::__heddle_inspect_copy(const void* to, const void* from, uint64_t size, uint32_t site) {
  constexpr uint64_t kLargestLoad = 64;
  const Address first = address(from);
  if (!watched() || size == 0) return;
  const bool is_local = region::in_stack(first) && region::in_stack(first + size - 1);
  if (!is_local && (size > kLargestLoad || !cell::covered(first) || !cell::is_memory(first))) return;
  if (((address(to) ^ first) & cell::kWordMask) != 0) return abi::__heddle_inspect_bytes(from, size, site);
  if ((first & cell::kWordMask) != 0) abi::__heddle_inspect(cell::word_at(first), site);
  if (((first + size) & cell::kWordMask) != 0) abi::__heddle_inspect(cell::word_at(first + size), site);
}

void abi::__heddle_inspect_bytes(const void* p, uint64_t size, uint32_t site) {
  if (!watched() || size == 0) return;
  cell::tell_unseen();
  constexpr Address kWord = sizeof(uint64_t);
  const bool known = cell::covered(address(p)) || region::in_stack(address(p));
  if (!known) return;
  for (Address a = address(p) & ~(kWord - 1); a < address(p) + size; a += kWord) {
    if (!cell::covered(a) && !region::in_stack(a)) return;
    uint64_t word;
    std::memcpy(&word, pointer(a), kWord);
    abi::__heddle_inspect(word, site);
  }
}

}  // namespace heddle
