// The runtime entry points that instrumented code calls: one list. From it come the C declarations (here), the names
// and addresses for the linker (here, bindings), and LLVM's function types and attributes (frontend/ir/runtime.cpp). A
// definition or a call that does not fit the list does not compile.
//
// The front end emits calls, the native machine defines the functions, the loader binds one to the other. All run on
// the fibre of a model thread.
//
// Orders are passed as static_cast<int>(Mode), operations as static_cast<int>(RmwOp), sites as SiteId.
// Integers narrower than 32 or 64 bits travel zero-extended; pointers and floats as their bits.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::abi {

struct Pair {       // LLVM: { i64, i64 }
  uint64_t first;   // cas: the value read; round: events
  uint64_t second;  // cas: whether it succeeded; round: the last change
};

// Added to the operation of an rmw that may commute with others: the program has no use for the result.
inline constexpr int kResultUnused = 0x100;

// Added to the await of `until` where the program assumes the condition.
inline constexpr int kAssumed = 0x100;
// ... and where a round stores something anew after it: only if plain accesses are no actions.
inline constexpr int kAnew = 0x200;

// ... and where it is the first try of a retry loop: Assumptions::orders.
inline constexpr int kFirstTry = 0x400;

// ... and where the location was read just before: Action::confirms.
inline constexpr int kConfirms = 0x800;

// ... and where the thread would take back what it adds: Assumptions::undone.
inline constexpr int kUndone = 0x1000;

// ... and where the value read is used for nothing else: Action::result_unused.
inline constexpr int kOnlyWaits = 0x2000;

// ... and where a look of the same location has found what the read waits for: Action::rechecks.
inline constexpr int kRechecks = 0x4000;

// ... and where it is an atomic store: Assumptions::own.
inline constexpr int kOwnStores = 0x8000;

// Added to the mode of a store that each round of a loop does anew: Assumptions::own.
inline constexpr int kOwn = 0x100;

// What `until` gets as the round if nothing comes before it there.
inline constexpr uint64_t kNoRound = ~uint64_t{0};

// What LLVM may know about a function.
namespace attribute {
inline constexpr unsigned kNone = 0;
inline constexpr unsigned kCold = 1;
inline constexpr unsigned kNoReturn = 2;  // and cold
inline constexpr unsigned kPure = 4;      // the same for all of a function's activation: a fibre is one thread
}  // namespace attribute

// Rows: result, name, parameters, attributes, and a bit for each pointer argument that is not kept: memory private to
// the caller stays in registers where LLVM can then.
//
//  - Atomic accesses of 1, 2, 4, 8 bytes; the same for 16 bytes, with values through memory private to the caller. The
//    narrow ones are for up to 4 bytes, and what they return is not cut from a wider register: LLVM's code generator
//    for AArch64 spends quadratic time on that.
//  - Plain accesses to memory that another thread may see. They check the access and do it. plain_load and plain_store
//    are for any other size (vectors, long double, odd integers). plain_peek is as plain_loadN, but the bytes may be
//    uninitialised: the read half of a bit-field store.
//  - copy: between memory and a private variable, with a byte for each of its bytes that says whether that has a value;
//    null for memory. What may be copied without a value is.
//  - Local variables whose address escapes live in the thread's arena, not on the fibre's stack.
//  - tls: this thread's copy of the program's thread_local block (Image::tls).
//  - at: before each call of a library function (pthread_create, malloc, abort, …). here: in a library function that is
//    compiled with the program, the site that the call before it has left; its own site if there is none.
//  - Loops. Each back edge takes one off __heddle_fuel, inline, and calls spin when that makes it negative: so the work
//    between two visible actions is bounded at no cost. The machine fills it up whenever it likes (at each visible
//    action, or at each switch of threads); spin returns if it has filled it up again. With --unroll N the front end
//    counts how often each entry of a loop goes back and calls cut (which does not return) at the time N + 1.
//  - again, where a loop goes back of which no bound is known: takes what it returned the last time, 0 the first time.
//    Does not return if the loop has gone round as often as it may (Assumptions::rounds).
//  - Waiting loops and assumptions (frontend/loops/awaits.cpp). until, just before an atomic load, rmw or cas: it waits
//    for this Await; until_holds: for this condition of the image, of what the thread knows (know, before it, for each
//    value in turn). `events` and `changed` are
//    what `round` told when the round of the loop began: if something has changed since, it does not wait. kNoRound:
//    nothing before it is of that round. compares, just before a load or rmw: all that matters of the value read is
//    whether it is this one. will_store, before them, numbered from 0: a round that goes back stores there.
//  - Waiting loops (frontend/loops/rounds.cpp). round, at the head, tells how far the thread has come: events, and the
//    last change of memory. turn, at the end, goes no further if there was no change since. change: a change that the
//    machine does not see, or a call of a library function that may make one. enter: before a call through a pointer.
//    unchange: what was changed since then is gone. anew: the next round stores there anew what has just been stored,
//    if `apart` is true and the store was no action.
//  - Counted spins (frontend/loops/spins.hpp). lap, at the head, tells the actions of the thread so far, and the last
//    change of memory. skip, at the end, is told whether the round has left the function's other variables as they
//    were, and says whether the next round may be the last one.
//  - Addresses that the program looks at as numbers (frontend/instrument/addresses.cpp): order before a comparison of
//    two, and subtract before a difference, inspect before any other use, inspect_bytes before memory is looked at that
//    may hold some; inspect_place before a value is stored, and inspect_copy before bytes are copied, to where an
//    address may lie across two words.
//  - trap: the program has undefined behaviour (llvm.trap, unreachable reached). division: by zero, or with a quotient
//    that does not fit. assumption: __builtin_assume of what is false. out_of_bounds: an access outside a variable that
//    the code names. uninitialised, out_of_scope: a read of a private variable that has no value, an access of one that
//    is not alive.
#define HEDDLE_ENTRY_POINTS(X)                                                                                         \
  X(uint64_t, load, (void* p, int size, int mode, uint32_t site), kNone, 0)                                            \
  X(uint32_t, load_narrow, (void* p, int size, int mode, uint32_t site), kNone, 0)                                     \
  X(void, store, (void* p, int size, uint64_t value, int mode, uint32_t site), kNone, 0)                               \
  X(uint64_t, rmw, (void* p, int size, int op, uint64_t operand, int mode, uint32_t site), kNone, 0)                   \
  X(uint32_t, rmw_narrow, (void* p, int size, int op, uint64_t operand, int mode, uint32_t site), kNone, 0)            \
  X(Pair, cas,                                                                                                         \
    (void* p, int size, uint64_t expected, uint64_t desired, int mode, int fail_mode, int weak, uint32_t site), kNone, \
    0)                                                                                                                 \
  X(void, load16, (void* p, void* out, int mode, uint32_t site), kNone, 0b10)                                          \
  X(void, store16, (void* p, const void* value, int mode, uint32_t site), kNone, 0b10)                                 \
  X(void, rmw16, (void* p, int op, const void* operand, void* old, int mode, uint32_t site), kNone, 0b1100)            \
  X(uint64_t, cas16,                                                                                                   \
    (void* p, const void* expected, const void* desired, void* old, int mode, int fail_mode, int weak, uint32_t site), \
    kNone, 0b1110)                                                                                                     \
  X(void, fence, (int mode, uint32_t site), kNone, 0)                                                                  \
  X(uint32_t, plain_load1, (const void* p, uint32_t site), kNone, 0)                                                   \
  X(uint32_t, plain_load2, (const void* p, uint32_t site), kNone, 0)                                                   \
  X(uint32_t, plain_load4, (const void* p, uint32_t site), kNone, 0)                                                   \
  X(uint64_t, plain_load8, (const void* p, uint32_t site), kNone, 0)                                                   \
  X(void, plain_store1, (void* p, uint64_t value, uint32_t site), kNone, 0)                                            \
  X(void, plain_store2, (void* p, uint64_t value, uint32_t site), kNone, 0)                                            \
  X(void, plain_store4, (void* p, uint64_t value, uint32_t site), kNone, 0)                                            \
  X(void, plain_store8, (void* p, uint64_t value, uint32_t site), kNone, 0)                                            \
  X(void, plain_load, (const void* p, void* out, uint64_t size, uint32_t site), kNone, 0b10)                           \
  X(void, plain_store, (void* p, const void* value, uint64_t size, uint32_t site), kNone, 0b10)                        \
  X(uint64_t, plain_peek, (const void* p, int size, uint32_t site), kNone, 0)                                          \
  X(void, memcpy, (void* dst, const void* src, uint64_t size, uint32_t site), kNone, 0b11)                             \
  X(void, memmove, (void* dst, const void* src, uint64_t size, uint32_t site), kNone, 0b11)                            \
  X(void, memset, (void* dst, int byte, uint64_t size, uint32_t site), kNone, 0b1)                                     \
  X(void, copy,                                                                                                        \
    (void* dst, uint8_t* dst_init, const void* src, const uint8_t* src_init, uint64_t size, uint32_t site), kNone,     \
    0b1111)                                                                                                            \
  X(void*, local_begin, (uint64_t size, uint64_t align, uint32_t site), kNone, 0)                                      \
  X(void, local_end, (void* p, uint32_t site), kNone, 0)                                                               \
  X(void*, tls, (), kPure, 0)                                                                                          \
  X(void, at, (uint32_t site), kNone, 0)                                                                               \
  X(void, until, (int await, uint64_t expected, uint64_t events, uint64_t changed), kNone, 0)                          \
  X(void, know, (uint64_t value), kNone, 0)                                                                            \
  X(void, until_holds, (int await, int condition, uint64_t events, uint64_t changed), kNone, 0)                        \
  X(void, compares, (uint64_t value), kNone, 0)                                                                        \
  X(void, will_store, (const void* p, uint64_t size, uint32_t number), kNone, 0b1)                                     \
  X(Pair, round, (), kNone, 0)                                                                                         \
  X(void, turn, (uint64_t events, uint64_t changed, uint32_t site), kNone, 0)                                          \
  X(Pair, lap, (), kNone, 0)                                                                                           \
  X(uint32_t, skip, (uint64_t actions, uint64_t changed, uint32_t still, uint32_t site), kNone, 0)                     \
  X(void, change, (), kNone, 0)                                                                                        \
  X(void, enter, (const void* function), kNone, 0)                                                                     \
  X(void, unchange, (uint64_t changed), kNone, 0)                                                                      \
  X(void, anew, (uint64_t changed, const void* p, uint64_t size, int apart), kNone, 0b10)                              \
  X(void, order, (const void* a, const void* b, uint32_t site), kNone, 0b11)                                           \
  X(void, subtract, (const void* a, const void* b, uint32_t site), kNone, 0b11)                                        \
  X(void, inspect, (uint64_t address, uint32_t site), kNone, 0)                                                        \
  X(void, inspect_bytes, (const void* p, uint64_t size, uint32_t site), kNone, 0b1)                                    \
  X(void, inspect_place, (const void* p, uint64_t value, uint32_t site), kNone, 0b1)                                   \
  X(void, inspect_copy, (const void* to, const void* from, uint64_t size, uint32_t site), kNone, 0b11)                 \
  X(uint32_t, here, (uint32_t site), kNone, 0)                                                                         \
  X(void, spin, (uint32_t site), kCold, 0)                                                                             \
  X(uint64_t, again, (uint64_t before, uint32_t site), kNone, 0)                                                       \
  X(void, cut, (uint32_t site), kNoReturn, 0)                                                                          \
  X(void, trap, (uint32_t site), kNoReturn, 0)                                                                         \
  X(void, division, (uint32_t site), kNoReturn, 0)                                                                     \
  X(void, assumption, (uint32_t site), kNoReturn, 0)                                                                   \
  X(void, out_of_bounds, (uint64_t offset, uint64_t length, uint64_t size, uint32_t site), kNoReturn, 0)               \
  X(void, uninitialised, (uint32_t site), kNoReturn, 0)                                                                \
  X(void, out_of_scope, (uint32_t site), kNoReturn, 0)

extern "C" {
#define HEDDLE_DECLARE(result, name, parameters, attributes, private_arguments) result __heddle_##name parameters;
HEDDLE_ENTRY_POINTS(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE
extern int64_t __heddle_fuel;
}

// The rows by name.
enum class Entry : uint8_t {
#define HEDDLE_NAME(result, name, parameters, attributes, private_arguments) name,
  HEDDLE_ENTRY_POINTS(HEDDLE_NAME)
#undef HEDDLE_NAME
};

struct EntryPoint {
  const char* symbol;
  unsigned attributes;
  unsigned private_arguments;
};
inline constexpr EntryPoint kEntryPoints[] = {
#define HEDDLE_ROW(result, name, parameters, attributes, private_arguments) \
  {"__heddle_" #name, attribute::attributes, private_arguments},
    HEDDLE_ENTRY_POINTS(HEDDLE_ROW)
#undef HEDDLE_ROW
};
constexpr const EntryPoint& row(Entry e) { return kEntryPoints[static_cast<unsigned>(e)]; }

// The C type of a row: Signature<Entry::load> is uint64_t(void*, int, int, uint32_t).
template <Entry>
struct SignatureOf;
#define HEDDLE_SIGNATURE(result, name, parameters, attributes, private_arguments) \
  template <>                                                                     \
  struct SignatureOf<Entry::name> {                                               \
    using type = decltype(__heddle_##name);                                       \
  };
HEDDLE_ENTRY_POINTS(HEDDLE_SIGNATURE)
#undef HEDDLE_SIGNATURE
template <Entry e>
using Signature = typename SignatureOf<e>::type;

// For the linker: each function, and the variable. A program that calls this must be linked with definitions.
struct Binding {
  const char* symbol;
  void* address;
};
inline auto bindings() {
  return std::to_array<Binding>({
#define HEDDLE_BIND(result, name, parameters, attributes, private_arguments) \
  {"__heddle_" #name, reinterpret_cast<void*>(&__heddle_##name)},
      HEDDLE_ENTRY_POINTS(HEDDLE_BIND)
#undef HEDDLE_BIND
          {"__heddle_fuel", &__heddle_fuel},
  });
}

}  // namespace heddle::abi
