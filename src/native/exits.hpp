// What a thread and the process do when they end: exit handlers, destructors of static and thread_local objects,
// thread-specific values (pthread keys).
//
// Whether a key is there is a shared location of its own (names::kKeys), so that the order of its creation, its use and
// its deletion by different threads is explored. A thread's value for the key is its own business.
//
// So is the number of exit handlers (names::kAtExit). To add one is a fetch-and-add, which tells its place in the order
// of all. An exit begins with a compare-exchange of names::kExits; the second thread that exits waits. It then reads
// the number of handlers, and again before each next one, if other threads may have added some: the last one that has
// not run is next. It acquires what each registration has released; the registrations do not acquire, because the
// standard orders nothing by them. When none is left, a compare-exchange closes the list. Whoever adds a handler later
// is told that it is too late.
#pragma once

#include "native/lifetime.hpp"

namespace heddle::exits {

struct KeyValue {
  uint32_t key;
  void* value;
};
struct Destructor {
  void (*function)(void*);
  void* object;
  uint64_t place = 0;  // of an exit handler: how many there were before
};
struct Key {
  uint32_t number;
  void (*destructor)(void*);
};

struct OfThread {
  HostVector<KeyValue> values;
  HostVector<Destructor> at_exit;          // of the thread
  HostVector<Destructor> at_process_exit;  // atexit and destructors of static objects, registered by this thread
  HostVector<Destructor> at_quick_exit;
  Address leaving = 0;       // it runs the handlers that are counted there
  uint32_t left_at = 0;      // its own clock then
  HostVector<uint64_t> ran;  // the places of those that it has run
  HostVector<void*> blocks;  // of the thread's arena, which end with it
  uint32_t keys_created = 0;
  uint32_t keys_deleted = 0;
  uint64_t kept = 0;  // the segment in which all this was kept (undo.hpp)
};

struct State {
  bool used = false;  // in this execution; else all is empty
  HostVector<Key> keys;
  PerThread<OfThread> of;
};
extern State state;

void at_thread_exit(void (*function)(void*), void* object);
// False: it is too late.
bool at_process_exit(void (*function)(void*), void* object);
bool at_quick_exit(void (*function)(void*), void* object);
// The block, a thread_local variable of ours, ends with the current thread.
void end_with_thread(void* block);

// Keys. A key's number follows from its creator's path and its place among the creator's keys, not from the schedule.
// False: there are as many keys as POSIX allows, or there is no such key.
bool create_key(uint32_t* key, void (*destructor)(void*));
bool delete_key(uint32_t key);
bool set_value(uint32_t key, void* value);
void* value(uint32_t key);

// The end of the current thread: destructors, then the action. If its function has not returned, its local variables
// end here.
[[noreturn]] void exit_thread(void* result, bool returned = false);
// The same when main has returned: values of keys are not destroyed, because the process ends and not the thread.
[[noreturn]] void exit_main();
// The exit of a thread that stands before it is performed.
void note_exit(Thread& t);
// What exit() and quick_exit() do before the process ends.
void run_exit_handlers();
void run_quick_exit_handlers();

// Back to the state before main, of the threads in rt.threads.
void reset();

}  // namespace heddle::exits
