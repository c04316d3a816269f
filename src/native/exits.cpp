#include "native/exits.hpp"

#include <pthread.h>

#include <algorithm>

namespace heddle::exits {

State state;

namespace {

OfThread& mine() {
  state.used = true;
  return state.of[rt.current->id];
}

// Main and its children have 65535 keys each, numbered in turn. The keys of nested threads have numbers with the
// highest bit set, too many to be told apart in all cases.
uint32_t number(ThreadPath path, uint32_t n) {
  const auto p = static_cast<uint64_t>(path);
  if (p <= 0xff && n <= 0xffff) return static_cast<uint32_t>(p << 16) | n;
  uint64_t mixed = p * 0x9e3779b97f4a7c15u + n;  // splitmix64
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
  return static_cast<uint32_t>(mixed >> 33) | 1u << 31;
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
      void (*destructor)(void*) = nullptr;
      for (const Key& k : state.keys)
        if (k.number == key && !k.deleted) destructor = k.destructor;
      if (value == nullptr || destructor == nullptr) continue;
      mine().values[i].value = nullptr;
      again = true;
      destructor(value);
    }
    if (!again) return;
  }
}

void run_last_first(HostVector<Destructor>& list) {
  while (!list.empty()) {
    const Destructor d = list.back();
    list.pop_back();
    d.function(d.object);
  }
}

}  // namespace

void at_thread_exit(void (*function)(void*), void* object) { mine().at_exit.push_back({function, object}); }

void at_process_exit(void (*function)(void*), void* object) {
  end_quiet();
  mine().at_process_exit.push_back({function, object, epoch::current(*rt.current)});
}

uint32_t create_key(void (*destructor)(void*)) {
  const uint32_t key = number(rt.current->path, ++mine().keys_created);
  if (std::ranges::find(state.keys, key, &Key::number) != state.keys.end())
    refuse("two keys of thread-specific data that nested threads have created cannot be told apart");
  state.keys.push_back({key, destructor});
  return key;
}

bool delete_key(uint32_t key) {
  const auto it = std::ranges::find(state.keys, key, &Key::number);
  if (it == state.keys.end() || it->deleted) return false;
  it->deleted = true;
  return true;
}

void set_value(uint32_t key, void* value) {
  KeyValue* const v = slot(key);
  if (v != nullptr) {
    v->value = value;
  } else {
    mine().values.push_back({key, value});
  }
}

void* value(uint32_t key) {
  const KeyValue* const v = slot(key);
  return v == nullptr ? nullptr : v->value;
}

// Only what was registered before in every schedule: by this thread, or by one that it is ordered after. The lists of
// others come first: static objects of functions are mostly younger than those of files.
void run_exit_handlers() {
  if (!state.used) return;
  Thread& t = *rt.current;
  run_last_first(mine().at_exit);
  for (std::size_t i = 0; i < rt.threads.size(); ++i) {
    const ThreadId other = rt.threads[i];
    if (other == t.id) continue;
    HostVector<Destructor> ordered;
    std::erase_if(state.of[other].at_process_exit, [&](const Destructor& d) {
      if (!epoch::happens_before(d.epoch, t)) return false;
      ordered.push_back(d);
      return true;
    });
    run_last_first(ordered);
  }
  run_last_first(mine().at_process_exit);
}

void exit_thread(void* result, bool returned) {
  if (rt.rehearsal != nullptr) rt.rehearsal->forbid("end the thread");
  Thread& t = *rt.current;
  if (!returned) lifetime::end_locals();
  if (state.used) {
    run_last_first(mine().at_exit);
    run_key_destructors();
  }
  void* const tls = heap::state.arena[t.id].tls;
  if (tls != nullptr) lifetime::end_local(tls);
  t.result = result;
  take(t, ActionKind::exit, 0, [](Action&) {});
  t.exit_clock = own_clock(t);
  t.pending = Action{};  // done
  park();
  std::abort();
}

void reset() {
  if (!state.used) return;
  state.used = false;
  for (const ThreadId t : rt.threads) {
    OfThread& of = state.of[t];
    of.values.clear();
    of.at_exit.clear();
    of.at_process_exit.clear();
    of.keys_created = 0;
  }
  state.keys.clear();
}

}  // namespace heddle::exits
