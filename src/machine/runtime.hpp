// The state behind the entry points that instrumented code calls. Those are C functions, so this is the one place with
// global state; NativeMachine drives it, abi.cpp, plain.cpp and the models of library functions run on top of it.
//
// Control passes between two sides. The host side is the explorer's stack: it switches to a thread's fibre with the
// steps that the thread may take. The fibre side runs the program: an entry point takes the next step (`take`) or, if
// there is none left, describes the action that it wants to do and switches back to the host (`park`).
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "machine/abi.hpp"
#include "machine/fibre.hpp"
#include "machine/image.hpp"
#include "machine/native.hpp"
#include "machine/region.hpp"

namespace heddle {

// Our own containers may grow while a fibre runs; operator new would then serve them from the program's arena.
template <typename T>
struct HostAllocator {
  using value_type = T;
  HostAllocator() = default;
  template <typename U>
  constexpr HostAllocator(const HostAllocator<U>&) {}
  T* allocate(std::size_t n) {
    void* const p = std::malloc(n * sizeof(T));
    if (p == nullptr) std::abort();
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { std::free(p); }
  friend constexpr bool operator==(const HostAllocator&, const HostAllocator&) { return true; }
};
template <typename T>
using HostVector = std::vector<T, HostAllocator<T>>;

enum class BlockKind : uint8_t { malloc, new_object, new_array, local, tls, native, hazard };

// A piece of an arena: a heap block, a local variable whose address escapes, a thread's thread_local variables.
struct Block {
  Address start = 0;
  uint64_t size = 0;
  uint32_t epoch = 0;  // of the allocation, see shadow.hpp
  SiteId site = kNoSite;
  SiteId freed_site = kNoSite;  // or retired
  ThreadId freed_by = kNoThread;
  uint32_t retire_epoch = 0;
  uint32_t exposed = 0;  // the first of the list of accesses without a hazard pointer, see hazard.cpp; 0: none
  BlockKind kind = BlockKind::malloc;
  bool freed = false;
  bool retired = false;
  bool initialised = false;
};

// What libstdc++ keeps per OS thread about exceptions in flight; each fibre has its own.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

struct HeldMutex {
  Address mutex;
  uint32_t depth;
};
// What a hazard pointer protects: a block, since the thread's own clock showed `since`.
struct Hazard {
  Address pointer;  // the heddle_hp_t
  Address block;
  uint64_t size;
  uint32_t since;
  bool late;  // the block was retired before: it is not protected
  bool used;  // the thread has accessed it
};
struct KeyValue {
  uint32_t key;
  void* value;
};
struct Destructor {
  void (*function)(void*);
  void* object;
  uint32_t epoch = 0;  // of the registration, see shadow.hpp
};

struct alignas(64) Thread {
  // Used at every action.
  const Step* next = nullptr;  // the steps that are left
  const Step* end = nullptr;
  const uint32_t* clock = nullptr;  // of the last step; memory of the caller of perform or replay
  uint32_t clock_size = 0;
  ThreadId id = kMain;
  bool started = false;
  bool created_now = false;  // exists in this execution
  fibre::Context context = nullptr;
  ExceptionState exceptions;
  int saved_errno = 0;
  uint64_t actions = 0;
  Action pending;

  // Of this execution.
  Address arena_next = 0;
  Address arena_high = 0;  // the arena is zero from here on; not reset by a restart
  HostVector<Block> blocks;
  void* tls = nullptr;
  void* function = nullptr;  // a void*(void*), or of C11 an int(void*)
  void* argument = nullptr;
  void* result = nullptr;
  bool c11 = false;
  HostVector<uint32_t> start_clock;  // of the create
  HostVector<HeldMutex> held;
  HostVector<Hazard> hazards;
  HostVector<HelpRead> help_reads;  // of the pending help
  Address cas_due = 0;              // of the helped operation that is being done
  HostVector<KeyValue> keys;
  HostVector<Destructor> at_exit;          // of the thread
  HostVector<Destructor> at_process_exit;  // atexit and destructors of static objects, registered by this thread
  HostVector<std::byte> scratch;
  uint32_t created = 0;  // children so far
  // Twins (twins.hpp); all but the first two only of those that were found, not declared.
  ThreadId last_child = kNoThread;
  uint32_t last_create = 0;   // own clock then
  bool found_twin = false;    // is a twin, or has one
  bool has_found = false;     // is the parent of such threads
  bool apart = false;         // has joined some of a class, and not all
  ThreadId twin = kNoThread;  // the one before in its class
  ThreadId joined_by = kNoThread;
  uint32_t class_start = 0;   // the parent's clock at the create of the first of the class
  uint32_t created_at = 0;    // and at its own
  uint32_t keys_created = 0;  // pthread keys so far
  uint32_t exit_clock = 0;    // own clock after the exit; 0 before
  uint64_t random = 0;
  char* strtok_next = nullptr;
  Error error;

  // Of the whole run.
  bool stack_open = false;
  ThreadId parent = kNoThread;
  HostVector<ThreadId> children;
};

struct Key {
  uint32_t id;
  void (*destructor)(void*);
};

struct Runtime {
  Thread* current = nullptr;  // the thread whose fibre runs; null on the host side
  bool concurrent = false;    // a thread has been created
  bool host = false;          // our own code runs on the fibre and allocates
  bool recording = false;     // of sites of plain accesses
  bool hazards = false;       // the program uses hazard pointers
  bool twins = false;         // some were found in this execution
  bool thorough = false;  // recording, hazards or twins: each plain access goes through the full check once per action
  bool lenient = false;   // native code that we do not check writes to the program's memory
  bool misfit = false;    // user_error is to be thrown on the host side
  bool dry = false;       // an operation that others may help with is looked at, not done (helping.hpp)
  bool quiet = false;     // since its last action the thread has not used memory that others may use
  SiteId site = kNoSite;  // of the latest entry point
  Address probe = 0;      // memory outside the region that a checked access touches just now
  fibre::Context host_context = nullptr;
  ExceptionState* exceptions = nullptr;
  int* error_number = nullptr;
  NativeOptions options;
  int64_t fuel = 0;  // loop iterations between two actions
  const NativeMachine* machine = nullptr;
  const Image* image = nullptr;
  std::string user_error;

  HostVector<ThreadId> threads;  // of this execution
  HostVector<Key> keys;          // of this execution
  HostVector<char> output;
  unsigned known_threads = 0;  // of the whole run: ids in use
  Thread thread[region::kMaxThreads];
};

extern Runtime rt;

inline Thread& thread(ThreadId t) { return rt.thread[index(t)]; }

// While it lives, operator new on a fibre serves the machine, not the program.
class HostScope {
 public:
  HostScope() : before_(rt.host) { rt.host = true; }
  ~HostScope() { rt.host = before_; }
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;

 private:
  bool before_;
};

inline Address address(const void* p) { return reinterpret_cast<Address>(p); }
inline void* pointer(Address a) { return reinterpret_cast<void*>(a); }

// Switches to the host until it hands out steps.
[[gnu::always_inline]] inline void park() { fibre::switch_to(&rt.current->context, rt.host_context); }

// Ends of a thread's way in this execution. The fibre is left as it is; nothing is unwound.
[[noreturn]] void fail(ErrorKind kind, std::string_view message, ThreadId other = kNoThread,
                       SiteId other_site = kNoSite);
[[noreturn]] void block(BlockReason reason);
// The run cannot go on: throws UserError(message) on the host side.
[[noreturn]] void refuse(std::string_view message);
[[noreturn]] void refuse_different(const Thread& t, const Step& expected, ActionKind kind, Address addr);

// The number of thread t's own events so far.
inline uint32_t own_clock(const Thread& t) { return index(t.id) < t.clock_size ? t.clock[index(t.id)] : 0; }

// An epoch (shadow.hpp) has so many bits for a thread's own clock; a caller may count two events per action.
inline constexpr unsigned kClockBits = 20;
inline constexpr uint32_t kMaxClock = (1u << kClockBits) - 1;

// Whether the thread may not take any more actions in this execution.
inline bool exhausted(const Thread& t) { return t.actions >= rt.options.step_limit || own_clock(t) >= kMaxClock - 2; }

inline void use(Thread& t, const Step& step) {
  t.next = &step + 1;
  t.clock = step.clock.data();
  t.clock_size = static_cast<uint32_t>(step.clock.size());
  abi::__heddle_fuel = rt.fuel;
  rt.quiet = true;
}

// Threads use the same offsets in their arenas. If all began at the same place, their first blocks would compete for
// the same few lines of the cache.
constexpr Address arena_start(ThreadId t) {
  return region::kArenas + index(t) * region::kArenaSize + 64 * (index(t) % 64);
}

// The place of an address in memory that belongs to t, the same for threads that have done the same: the number of the
// block, from 1, and the place in it. 0 if it does not belong to t.
Address own_place(const Thread& t, Address a);

// Whether a hazard pointer of t protects the block that the address lies in.
inline bool guards(const Thread& t, Address a) {
  for (const Hazard& h : t.hazards)
    if (a - h.block < h.size && !h.late) return true;
  return false;
}

// The step for the action (kind, addr) of the current thread. `describe` completes the pending action if it has to be
// offered to the explorer first.
template <typename Describe>
[[gnu::always_inline]] inline const Step& take(Thread& t, ActionKind kind, Address addr, Describe describe) {
  if (t.next == t.end) [[unlikely]] {
    if (exhausted(t)) block(BlockReason::steps);
    t.pending = Action{};
    t.pending.kind = kind;
    t.pending.addr = addr;
    t.pending.site = rt.site;
    if (rt.options.symmetry) t.pending.own = own_place(t, addr);
    if (rt.hazards) t.pending.guarded = guards(t, addr);
    describe(t.pending);
    park();
    rt.site = t.pending.site;  // other threads ran meanwhile
  }
  const Step& step = *t.next;
  if (step.kind != kind || step.addr != addr) [[unlikely]]
    refuse_different(t, step, kind, addr);
  use(t, step);
  return step;
}

// Back to the state before the thread's first action.
void reset(Thread& t);

// For messages: "stack.c:12".
std::string place(SiteId site);
std::string who(ThreadId t);

}  // namespace heddle
