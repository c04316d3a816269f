// Threads, keys and thread-specific storage: pthread.h and threads.h. A thread's handle is its path plus one, so that
// it does not depend on the schedule.
#include <fmt/format.h>
#include <pthread.h>
#include <threads.h>
#include <unwind.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "library/attributes.hpp"
#include "library/clocks.hpp"
#include "library/once.hpp"
#include "library/parking.hpp"
#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"
#include "native/exits.hpp"
#include "native/symmetry.hpp"

namespace heddle::library {
namespace {

unsigned long handle(ThreadId t) { return static_cast<unsigned long>(thread(t).path) + 1; }

// The thread that a handle names in this execution; kNoThread if none.
ThreadId named(unsigned long handle) {
  const ThreadId t = handle == 0 ? kNoThread : threads::find(ThreadPath(handle - 1));
  return t == kMain || (t != kNoThread && thread(t).created_now) ? t : kNoThread;
}

// A thread is joined once or detached once. Of two such calls the one that comes second is wrong, whichever it is.
void claim(ThreadId id, const char* what, Claim::How how) {
  end_quiet();
  Claim& claim = state.claims[id];
  if (claim.how != Claim::none) {
    constexpr const char* before[] = {"", "joined", "detached", "created detached"};
    HostScope scope;
    fail(ErrorKind::thread, fmt::format("{} is {}, but it was {} before", who(id), what, before[claim.how]), claim.by,
         claim.site);
  }
  undo::keep(claim);
  claim = {how, rt.current->id, rt.site};
}

// The handle is stored before the create: as in practice, the new thread can read it.
int create(unsigned long* out, void* function, void* argument, bool c11, bool detached = false,
           ThreadId declared = kNoThread) {
  for_real("creates a thread");
  Thread& t = *rt.current;
  const ThreadId id = threads::nth_child(t, t.created++);
  plain_put(out, handle(id));
  const ThreadId twin = declared != kNoThread ? declared : symmetry::find(t, function, argument, c11);
  take(t, ActionKind::create, 0, [&](Action& x) {
    x.child = id;
    x.twin = twin;
  });
  Thread& child = thread(id);
  HEDDLE_ASSERT(!child.created_now && !child.started && child.parent == t.id);
  HEDDLE_ASSERT(state.claims[id].how == Claim::none);
  symmetry::note(t, child, twin, declared != kNoThread);
  child.function = function;
  child.named_after = function;
  child.argument = argument;
  child.c11 = c11;
  if (child.start_clock.size() < t.clock_size) child.start_clock.resize(t.clock_size);
  std::copy_n(t.clock, t.clock_size, child.start_clock.data());
  child.start_clock_size = t.clock_size;
  child.created_now = true;
  undo::keep_words([](const undo::Word*, std::size_t) { threads::remove_last(); }, 0);
  HEDDLE_ASSERT(std::ranges::find(rt.threads, id) == rt.threads.end());
  rt.threads.push_back(id);
  rt.concurrent = true;
  child.detached = detached;
  undo::keep(state.claims[id]);
  if (detached) state.claims[id] = {Claim::created_detached, t.id, rt.site};
  return 0;
}

enum class Join : uint8_t {
  plain,
  assumed,  // another branch has the case that the thread does not end
  last,     // see frontend/instrument/last_joins.cpp
};

// If main has returned, no thread gets past a join of main: the process has ended.
int join(unsigned long who, void** result, Join how = Join::plain) {
  const ThreadId id = named(who);
  if (id == kNoThread) return ESRCH;
  if (id == rt.current->id) return EDEADLK;
  for_real("joins a thread");
  if (state.claims[id].how == Claim::created_detached) claim(id, "joined", Claim::joined);
  take(*rt.current, ActionKind::join, 0, [&](Action& x) {
    x.child = id;
    x.assumed = how == Join::assumed;
    x.last = how == Join::last;
  });
  if (id == kMain && thread(id).returned) block(BlockReason::ended);
  claim(id, "joined", Claim::joined);
  undo::keep(thread(id).joined);
  thread(id).joined = true;
  symmetry::note_join(*rt.current, thread(id));
  *result = thread(id).result;
  return 0;
}

int detach(unsigned long who) {
  const ThreadId id = named(who);
  if (id == kNoThread) return ESRCH;
  for_real("detaches a thread");
  claim(id, "detached", Claim::detached);
  undo::keep(thread(id).detached);
  thread(id).detached = true;
  return 0;
}

// A thread that ends in the middle of its functions leaves each of them: destructors run, as glibc has it. The unwinder
// calls `stop` for each frame and when there is none left. What it needs must not lie on the stack that it leaves.
struct Leaving {
  _Unwind_Exception unwinding;
  void* result;
  SiteId site;
};
PerThread<Leaving> leaving;

[[noreturn]] void finish() {
  const Leaving& l = leaving[rt.current->id];
  HEDDLE_ASSERT(rt.current->pinned != 0);  // since exit_thread
  rt.site = l.site;
  give_up_onces();
  exits::exit_thread(l.result);
}
_Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*, _Unwind_Context*,
                         void*) {
  if ((actions & _UA_END_OF_STACK) != 0) finish();
  return _URC_NO_REASON;
}
void swallowed(_Unwind_Reason_Code, _Unwind_Exception*) {
  fail(ErrorKind::crash, "a catch (...) has caught the end of the thread (pthread_exit) and does not throw it again");
}

[[noreturn]] void exit_thread(void* result) {
  if (rt.rehearsal != nullptr) rt.rehearsal->forbid("end the thread");
  Leaving& l = leaving[rt.current->id];
  l = {{}, result, rt.site};
  l.unwinding.exception_cleanup = swallowed;
  ++rt.current->pinned;  // for good
  if (rt.image->uses.unwinds) _Unwind_ForcedUnwind(&l.unwinding, stop, nullptr);
  finish();
}

// What pthread_cleanup_push leaves behind in C with exceptions.
struct CleanupFrame {
  void (*routine)(void*);
  void* argument;
  int do_it;
};
void clean_up(const CleanupFrame* frame) {
  if (plain_get(&frame->do_it) != 0) plain_get (&frame->routine)(plain_get(&frame->argument));
}

int pthread_create_(pthread_t* out, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  return create(out, reinterpret_cast<void*>(function), argument, false, creates_detached(attributes));
}
// For std::thread, which runs the third virtual function of an object.
int create_of_object(pthread_t* out, void* (*function)(void*), void** object) {
  const auto* const functions = static_cast<const void* const*>(plain_get(object));
  create(out, reinterpret_cast<void*>(function), object, false);
  thread(named(plain_get(out))).named_after = functions[2];
  return 0;
}
// A pointer to a function stands last in the state of a std::thread: tuples of libstdc++ begin with their last element.
// That of std::async is a function of an object before it, in which the program's own stands last.
const Image::Function* last_function_in(const Block* state, bool of_async = false) {
  const Image::Function* function = nullptr;
  for (uint64_t at = state == nullptr ? 0 : state->size / 8 * 8; at >= 8; at -= 8) {
    Address word = 0;
    std::memcpy(&word, static_cast<const char*>(pointer(state->start)) + at - 8, sizeof word);
    if (function != nullptr && !of_async && heap::find(word) != nullptr)
      return last_function_in(heap::find(word), true);
    if (function == nullptr) function = function_at(word);
    if (function != nullptr && function->name != Image::kByPointer) return function;
  }
  return nullptr;
}
const Image::Function* last_function_in_state(const Thread& t) {
  return last_function_in(heap::starting_at(address(t.argument)));
}
const bool tells_functions = (runs_by_pointer = last_function_in_state, true);

int join_for_result(pthread_t who, void** out, Join how) {
  change();
  void* result = nullptr;
  const int status = join(who, &result, how);
  if (status == 0 && out != nullptr) {
    symmetry::result_taken(thread(named(who)));
    plain_put(out, result);
  }
  return status;
}
int pthread_join_(pthread_t who, void** out) { return join_for_result(who, out, Join::plain); }
int last_join(pthread_t who, void** out) { return join_for_result(who, out, Join::last); }
// A thread that has done all that others can see need not have ended.
int try_join(pthread_t who, void** out) {
  for_real("joins a thread");
  if (named(who) == kNoThread) return ESRCH;
  if (who == handle(rt.current->id) || choose(2) == 1) return EBUSY;
  return join_for_result(who, out, Join::assumed);
}
int clock_join(pthread_t who, void** out, clockid_t clock, const timespec* until) {
  if (until == nullptr) return pthread_join_(who, out);
  for_real("joins a thread");
  if (!is_time(until)) return EINVAL;
  if (named(who) != kNoThread && who != handle(rt.current->id) && rt.options.timeouts && choose(2) == 1) {
    reach(clock, until);
    return ETIMEDOUT;
  }
  return join_for_result(who, out, rt.options.timeouts ? Join::assumed : Join::plain);
}
int timed_join(pthread_t who, void** out, const timespec* until) { return clock_join(who, out, CLOCK_REALTIME, until); }
pthread_t pthread_self_() {
  look_who_runs();
  return handle(rt.current->id);
}
int pthread_equal_(pthread_t a, pthread_t b) { return a == b; }
void pthread_exit_(void* result) { exit_thread(result); }
int yield() { return 0; }

// A thread's name is memory of its own: only it can ask for it.
constexpr std::size_t kNameSize = 16;
void require_self(pthread_t who, const char* function) {
  if (who == handle(rt.current->id)) return;
  HostScope scope;
  refuse(
      fmt::format("{} of another thread is not supported ({}): let the thread do it itself", function, place(rt.site)));
}
int set_name(pthread_t who, const char* name) {
  char text[kNameSize] = {};
  std::size_t n = 0;
  while (n < kNameSize && (text[n] = plain_get(name + n)) != '\0') ++n;
  if (n == kNameSize) return ERANGE;
  if (named(who) == kNoThread) return ESRCH;
  if (who == handle(rt.current->id)) std::copy_n(text, kNameSize, mine().name);
  return 0;
}
int get_name(pthread_t who, char* out, std::size_t size) {
  require_self(who, "pthread_getname_np");
  const std::size_t n = std::strlen(mine().name) + 1;
  if (size < n) return ERANGE;
  plain_write(address(out), mine().name, n);
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
    symmetry::result_taken(thread(named(who)));
    plain_put(out, static_cast<int>(reinterpret_cast<intptr_t>(result)));
  }
  return thrd_success;
}
int thrd_detach_(thrd_t who) { return detach(who) == 0 ? thrd_success : thrd_error; }
void thrd_exit_(int result) { exit_thread(reinterpret_cast<void*>(static_cast<intptr_t>(result))); }
void thrd_yield_() {}

// The promise that the two can be exchanged is the program's. `out` is on the fibre's stack: no other thread sees it.
pthread_t spawn_symmetric(void* (*function)(void*), void* argument, pthread_t twin) {
  unsigned long out = 0;
  auto* const f = reinterpret_cast<void*>(function);
  create(&out, f, argument, false, false, symmetry::declared(*rt.current, f, named(twin)));
  return out;
}
void* join_symmetric(pthread_t who) {
  void* result = nullptr;
  if (join(who, &result) != 0) fail(ErrorKind::annotation, "there is no such thread to join");
  symmetry::result_taken(thread(named(who)));
  return result;
}

int key_create(pthread_key_t* out, void (*destructor)(void*)) {
  symmetry::come_between(*rt.current);
  uint32_t key = 0;
  if (!exits::create_key(&key, destructor)) return EAGAIN;
  plain_put(out, key);
  return 0;
}
int key_delete(pthread_key_t key) {
  symmetry::come_between(*rt.current);
  return exits::delete_key(key) ? 0 : EINVAL;
}
int set_specific(pthread_key_t key, const void* value) {
  return exits::set_value(key, const_cast<void*>(value)) ? 0 : EINVAL;
}
void* get_specific(pthread_key_t key) { return exits::value(key); }
int tss_create_(tss_t* out, void (*destructor)(void*)) {
  return key_create(out, destructor) == 0 ? thrd_success : thrd_error;
}
int tss_set_(tss_t key, void* value) { return set_specific(key, value) == 0 ? thrd_success : thrd_error; }
void tss_delete_(tss_t key) { key_delete(key); }

int thread_at_exit(void (*function)(void*), void* object, void*) {
  exits::at_thread_exit(function, object);
  return 0;
}
int process_at_exit(void (*function)(void*), void* object, void*) {
  symmetry::come_between(*rt.current);
  return exits::at_process_exit(function, object) ? 0 : -1;
}
int at_exit(void (*function)()) {
  return process_at_exit(reinterpret_cast<void (*)(void*)>(function), nullptr, nullptr);
}
int at_quick_exit_(void (*function)()) {
  symmetry::come_between(*rt.current);
  return exits::at_quick_exit(reinterpret_cast<void (*)(void*)>(function), nullptr) ? 0 : -1;
}

}  // namespace

std::span<const Row> thread_functions() {
  static const Row table[] = {
      row("pthread_create", pthread_create_),
      row("__heddle_thread_create", create_of_object),
      row("pthread_join", pthread_join_),
      row("__heddle_last_join", last_join),
      row("pthread_tryjoin_np", try_join, kTellsChanges),
      row("pthread_timedjoin_np", timed_join, kTellsChanges),
      row("pthread_clockjoin_np", clock_join, kTellsChanges),
      row("pthread_detach", detach),
      row("pthread_self", pthread_self_, kTellsThreadsApart | kNoSideEffects),
      row("pthread_equal", pthread_equal_, kNoSideEffects),
      row("pthread_setname_np", set_name),
      row("pthread_getname_np", get_name),
      row("pthread_exit", pthread_exit_),
      row("__pthread_cleanup_routine", clean_up),
      row("pthread_yield", yield, kYields),
      row("sched_yield", yield, kYields),
      row("pthread_key_create", key_create),
      row("pthread_key_delete", key_delete),
      row("pthread_setspecific", set_specific),
      row("pthread_getspecific", get_specific, kNoSideEffects),
      row("heddle_spawn_symmetric", spawn_symmetric),
      row("heddle_join_symmetric", join_symmetric),
      row("__VERIFIER_spawn_symmetric", spawn_symmetric),
      row("__VERIFIER_join_symmetric", join_symmetric),
      row("thrd_create", thrd_create_),
      row("thrd_join", thrd_join_),
      row("thrd_detach", thrd_detach_),
      row("thrd_current", pthread_self_, kTellsThreadsApart | kNoSideEffects),
      row("thrd_equal", pthread_equal_, kNoSideEffects),
      row("thrd_exit", thrd_exit_),
      row("thrd_yield", thrd_yield_, kYields),
      row("tss_create", tss_create_),
      row("tss_delete", tss_delete_),
      row("tss_set", tss_set_),
      row("tss_get", get_specific, kNoSideEffects),
      row("__cxa_atexit", process_at_exit, kAddsHandler),
      row("atexit", at_exit, kAddsHandler),
      row("at_quick_exit", at_quick_exit_, kAddsHandler),
      row("__cxa_at_quick_exit", at_quick_exit_, kAddsHandler),
      row("__cxa_thread_atexit", thread_at_exit),
      row("__cxa_thread_atexit_impl", thread_at_exit),
  };
  return table;
}

}  // namespace heddle::library
