#include "native/exits.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <utility>

#include "native/access.hpp"
#include "native/names.hpp"

namespace heddle::exits {

State state;

namespace {

OfThread& mine() {
  state.used = true;
  OfThread& me = state.of[rt.current->id];
  if (!undo::state.on || me.kept == undo::state.segment) return me;
  undo::keep(me.kept);
  undo::keep(me.keys_created);
  undo::keep(me.keys_deleted);
  undo::keep_list(me.values);
  undo::keep_list(me.at_exit);
  undo::keep_list(me.at_process_exit);
  undo::keep_list(me.at_quick_exit);
  undo::keep(me.leaving);
  undo::keep(me.left_at);
  undo::keep_list(me.ran);
  undo::keep_list(me.blocks);
  me.kept = undo::state.segment;
  return me;
}

// Main and its children have 65535 keys each, numbered in turn. The keys of nested threads have numbers above theirs,
// too few to be told apart in all cases.
constexpr uint32_t kNested = 1 << 24;
static_assert(2 * kNested == names::kKeyCount);

uint32_t number(ThreadPath path, uint32_t n) {
  HEDDLE_ASSERT(n != 0 && n <= 0xffff);
  const auto p = static_cast<uint64_t>(path);
  if (p <= 0xff) return static_cast<uint32_t>(p << 16) | n;
  uint64_t mixed = p * 0x9e3779b97f4a7c15u + n;  // splitmix64
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
  return static_cast<uint32_t>(mixed >> 40) | kNested;
}

// The state of a key: nothing, then there, then deleted. Creation and deletion synchronise with threads that see them.
constexpr Value kThere{1, 0};
constexpr Value kDeleted{2, 0};
Address place_of(uint32_t key) {
  HEDDLE_ASSERT(key < names::kKeyCount);
  return names::kKeys + key;
}

bool is_there(uint32_t key) {
  if (key >= names::kKeyCount) return false;
  return atomic_load(place_of(key), 1, {Mode::acq, Mode::na, Purpose::other}) == kThere;
}

KeyValue* slot(uint32_t key) {
  if (!state.used) return nullptr;
  for (KeyValue& v : mine().values)
    if (v.key == key) return &v;
  return nullptr;
}

// Destructors may set values again; POSIX lets an implementation give up after some rounds.
void run_key_destructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool again = false;
    for (std::size_t i = 0; i < mine().values.size(); ++i) {
      const auto [key, value] = mine().values[i];
      if (value == nullptr) continue;
      const auto it = std::ranges::find(state.keys, key, &Key::number);
      if (it == state.keys.end() || it->destructor == nullptr) continue;
      void (*const destructor)(void*) = it->destructor;
      if (!is_there(key)) continue;
      mine().values[i].value = nullptr;
      again = true;
      destructor(value);
    }
    if (!again) return;
  }
}

// `list()`: what is left.
template <typename List>
void run_last_first(const List& list) {
  while (!list().empty()) {
    const Destructor d = list().back();
    list().pop_back();
    d.function(d.object);
  }
}
void run_mine(HostVector<Destructor> OfThread::* list) {
  run_last_first([&]() -> auto& { return mine().*list; });
}

// The handlers that a thread has added, and how many there are of all threads.
struct Handlers {
  HostVector<Destructor> OfThread::* of;
  Address count;
  Address begun;
};
constexpr Handlers kExit{&OfThread::at_process_exit, names::kAtExit, names::kExits};
constexpr Handlers kQuickExit{&OfThread::at_quick_exit, names::kAtQuickExit, names::kQuickExits};
constexpr uint64_t kClosed = uint64_t{1} << 63;  // is added to the count when none is left

// Whether it is not too late.
bool add(const Handlers& handlers, void (*function)(void*), void* object) {
  end_quiet();
  const uint64_t count = atomic_rmw(handlers.count, 8, RmwOp::add, {1, 0}, {Mode::rel, Mode::na, Purpose::at_exit}).lo;
  if ((count & kClosed) != 0) return false;
  HostVector<Destructor>& list = mine().*handlers.of;
  HEDDLE_ASSERT(list.empty() || list.back().place < count);
  list.push_back({function, object, count});
  return true;
}

}  // namespace

void at_thread_exit(void (*function)(void*), void* object) { mine().at_exit.push_back({function, object}); }

bool at_process_exit(void (*function)(void*), void* object) { return add(kExit, function, object); }
bool at_quick_exit(void (*function)(void*), void* object) { return add(kQuickExit, function, object); }

void end_with_thread(void* block) { mine().blocks.push_back(block); }

bool create_key(uint32_t* key, void (*destructor)(void*)) {
  constexpr uint32_t kMostKeys = 0xffff;
  OfThread& me = mine();
  if (me.keys_created - std::min(me.keys_created, me.keys_deleted) >= PTHREAD_KEYS_MAX) return false;
  if (me.keys_created == kMostKeys) {
    HostScope scope;
    refuse(fmt::format("{} creates more than {} keys of thread-specific data in one execution ({})",
                       who(rt.current->id), kMostKeys, place(rt.site)));
  }
  *key = number(rt.current->path, ++me.keys_created);
  if (std::ranges::find(state.keys, *key, &Key::number) != state.keys.end())
    refuse("two keys of thread-specific data that nested threads have created cannot be told apart");
  undo::keep_size(state.keys);
  state.keys.push_back({*key, destructor});
  atomic_store(place_of(*key), 1, kThere, {Mode::rel, Mode::na, Purpose::other});
  return true;
}

bool delete_key(uint32_t key) {
  if (key >= names::kKeyCount) return false;
  const Value before = atomic_cas(place_of(key), 1, kThere, kDeleted, {Mode::acqrel, Mode::acq, Purpose::other});
  if (before != kThere) return false;
  ++mine().keys_deleted;
  return true;
}

bool set_value(uint32_t key, void* value) {
  if (!is_there(key)) return false;
  KeyValue* const v = slot(key);
  if (v != nullptr) {
    v->value = value;
  } else {
    mine().values.push_back({key, value});
  }
  HEDDLE_ASSERT(std::ranges::count(mine().values, key, &KeyValue::key) == 1);
  return true;
}

void* value(uint32_t key) {
  const KeyValue* const v = slot(key);
  if (v == nullptr || v->value == nullptr) return nullptr;
  void* const value = v->value;
  return is_there(key) ? value : nullptr;
}

namespace {

constexpr AtomicOrder kLooks{Mode::acq, Mode::acq, Purpose::exit};

// Whether another thread has begun to run them, as the current one knows.
bool has_begun(const Handlers& handlers, ThreadId id) {
  const Thread& t = *rt.current;
  const OfThread& other = state.of[id];
  const std::size_t u = index(id);
  return id != t.id && other.leaving == handlers.count && u < t.clock_size && t.clock[u] > other.left_at;
}

// Whether no other thread can add a handler or leave.
bool is_alone() { return !rt.image->uses.exit_handlers || threads::is_last(*rt.current); }

// These tell how many handlers there are.
constexpr uint64_t kAll = ~uint64_t{0};
uint64_t look(const Handlers& handlers) { return atomic_rmw(handlers.count, 8, RmwOp::add, {}, kLooks).lo; }
uint64_t begin_to_leave(const Handlers& handlers) {
  const bool alone = is_alone();
  if (std::ranges::any_of(rt.threads, [&](ThreadId id) { return has_begun(handlers, id); }) ||
      (!alone && atomic_cas(handlers.begun, 4, {}, {1, 0}, kLooks) != Value{}))
    block(BlockReason::leaves);
  OfThread& me = mine();
  me.leaving = handlers.count;
  me.left_at = own_clock(*rt.current);
  // Who has added none may as well try to close the list at once.
  return alone ? kAll : (me.*handlers.of).empty() ? 0 : look(handlers);
}
// Closes the list, if there are so many.
uint64_t close(const Handlers& handlers, uint64_t count) {
  return atomic_cas(handlers.count, 8, {count, 0}, {count | kClosed, 0}, kLooks).lo;
}

// The last of the first so many handlers that has not run; null if there is none.
const Destructor* next_handler(const Handlers& handlers, uint64_t count) {
  const Destructor* last = nullptr;
  for (const ThreadId t : rt.threads) {
    for (const Destructor& d : state.of[t].*handlers.of) {
      if (d.place >= count || std::ranges::find(mine().ran, d.place) != mine().ran.end()) continue;
      HEDDLE_ASSERT(last == nullptr || last->place != d.place);
      if (last == nullptr || last->place < d.place) last = &d;
    }
  }
  return last;
}

// The last one first, whichever thread has added it; and before it what has been added since.
void run(const Handlers& handlers) {
  if (!state.used && !rt.image->uses.exit_handlers) return;
  uint64_t count = mine().leaving == 0 ? begin_to_leave(handlers) : is_alone() ? kAll : look(handlers);
  for (;;) {
    if (const Destructor* const d = next_handler(handlers, count)) {
      mine().ran.push_back(d->place);
      const Destructor handler = *d;
      handler.function(handler.object);
      if (is_alone()) {
        count = kAll;
      } else if (count == kAll || next_handler(handlers, count) != nullptr) {
        count = look(handlers);
      }
      continue;
    }
    if (count == kAll) return;
    const uint64_t now = close(handlers, count);
    if (now == count) return;
    count = now;
  }
}

// When main ends by pthread_exit, the last thread to end runs the exit handlers. That is main if all others have ended
// before; else it depends on the schedule which one it is.
void end_process_with_main() {
  if (threads::is_last(*rt.current)) return run(kExit);
  const auto is_programs = [](const Destructor& d) {
    return function_at(reinterpret_cast<Address>(d.function)) != nullptr;
  };
  const bool handlers = std::ranges::any_of(
      rt.threads, [&](ThreadId id) { return std::ranges::any_of(state.of[id].at_process_exit, is_programs); });
  if (!handlers) return;
  HostScope scope;
  refuse(
      fmt::format("main calls pthread_exit while other threads run, and there are exit handlers or destructors of "
                  "static objects for the last of them to call ({}): not supported; join the threads first",
                  place(rt.site)));
}

[[noreturn]] void leave(void* result) {
  Thread& t = *rt.current;
  void* const tls = heap::state.arena[t.id].tls;
  if (tls != nullptr) lifetime::end_local(tls);
  if (state.used)
    for (void* const block : mine().blocks) lifetime::end_local(block);
  t.result = result;
  take(t, ActionKind::exit, 0, [](Action&) {});
  note_exit(t);
  park();
  std::abort();
}

}  // namespace

void note_exit(Thread& t) {
  HEDDLE_ASSERT(t.exit_clock == 0);  // a thread ends once
  t.exit_clock = own_clock(t);
  t.pending = Action{};  // done
}

void run_exit_handlers() {
  if (state.used) run_mine(&OfThread::at_exit);
  run(kExit);
}

void run_quick_exit_handlers() { run(kQuickExit); }

void exit_thread(void* result, bool returned) {
  if (rt.rehearsal != nullptr) rt.rehearsal->forbid("end the thread");
  if (!returned) lifetime::end_locals();
  if (state.used) {
    run_mine(&OfThread::at_exit);
    run_key_destructors();
    if (rt.current->id == kMain) end_process_with_main();
  }
  leave(result);
}

void exit_main() {
  rt.current->returned = true;
  leave(nullptr);
}

void reset() {
  HEDDLE_ASSERT(state.used || (state.keys.empty() && std::ranges::all_of(rt.threads, [](ThreadId t) {
                                 const OfThread& of = state.of[t];
                                 return of.values.empty() && of.at_exit.empty() && of.at_process_exit.empty() &&
                                        of.at_quick_exit.empty() && of.ran.empty() && of.leaving == 0 &&
                                        of.blocks.empty() && of.keys_created == 0;
                               })));
  if (!state.used) return;
  state.used = false;
  for (const ThreadId t : rt.threads) {
    OfThread& of = state.of[t];
    of.values.clear();
    of.at_exit.clear();
    of.at_process_exit.clear();
    of.at_quick_exit.clear();
    of.ran.clear();
    of.leaving = 0;
    of.left_at = 0;
    of.blocks.clear();
    of.keys_created = of.keys_deleted = 0;
  }
  for (const Key& k : state.keys) write_memory(place_of(k.number), {}, 1);
  for (const Handlers& handlers : {kExit, kQuickExit}) {
    write_memory(handlers.count, {}, 8);
    write_memory(handlers.begun, {}, 4);
  }
  state.keys.clear();
}

}  // namespace heddle::exits
