// Hand-written programs for the native machine, and a plain sequentially consistent world to run them in.
//
// The functions of such a program call the runtime's entry points themselves, as instrumented code would. Its globals
// lie in the image part of the region.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "image/entry_points.hpp"
#include "library/library.hpp"
#include "native/native.hpp"
#include "native/region.hpp"

namespace heddle::test {

using namespace heddle::abi;

// The globals of all test programs, in the image.
struct Globals {
  int32_t a, b, c, d;
  uint64_t wide[4];
  char bytes[64];
  void* pointers[8];
  struct {
    int32_t words[10];
  } mutexes[4];
  struct Node {
    int32_t value;
    int32_t next;
  } nodes[4];
  alignas(16) uint64_t pair[2];
};
Globals& globals();

using Main = int (*)();
Image image(Main main);

template <typename F>
F* library(std::string_view name) {
  return reinterpret_cast<F*>(heddle::library::resolve(name).address);
}

// A machine with a program, and memory that gives each read the latest write.
class World {
 public:
  explicit World(Main main, NativeOptions options = {}) : World(image(main), options) {}
  World(Image image, NativeOptions options) : machine(std::move(image), options) {}

  void restart();
  // Whether the thread's pending action can be performed now.
  bool enabled(ThreadId t);
  void step(ThreadId t);
  // As far as the thread gets; the number of actions.
  int run(ThreadId t);
  // All threads in turn, lowest id first, each as far as it gets. Stops at an error.
  void run_all();
  // One action of each thread in turn.
  void run_round_robin();

  // Performs everything again on a fresh execution, with the recorded results, each thread without stopping as long as
  // the recorded order allows. to_error, and the answer: as Machine::replay_all.
  ThreadId replay(bool to_error = false);

  const Action& pending(ThreadId t) { return machine.pending(t); }
  // The error of the first thread that failed; fails the test if there is none.
  Error error();
  bool failed();
  Value value(Address a, uint8_t size);
  // What happens before the thread's next action.
  std::vector<uint32_t>& clock(ThreadId t);

  struct Event {
    ThreadId thread;
    Action action;
    Value result;
    std::vector<uint32_t> clock;
  };

  NativeMachine machine;
  std::vector<Event> events;
  std::map<uint32_t, uint32_t> choices;  // by position among all choices of the execution

 private:
  using Clocks = std::vector<uint32_t>;
  static void join(Clocks& to, const Clocks& from);

  std::map<Address, Value> memory_;
  std::map<Address, Clocks> released_;
  std::map<ThreadId, Clocks> clocks_;
  std::set<ThreadId> exited_;
  uint32_t chosen_ = 0;
};

inline constexpr ThreadId T1{1};
inline constexpr ThreadId T2{2};
inline constexpr ThreadId T3{3};

// Shorthands for instrumented code.
inline int rlx() { return static_cast<int>(Mode::rlx); }
inline int acq() { return static_cast<int>(Mode::acq); }
inline int rel() { return static_cast<int>(Mode::rel); }
inline int sc() { return static_cast<int>(Mode::sc); }
inline int load(int32_t& x, int mode = sc(), uint32_t site = 0) {
  return static_cast<int>(__heddle_load(&x, 4, mode, site));
}
inline void store(int32_t& x, int value, int mode = sc(), uint32_t site = 0) {
  __heddle_store(&x, 4, static_cast<uint32_t>(value), mode, site);
}
inline int add(int32_t& x, int value, int mode = sc(), uint32_t site = 0) {
  return static_cast<int>(__heddle_rmw(&x, 4, static_cast<int>(RmwOp::add), static_cast<uint32_t>(value), mode, site));
}
inline int read(const int32_t& x, uint32_t site = 0) { return static_cast<int>(__heddle_plain_load4(&x, site)); }
inline void write(int32_t& x, int value, uint32_t site = 0) {
  __heddle_plain_store4(&x, static_cast<uint32_t>(value), site);
}

using ThreadFunction = void* (*)(void*);
inline unsigned long spawn(ThreadFunction f, void* argument = nullptr) {
  static auto* const create = library<int(unsigned long*, const void*, ThreadFunction, void*)>("pthread_create");
  unsigned long handle = 0;
  create(&handle, nullptr, f, argument);
  return handle;
}
inline void* join(unsigned long handle) {
  static auto* const join = library<int(unsigned long, void**)>("pthread_join");
  void* result = nullptr;
  join(handle, &result);
  return result;
}

inline void* allocate(std::size_t size) { return library<void*(std::size_t)>("malloc")(size); }
inline void release(void* block) { library<void(void*)>("free")(block); }

// A program run to its end, in any order.
inline bool fine(Main main) {
  World w(main);
  w.run_all();
  return !w.failed();
}
inline Error error_of(Main main) {
  World w(main);
  w.run_all();
  return w.error();
}

}  // namespace heddle::test
