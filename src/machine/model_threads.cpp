// Threads, keys and thread-specific storage: pthread.h and threads.h. A thread's handle is its id plus one.
#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "machine/access.hpp"
#include "machine/heap.hpp"
#include "machine/helping.hpp"
#include "machine/models.hpp"
#include "machine/twins.hpp"

namespace heddle::models {
namespace {

unsigned long handle(ThreadId t) { return index(t) + 1; }

// The thread that a handle names in this execution; kNoThread if none.
ThreadId named(unsigned long handle) {
  if (handle == 0 || handle > rt.known_threads || !rt.thread[handle - 1].created_now) return kNoThread;
  return ThreadId(handle - 1);
}

[[noreturn]] void too_many_threads() {
  HostScope scope;
  const std::string message =
      "the program creates more than " + std::to_string(region::kMaxThreads) + " different threads";
  if (rt.current == nullptr) throw UserError(message);
  refuse(message);
}

// The handle is stored before the create: as in practice, the new thread can read it.
int create(unsigned long* out, void* function, void* argument, bool c11, ThreadId declared = kNoThread) {
  if (rt.dry) helping::dry_other("creates a thread");
  Thread& t = *rt.current;
  const ThreadId id = nth_child(t, t.created++);
  plain_put(out, handle(id));
  const ThreadId twin = declared != kNoThread ? declared : twins::find(t, function, argument, c11);
  take(t, ActionKind::create, 0, [&](Action& x) {
    x.child = id;
    x.twin = twin;
  });
  Thread& child = thread(id);
  twins::note(t, child, twin, declared != kNoThread);
  child.function = function;
  child.argument = argument;
  child.c11 = c11;
  child.start_clock.assign(t.clock, t.clock + t.clock_size);
  child.created_now = true;
  rt.threads.push_back(id);
  rt.concurrent = true;
  return 0;
}

int join(unsigned long who, void** result) {
  const ThreadId id = named(who);
  if (id == kNoThread) return ESRCH;
  if (id == rt.current->id) return EDEADLK;
  if (rt.dry) helping::dry_other("joins a thread");
  take(*rt.current, ActionKind::join, 0, [&](Action& x) { x.child = id; });
  twins::note_join(*rt.current, thread(id));
  *result = thread(id).result;
  return 0;
}

int pthread_create_(pthread_t* out, const pthread_attr_t*, void* (*function)(void*), void* argument) {
  return create(out, reinterpret_cast<void*>(function), argument, false);
}
int pthread_join_(pthread_t who, void** out) {
  void* result = nullptr;
  const int status = join(who, &result);
  if (status == 0 && out != nullptr) {
    twins::result_taken(thread(named(who)));
    plain_put(out, result);
  }
  return status;
}
int pthread_detach_(pthread_t who) { return named(who) == kNoThread ? ESRCH : 0; }
pthread_t pthread_self_() { return handle(rt.current->id); }
int pthread_equal_(pthread_t a, pthread_t b) { return a == b; }
void pthread_exit_(void* result) { exit_thread(result); }
int yield() { return 0; }

// Attributes change nothing here: stack sizes, scheduling and detachment have no effect on what a program computes.
int attribute(void*) { return 0; }
int set_attribute(void*, long) { return 0; }
int get_detach_state(const void*, int* out) {
  plain_put(out, static_cast<int>(PTHREAD_CREATE_JOINABLE));
  return 0;
}

int thrd_create_(thrd_t* out, thrd_start_t function, void* argument) {
  create(out, reinterpret_cast<void*>(function), argument, true);
  return thrd_success;
}
int thrd_join_(thrd_t who, int* out) {
  void* result = nullptr;
  if (join(who, &result) != 0) return thrd_error;
  if (out != nullptr) {
    twins::result_taken(thread(named(who)));
    plain_put(out, static_cast<int>(reinterpret_cast<intptr_t>(result)));
  }
  return thrd_success;
}
int thrd_detach_(thrd_t who) { return named(who) == kNoThread ? thrd_error : thrd_success; }
void thrd_exit_(int result) { exit_thread(reinterpret_cast<void*>(static_cast<intptr_t>(result))); }
int thrd_sleep_(const timespec*, timespec*) { return 0; }
void thrd_yield_() {}

// The promise that the two can be exchanged is the program's. `out` is on the fibre's stack: nobody else sees it.
pthread_t spawn_symmetric(void* (*function)(void*), void* argument, pthread_t twin) {
  unsigned long out = 0;
  auto* const f = reinterpret_cast<void*>(function);
  create(&out, f, argument, false, twins::declared(*rt.current, f, named(twin)));
  return out;
}
void* join_symmetric(pthread_t who) {
  void* result = nullptr;
  if (join(who, &result) != 0) fail(ErrorKind::annotation, "there is no such thread to join");
  twins::result_taken(thread(named(who)));
  return result;
}

// A key is named by its creator and its number among the creator's keys, so that names do not depend on the schedule.
int key_create(pthread_key_t* out, void (*destructor)(void*)) {
  Thread& t = *rt.current;
  twins::come_between(t);
  const auto id = static_cast<uint32_t>(t.id) << 16 | ++t.keys_created;
  rt.keys.push_back({id, destructor});
  plain_put(out, id);
  return 0;
}
int key_delete(pthread_key_t key) {
  twins::come_between(*rt.current);
  return std::erase_if(rt.keys, [&](const Key& k) { return k.id == key; }) == 0 ? EINVAL : 0;
}
KeyValue* slot(pthread_key_t key) {
  for (KeyValue& v : rt.current->keys)
    if (v.key == key) return &v;
  return nullptr;
}
int set_specific(pthread_key_t key, const void* value) {
  KeyValue* const v = slot(key);
  if (v != nullptr) {
    v->value = const_cast<void*>(value);
  } else {
    rt.current->keys.push_back({key, const_cast<void*>(value)});
  }
  return 0;
}
void* get_specific(pthread_key_t key) {
  const KeyValue* const v = slot(key);
  return v == nullptr ? nullptr : v->value;
}
void tss_delete_(tss_t key) { key_delete(key); }

// Destructors may set values again; POSIX lets an implementation give up after some rounds.
void run_key_destructors(Thread& t) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool again = false;
    for (std::size_t i = 0; i < t.keys.size(); ++i) {
      void* const value = t.keys[i].value;
      void (*destructor)(void*) = nullptr;
      for (const Key& k : rt.keys)
        if (k.id == t.keys[i].key) destructor = k.destructor;
      if (value == nullptr || destructor == nullptr) continue;
      t.keys[i].value = nullptr;
      again = true;
      destructor(value);
    }
    if (!again) return;
  }
}

int thread_at_exit(void (*function)(void*), void* object, void*) {
  rt.current->at_exit.push_back({function, object});
  return 0;
}
int process_at_exit(void (*function)(void*), void* object, void*) {
  twins::come_between(*rt.current);
  rt.quiet = false;
  rt.current->at_process_exit.push_back({function, object, cell::current_epoch(*rt.current)});
  return 0;
}
int at_exit(void (*function)()) {
  return process_at_exit(reinterpret_cast<void (*)(void*)>(function), nullptr, nullptr);
}
int at_quick_exit(void (*)()) { return 0; }

void run_last_first(HostVector<Destructor>& list) {
  while (!list.empty()) {
    const Destructor d = list.back();
    list.pop_back();
    d.function(d.object);
  }
}

}  // namespace

// A child keeps its id in all executions, whichever thread happens to be created first. Those before it may not be
// known yet.
ThreadId nth_child(Thread& t, uint32_t n) {
  if (n < t.children.size() && t.children[n] != kNoThread) return t.children[n];
  if (rt.known_threads == region::kMaxThreads) too_many_threads();
  const auto id = ThreadId(rt.known_threads++);
  Thread& child = thread(id);
  child.id = id;
  child.parent = t.id;
  child.children.clear();
  if (!child.stack_open) region::open_stack(id);
  child.stack_open = true;
  reset(child);
  if (n >= t.children.size()) t.children.resize(n + 1, kNoThread);
  t.children[n] = id;
  return id;
}

// Only what was registered before in every schedule: by this thread, or by one that it is ordered after. The lists of
// others come first: static objects of functions are mostly younger than those of files.
void run_exit_handlers() {
  Thread& t = *rt.current;
  run_last_first(t.at_exit);
  for (std::size_t i = 0; i < rt.threads.size(); ++i) {
    Thread& other = thread(rt.threads[i]);
    if (&other == &t) continue;
    HostVector<Destructor> ordered;
    std::erase_if(other.at_process_exit, [&](const Destructor& d) {
      if (!cell::happens_before(d.epoch, t)) return false;
      ordered.push_back(d);
      return true;
    });
    run_last_first(ordered);
  }
  run_last_first(t.at_process_exit);
}

void exit_thread(void* result) {
  if (rt.dry) fail(ErrorKind::annotation, "an operation that others may help with must not end the thread");
  Thread& t = *rt.current;
  run_last_first(t.at_exit);
  run_key_destructors(t);
  if (t.tls != nullptr) heap::end_local(t.tls);
  t.result = result;
  take(t, ActionKind::exit, 0, [](Action&) {});
  t.exit_clock = own_clock(t);
  t.pending = Action{};  // done
  park();
  std::abort();
}

std::span<const Entry> thread_functions() {
  static const Entry table[] = {
      entry("pthread_create", pthread_create_),
      entry("pthread_join", pthread_join_),
      entry("pthread_detach", pthread_detach_),
      entry("pthread_self", pthread_self_),
      entry("pthread_equal", pthread_equal_),
      entry("pthread_exit", pthread_exit_),
      entry("pthread_yield", yield),
      entry("sched_yield", yield),
      entry("pthread_attr_init", attribute),
      entry("pthread_attr_destroy", attribute),
      entry("pthread_attr_setdetachstate", set_attribute),
      entry("pthread_attr_getdetachstate", get_detach_state),
      entry("pthread_attr_setstacksize", set_attribute),
      entry("pthread_attr_setguardsize", set_attribute),
      entry("pthread_attr_setscope", set_attribute),
      entry("pthread_attr_setinheritsched", set_attribute),
      entry("pthread_attr_setschedpolicy", set_attribute),
      entry("pthread_key_create", key_create),
      entry("pthread_key_delete", key_delete),
      entry("pthread_setspecific", set_specific),
      entry("pthread_getspecific", get_specific),
      entry("heddle_spawn_symmetric", spawn_symmetric),
      entry("heddle_join_symmetric", join_symmetric),
      entry("__VERIFIER_spawn_symmetric", spawn_symmetric),
      entry("__VERIFIER_join_symmetric", join_symmetric),
      entry("thrd_create", thrd_create_),
      entry("thrd_join", thrd_join_),
      entry("thrd_detach", thrd_detach_),
      entry("thrd_current", pthread_self_),
      entry("thrd_equal", pthread_equal_),
      entry("thrd_exit", thrd_exit_),
      entry("thrd_sleep", thrd_sleep_),
      entry("thrd_yield", thrd_yield_),
      entry("tss_create", key_create),
      entry("tss_delete", tss_delete_),
      entry("tss_set", set_specific),
      entry("tss_get", get_specific),
      entry("__cxa_atexit", process_at_exit),
      entry("atexit", at_exit),
      entry("at_quick_exit", at_quick_exit),
      entry("__cxa_thread_atexit", thread_at_exit),
      entry("__cxa_thread_atexit_impl", thread_at_exit),
  };
  return table;
}

}  // namespace heddle::models
