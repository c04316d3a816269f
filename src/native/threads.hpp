// The program's threads, and which of them runs. Entry points are C functions, so the rooms' states are global objects;
// NativeMachine drives them.
//
// Control passes between two sides. The host side is the explorer's stack: it switches to a thread's fibre with the
// steps that the thread may take. The fibre side runs the program: an entry point takes the next step (`take`) or, if
// there is none left, describes the action that it wants to do and switches back to the host (`park`).
//
// Rooms above this one leave hooks here: `offer` completes an action that is shown to the explorer, `rehearsal` stands
// in for actions that are looked at and not done.
#pragma once

#include <string>
#include <string_view>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "image/entry_points.hpp"
#include "image/image.hpp"
#include "machine/machine.hpp"
#include "native/fibre.hpp"
#include "native/host.hpp"
#include "native/options.hpp"
#include "native/region.hpp"
#include "native/undo.hpp"

namespace heddle {

// What libstdc++ keeps per OS thread about exceptions in flight; each fibre has its own.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

// A mutex, and a thread's own clock when it had to do with it.
struct Passed {
  Address mutex = 0;
  uint32_t clock = 0;
};

// Where a thread that waits stores if it does not get what it waits for, and goes round: of its next action, if its
// clock is still this.
struct WillStore {
  static constexpr unsigned kMost = 4;
  uint64_t taken = 0;  // how many actions the thread had taken
  uint32_t count = 0;
  bool own = false;  // one of them is an own store (Assumptions::own)
  struct Place {
    Address address;
    uint64_t size;
  } places[kMost];
};

// Something that a round of a loop may take back (changes.hpp).
struct Note {
  enum class Kind : uint8_t { none, plain, allocated, freed, store, update };
  Kind kind;
  uint8_t size = 0;        // of an access, 16 at most
  bool had_value = false;  // plain: all bytes had one
  bool unused = false;     // update: its result is
  SiteId site = kNoSite;
  uint32_t told = 0, heard = 0;  // plain: as of the thread then
  Address address = 0;
  Value before{};  // of a store: not known
  Value after{};
};

// What is put back when the execution goes back to an earlier moment (undo.hpp).
struct ThreadState {
  // The first are used at every action.
  const Step* next = nullptr;  // the steps that are left
  const Step* end = nullptr;
  const uint32_t* clock = nullptr;  // of the last step; memory of the caller of perform or replay
  uint32_t clock_size = 0;
  ThreadId id = kMain;
  bool started = false;
  bool created_now = false;  // exists in this execution
  bool c11 = false;
  bool returned = false;  // main: it has returned, so that the process ends
  bool detached = false;
  bool joined = false;
  bool goes_round = false;  // it has done a round that could be left out (LeftOut::shown)
  bool elected = false;     // it runs what is to be done once for a meeting
  uint16_t pinned = 0;      // its stack owns memory of ours: it cannot be copied (Pinned)
  uint64_t place = 0;       // a number for where it stands: another one whenever it goes on, unless that is undone
  uint32_t last_step = 0;   // the number of its last step among all of the execution, from 1; 0: none yet
  fibre::Context context = nullptr;
  ExceptionState exceptions;
  int saved_errno = 0;
  uint32_t created = 0;  // children so far
  uint64_t actions = 0;
  uint64_t taken = 0;    // actions, one by one while they are replayed
  uint64_t changed = 0;  // the last change of memory and the like that has not been taken back
  uint64_t changes = 0;  // so far
  uint64_t settled = 0;  // no change up to this one can be taken back
  uint32_t noted = 0;    // notes so far
  uint32_t lapped = 0;   // ... when it began what it may forget
  uint32_t told = 0;     // while it takes notes: actions after which others may know what it has done
  uint32_t heard = 0;    // ... and how many of them came before its last action by which it may learn of others
  bool notes = false;    // it takes notes
  SiteId changed_at = kNoSite;
  WillStore will_store;  // in a round that goes back
  Passed in_vain;        // its last trylock that failed; its clock then, or when it gave a mutex back in passing
  Action pending;
  void* function = nullptr;  // a void*(void*), or of C11 an int(void*)
  void* argument = nullptr;
  const void* named_after = nullptr;  // a function
  void* result = nullptr;
  uint32_t start_clock_size = 0;
  uint32_t exit_clock = 0;  // own clock after the exit; 0 before
  uint32_t loud = 0;        // 1 + own clock when it last used memory that others may use, but for actions
  // The latest copy of this: the segment in which it was made, and where it is in the log of that life.
  uint64_t kept = 0;
  uint64_t kept_life = 0;
  const undo::Word* kept_at = nullptr;
};
static_assert(std::is_trivially_copyable_v<ThreadState>);

struct alignas(64) Thread : ThreadState {
  // Of this execution.
  HostVector<Passed> passed;         // mutexes that it has held in passing
  HostVector<WaitRound> waited;      // such rounds in which it may wait
  HostVector<Note> noted_last;       // the latest notes: none is missing since notes have been taken
  HostVector<uint32_t> begun;        // own clocks when rounds of waiting loops have begun, if that is watched
  HostVector<uint32_t> start_clock;  // of the create; may be longer than that
  Error error;

  // Of the whole run.
  bool stack_open = false;
  ThreadId parent = kNoThread;
  ThreadPath path{0};
  HostVector<ThreadId> children;  // by number; kNoThread: not known yet
};

// One T for each thread.
template <typename T>
struct PerThread {
  T of[region::kMaxThreads];

  T& operator[](ThreadId t) {
    HEDDLE_ASSERT(index(t) < region::kMaxThreads);
    return of[index(t)];
  }
  const T& operator[](ThreadId t) const {
    HEDDLE_ASSERT(index(t) < region::kMaxThreads);
    return of[index(t)];
  }
};

// How an atomic access is made.
struct AtomicOrder {
  Mode mode;
  Mode fail_mode = Mode::na;
  Purpose purpose = Purpose::access;
  Await await = Await::none;
  bool assumed = false;  // see Action
  uint32_t round = 0;
  bool confirms = false;  // see Action
  bool rechecks = false;  // likewise
  const Condition* condition = nullptr;
  bool result_unused = false;  // see Action
  bool compared = false;       // likewise

  // The access waits until the bits of the mask compare so with a number.
  AtomicOrder until(Comparison how, uint64_t mask, uint64_t number) const;
};

// What an access waits for.
struct Until {
  Await await = Await::none;
  bool assumed = false;  // see Action
  uint32_t round = 0;
  Value expected;
  const Condition* condition = nullptr;
  bool confirms = false;  // see Action
  bool rechecks = false;  // likewise
  bool stores = false;    // Thread::will_store is of this
  bool learns = false;    // instead: it reads what it does not wait for, and with it a later time; `round`: its start
  bool result_unused = false;  // see Action
  bool undone = false;         // likewise
  bool compared = false;       // likewise
};

// Stands in for the actions of an operation that is looked at, not done (helping.hpp). What an operation must not do
// then, the functions say that would do it: for_real("frees memory").
struct Rehearsal {
  Value (*load)(Address a, unsigned size, Mode mode);
  Value (*cas)(Address a, unsigned size, Value expected, Value desired, AtomicOrder order);
  void (*refuse)(const char* what);  // does not return
  void (*forbid)(const char* what);  // likewise; "stop the thread"
  void (*failed)(Error& error);      // the rehearsal is over
};

// What becomes of the rounds of a counted spin.
enum class Spinning : uint8_t {
  followed,  // one by one
  unknown,   // so far all have changed something, or did too much to be skipped
  skipped,   // some have been
  mixed,     // ... and others have changed something
};

// Why the run cannot go on.
struct Refusal {
  bool now = false;
  bool stopped = false;  // the exploration is to end: it was asked to, or an access has to be shown (suppress.hpp)
  std::string message;   // or the program did something else than before:
  bool different = false;
  ThreadId thread = kMain;
  ActionKind expected{}, found{};
  Address expected_at = 0, found_at = 0;
  SiteId site = kNoSite;
};

// What is left of a replay of several threads. Where the steps of a thread end, its fibre passes control on to the next
// one: the way over the host costs more than most stretches.
struct Relay {
  const Stretch* next = nullptr;
  const Stretch* end = nullptr;
  const Step* first_step = nullptr;
  const Step* end_of_steps = nullptr;

  bool over() const { return next == end; }
};

// A part of a long own clock, see epoch.hpp.
struct LongClock {
  ThreadId thread;
  uint32_t high;
};
inline constexpr unsigned kEpochSlots = 4096;

// Set by the layer that keeps clocks: whether the current thread's time has gone on since it was asked for the last
// time.
inline bool (*learns_time)() = nullptr;
// Likewise: whether it has gone on since the thread was asked for this place. Who synchronises with the thread there is
// told of it.
inline bool (*tells_time)(Address place) = nullptr;

struct Runtime {
  Thread* current = nullptr;    // the thread whose fibre runs; null on the host side
  bool concurrent = false;      // a thread has been created
  bool watches_rounds = false;  // LeftOut::ordered or watched
  bool watches_waits = false;   // LeftOut::watched
  bool shows_rounds = false;    // LeftOut::shown
  bool made_up = false;         // a trylock has failed for no reason (Passing::may_be_seen)
  bool follows_first_tries = false;
  bool follows_undone = false;
  bool taken_back = false;               // Assumptions::taken_back, as is the next
  HostVector<RestingPlace> kept_places;  // sorted
  bool own = false;                      // Assumptions::own
  bool sees_own = false;                 // it does not hold
  std::vector<LimitHit> left_out;        // since the last Machine::assume
  uint64_t odd_alignment = 0;            // the first that is no power of two, of the whole run
  SiteId odd_alignment_at = kNoSite;
  std::vector<OtherNotice> notices;       // that do something else than the program says
  bool shows_all = false;                 // plain accesses to shared memory are actions; of the whole run
  bool shows_some = false;                // those of some places are
  Until until;                            // of the access that comes next
  Conditions conditions;                  // of the program's awaits
  uint64_t known[Condition::kMostKnown];  // to the one that comes next
  uint32_t known_count = 0;
  // Actions that are no ordinary ones, also when they are replayed: there is a hook for them, or the next one learns.
  uint8_t slow_actions = 0;
  static constexpr uint8_t kHooked = 1, kLearning = 2;
  bool quiet = false;     // since its last action the thread has not used memory that others may use
  SiteId site = kNoSite;  // of the latest entry point
  fibre::Context host_context = nullptr;
  Relay relay;
  fibre::Context (*pass_on)(Thread& from) = nullptr;  // where to go on if the relay is not over
  int64_t fuel = 0;                                   // loop iterations between two actions
  const Rehearsal* rehearsal = nullptr;
  using Offer = void (*)(const Thread&, Action&);
  Offer offer[3] = {};  // of the whole run; called in turn until the first that is null

  NativeOptions options;  // of the whole run
  const Image* image = nullptr;
  unsigned known_threads = 0;         // ids in use
  HostVector<LongClock> long_clocks;  // of the whole run
  unsigned first_long = kEpochSlots;  // the last slots are theirs
  unsigned restarts = 0;
  uint32_t steps = 0;           // of this execution
  uint64_t places = 0;          // of threads, so far; of the whole run
  HostVector<uint32_t> rounds;  // for each place: how often a loop there may go round
  HostVector<Spinning> spins;   // for each place: of a counted spin there
  HostVector<SiteId> followed;  // for each place: what a round of the waiting loop there has changed, the first time
  HostVector<uint8_t> shown;    // for each place: plain accesses are actions (suppress.hpp); or empty
  // Of the whole run. Mutexes that were held in passing in rounds that have been left out, and those of which a trylock
  // failed, after which its thread did something. See Assumption::passing.
  Passing passing = Passing::unseen;
  bool arrivals = true;        // Assumption::arrivals; of the whole run
  bool sees_arrivals = false;  // it is broken
  HostVector<Address> passed;
  HostVector<Address> tried;
  bool sees_passing = false;
  HostVector<ThreadId> threads;  // of this execution
  Refusal refusal;
  Thread thread[region::kMaxThreads];
};

extern Runtime rt;

inline AtomicOrder AtomicOrder::until(Comparison how, uint64_t mask, uint64_t number) const {
  AtomicOrder waits = *this;
  waits.await = Await::holds;
  HostScope scope;
  waits.condition = rt.conditions.of(how, mask, number);
  return waits;
}

// Whether all plain accesses of the present place are actions.
[[gnu::always_inline]] inline bool all_shown() {
  HEDDLE_ASSERT(!rt.shows_some || index(rt.site) < rt.shown.size());
  return rt.shows_all || (rt.shows_some && rt.shown[index(rt.site)] != 0);
}

inline Thread& thread(ThreadId t) {
  HEDDLE_ASSERT(index(t) < rt.known_threads);
  return rt.thread[index(t)];
}
inline Address address(const void* p) { return reinterpret_cast<Address>(p); }
inline void* pointer(Address a) { return reinterpret_cast<void*>(a); }

// Switches to the host, or to the next thread of a replay, until there are steps again.
[[gnu::always_inline]] inline void park() {
  Thread& t = *rt.current;
  const bool host = rt.relay.over() || !fibre::kPassOn;
  fibre::leave(&t.context, host ? rt.host_context : rt.pass_on(t));
}

// Ends of a thread's way in this execution. The fibre is left as it is; nothing is unwound.
[[noreturn]] void fail(ErrorKind kind, std::string_view message, ThreadId other = kNoThread,
                       SiteId other_site = kNoSite, Clash clash = Clash::none, uint32_t other_after = 0);
[[noreturn]] void block(BlockReason reason, uint32_t round = 0, Purpose purpose = Purpose::access);
// The current thread leaves out a round that began when its own clock was this; it does something after its trylock has
// failed. With one mutex these two must not be in one exploration.
void leave_out_passing(uint32_t events);
void look_for_passing();
// Arrivals do not commute: the exploration starts again.
[[noreturn]] void count_arrivals();
// The run cannot go on: throws UserError(message) on the host side.
[[noreturn]] void refuse(std::string_view message);
[[noreturn]] void leave_stopped();
[[noreturn]] void refuse_different(const Thread& t, const Step& expected, ActionKind kind, Address addr);

inline void for_real(const char* what) {
  if (rt.rehearsal != nullptr) [[unlikely]]
    rt.rehearsal->refuse(what);
}

// The number of own events of t, which runs, so far.
inline uint32_t own_clock(const Thread& t) { return index(t.id) < t.clock_size ? t.clock[index(t.id)] : 0; }

// A caller may count two events per action.
inline constexpr uint32_t kMaxClock = (1u << 20) - 1;

// Whether the thread may not take any more actions in this execution.
[[gnu::always_inline]] inline bool exhausted(const Thread& t) {
  return t.actions >= rt.options.step_limit || own_clock(t) >= kMaxClock - 2;
}

inline void use(Thread& t, const Step& step) {
  HEDDLE_ASSERT(&step == t.next || t.next == t.end);  // in their order; the host does an exit itself
  t.next = &step + 1;
  if (t.notes) [[unlikely]] {
    if (is_read(step.kind)) t.heard = t.told;
    if (step.kind != ActionKind::load) ++t.told;
    if (!is_access(step.kind)) t.heard = t.told;
  }
  ++t.taken;
  t.clock = step.clock.data();
  t.clock_size = static_cast<uint32_t>(step.clock.size());
  abi::__heddle_fuel = rt.fuel;
  rt.quiet = true;
}
// The current thread changes memory, or what library functions remember.
// The thread looks which one it is: any of those that have arrived, if it is elected.
inline void look_who_runs() {
  if (rt.current != nullptr && rt.current->elected) [[unlikely]]
    count_arrivals();
}
inline void change() {
  ThreadState& t = *rt.current;
  t.changed = ++t.changes;
  t.changed_at = rt.site;
}
// All that it has changed since this change is as it was.
inline void take_back(uint64_t changed) {
  HEDDLE_ASSERT(changed <= rt.current->changes);
  rt.current->changed = std::max(changed, rt.current->settled);
}
// What the thread changes is for good.
inline void settle() {
  change();
  rt.current->settled = rt.current->changed;
}
// The current thread uses memory that others may use.
inline void end_quiet() {
  rt.quiet = false;
  rt.current->loud = own_clock(*rt.current) + 1;
}

// While the current thread's stack owns memory that is not the program's, or its work lies half done elsewhere.
class Pinned {
 public:
  Pinned() {
    HEDDLE_ASSERT(rt.current->pinned < UINT16_MAX);
    ++rt.current->pinned;
  }
  ~Pinned() {
    HEDDLE_ASSERT(rt.current->pinned != 0);
    --rt.current->pinned;
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
};

// The step for the action (kind, addr) of the current thread. `describe` completes the pending action if it has to be
// offered to the explorer first.
template <typename Describe>
[[gnu::always_inline]] inline const Step& take(Thread& t, ActionKind kind, Address addr, Describe describe) {
  HEDDLE_ASSERT(&t == rt.current);
  HEDDLE_ASSERT(rt.rehearsal == nullptr);  // nothing is an action then
  if (t.next == t.end) [[unlikely]] {
    if (exhausted(t)) block(BlockReason::steps);
    t.pending = Action{};
    t.pending.kind = kind;
    t.pending.addr = addr;
    t.pending.site = rt.site;
    for (const Runtime::Offer complete : rt.offer) {
      if (complete == nullptr) break;
      complete(t, t.pending);
    }
    describe(t.pending);
    park();
    HEDDLE_ASSERT(&t == rt.current && t.next < t.end);
    rt.site = t.pending.site;  // other threads ran meanwhile
  }
  const Step& step = *t.next;
  if (step.kind != kind || step.addr != addr) [[unlikely]]
    refuse_different(t, step, kind, addr);
  use(t, step);
  return step;
}

namespace threads {

// The n-th child of t (from 0), whether it is created in this execution or not. It keeps its id for the whole run. A
// path that is too long or too wide is refused, on the host side with a UserError.
[[gnu::noinline]] ThreadId new_child(Thread& t, uint32_t n);
inline ThreadId nth_child(Thread& t, uint32_t n) {
  return n < t.children.size() && t.children[n] != kNoThread ? t.children[n] : new_child(t, n);
}
// The thread that has the path; kNoThread if none is known.
ThreadId find(ThreadPath path);
// For main, at the start of a run.
void begin(const Image& image, NativeOptions options);
void end();
void add_offer(Runtime::Offer offer);
// The function that it runs, by its number among the program's.
uint32_t code(const Thread& t);
// Whether all other threads have ended before t in every schedule.
bool is_last(const Thread& t);
// The thread that was created last exists no more.
void remove_last();
// No thread runs, whatever has happened.
void stop_all();
#if HEDDLE_CHECKED
// What is wrong with the list of threads and their paths; nothing if all is well.
std::string check();
#endif

// Back to the state before main.
void reset();

}  // namespace threads

// For messages: "stack.c:12"; "worker"; "thread 2 (worker)".
std::string place(SiteId site);
std::string thread_name(ThreadId t);
const Image::Function* function_at(Address a);
// The function that a std::thread runs through a pointer; null if that is not known. The library knows.
inline const Image::Function* (*runs_by_pointer)(const Thread& t) = nullptr;
std::string who(ThreadId t);

}  // namespace heddle
