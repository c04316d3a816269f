// What a thread and the process do when they end: exit handlers, destructors of static and thread_local objects,
// thread-specific values (pthread keys).
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
  uint32_t epoch = 0;  // of the registration
};
struct Key {
  uint32_t number;
  void (*destructor)(void*);
  bool deleted = false;
};

struct OfThread {
  HostVector<KeyValue> values;
  HostVector<Destructor> at_exit;          // of the thread
  HostVector<Destructor> at_process_exit;  // atexit and destructors of static objects, registered by this thread
  uint32_t keys_created = 0;
};

struct State {
  bool used = false;  // in this execution; else all is empty
  HostVector<Key> keys;
  PerThread<OfThread> of;
};
extern State state;

void at_thread_exit(void (*function)(void*), void* object);
void at_process_exit(void (*function)(void*), void* object);

// Keys. A key's number follows from its creator's path and its place among the creator's keys, not from the schedule.
uint32_t create_key(void (*destructor)(void*));
bool delete_key(uint32_t key);
void set_value(uint32_t key, void* value);
void* value(uint32_t key);

// The end of the current thread: destructors, then the action. If its function has not returned, its local variables
// end here.
[[noreturn]] void exit_thread(void* result, bool returned = false);
// What exit() does before the process ends.
void run_exit_handlers();

// Back to the state before main, of the threads in rt.threads.
void reset();

using Saved = State;
inline Saved save() { return state; }
inline void restore(const Saved& saved) { state = saved; }

}  // namespace heddle::exits
