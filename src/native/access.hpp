// The program's accesses, as the entry points and the library functions make them: atomic.cpp and plain.cpp.
#pragma once

#include <atomic>
#include <bit>
#include <cstring>

#include "native/shadow.hpp"

namespace heddle {

constexpr bool in_null_page(Address a) { return a < 4096; }

[[noreturn]] void fail_null(Address a, bool writes);
// Before a native access to memory without cells: what the system's libraries have, and wild pointers.
void admit_outside(Address a, bool writes);

inline Value read_memory(Address a, unsigned size) {
  HEDDLE_ASSERT(size <= sizeof(Value));
  Value v;
  std::memcpy(&v, pointer(a), size);
  return v;
}
inline void write_memory(Address a, Value v, unsigned size) {
  HEDDLE_ASSERT(size <= sizeof v);
  std::memcpy(pointer(a), &v, size);
}

// The contents of memory that no action has written. A wild pointer may lead into the part of the image that is not
// there; it reads as zero, and the access fails when it is performed.
Value base_value(Address a, unsigned size);

namespace access {

struct State {
  Address probe = 0;  // memory outside the region that a checked access touches just now
  PerThread<HostVector<std::byte>> scratch;
};
extern State state;

// Back to the state before main. There is nothing to save: between two actions no access is under way.
inline void reset() { state.probe = 0; }

// Around a native access that may fault. The compiler must see that the signal handler looks at the probe.
inline void begin_probe(Address a) {
  state.probe = a;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}
inline void end_probe() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.probe = 0;
}

}  // namespace access

// Atomic accesses: actions, or done at once if no thread could notice.
Value atomic_load(Address a, unsigned size, AtomicOrder order, Value expected = {});
void atomic_store(Address a, unsigned size, Value value, AtomicOrder order);
Value atomic_cas(Address a, unsigned size, Value expected, Value desired, AtomicOrder order);
Value atomic_rmw(Address a, unsigned size, RmwOp op, Value operand, AtomicOrder order, Value expected = {});
void atomic_fence();  // sequentially consistent

// Plain accesses to shared memory of any length. `out` and `in` are private. (plain.cpp)
void plain_read(Address a, void* out, uint64_t n, cell::Uninitialised uninitialised = cell::Uninitialised::refuse);
void plain_write(Address a, const void* in, uint64_t n);
void plain_copy(Address to, Address from, uint64_t n);  // as memmove
// As memcpy wants it: what is copied is not written meanwhile. Onto itself it may be.
void check_apart(Address to, Address from, uint64_t n);
void plain_fill(Address a, int byte, uint64_t n);
// For native code that reads the program's memory itself: puts there what the thread reads, which after an action may
// be something else than what stands in memory.
void plain_refresh(Address a, uint64_t n);
// Accesses to what the machine itself keeps in an object of the program, such as a mutex's kind: checked like plain
// accesses, but never actions.
uint32_t hidden_read4(Address a);
void hidden_write4(Address a, uint32_t value);

template <typename T>
T plain_get(const T* p) {
  T v;
  plain_read(address(p), &v, sizeof v);
  return v;
}
template <typename T>
void plain_put(T* p, T v) {
  if constexpr (sizeof v == 8) {
    abi::__heddle_plain_store8(p, std::bit_cast<uint64_t>(v), static_cast<uint32_t>(rt.site));
  } else {
    plain_write(address(p), &v, sizeof v);
  }
}

// Whether the thread, which stands before an await, would fail if it did not get what it waits for, and went round.
bool round_fails(const Thread& t, Clock clock);

// Any of 0 .. bound-1.
uint64_t choose(uint32_t bound, Purpose purpose = Purpose::access);

}  // namespace heddle
