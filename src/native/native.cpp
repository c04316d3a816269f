#include "native/native.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/assert.hpp"
#include "core/stop.hpp"
#include "native/crash.hpp"
#include "native/exceptions.hpp"
#include "native/fingerprint.hpp"
#include "native/kept_thread.hpp"
#include "native/names.hpp"
#include "native/rest.hpp"
#include "native/suppress.hpp"
#include "native/untouched.hpp"

namespace heddle {
namespace {

// Segments up to this size are copied back whole; of larger ones only what was touched.
constexpr std::size_t kLargeSegment = 1 << 16;

// What the C and C++ libraries keep per OS thread; each fibre has its own copy.
ExceptionState* exceptions_in_flight = nullptr;
int* error_number = nullptr;

std::vector<ResetRoom>& rooms() {
  static std::vector<ResetRoom> all;
  return all;
}

// Memory of the program that is there before main.
template <typename T, std::size_t n>
T* before_main(const T (&contents)[n]) {
  auto* const p = static_cast<T*>(heap::allocate(sizeof contents, alignof(T), BlockKind::native, true));
  std::memcpy(p, contents, sizeof contents);
  return p;
}

void run_main() {
  const Image& image = *rt.image;
  for (void (*constructor)() : image.constructors) constructor();
  int status = 0;
  switch (image.main_parameters) {
    case 0: status = reinterpret_cast<int (*)()>(image.main)(); break;
    default: {
      char* const arguments[] = {before_main("program"), nullptr};
      char* const environment[] = {nullptr};
      // A main of two parameters does not look at the third.
      const auto main = reinterpret_cast<int (*)(int, char* const*, char* const*)>(image.main);
      status = main(1, before_main(arguments), before_main(environment));
      break;
    }
  }
  exits::run_exit_handlers();
  if (status != 0) fail(ErrorKind::exit, fmt::format("main returned {}", status));
  exits::exit_main();
}

#if HEDDLE_CHECKED

// What has been done since the restart, to hold against what the caller of rewind says.
struct Performed {
  Step step;
  HostVector<uint32_t> clock;
};
HostVector<Performed> performed;

void note_performed(const Step* first, const Step* end) {
  performed.resize(std::min<std::size_t>(performed.size(), rt.steps));
  for (; first != end; ++first) performed.push_back({*first, {first->clock.begin(), first->clock.end()}});
}
bool agrees(std::span<const Step> steps) {
  const std::size_t n = std::min({steps.size(), performed.size(), std::size_t{rt.steps}});
  for (std::size_t i = 0; i < n; ++i) {
    const auto& [step, clock] = performed[i];
    if (step.kind != steps[i].kind || step.addr != steps[i].addr) return false;
    const bool has_result = is_read(step.kind) || is_meeting(step.kind) || step.kind == ActionKind::choose;
    if (has_result && step.result != steps[i].result) return false;
    for (std::size_t u = 0; u < std::max(clock.size(), steps[i].clock.size()); ++u) {
      if ((u < clock.size() ? clock[u] : 0) != (u < steps[i].clock.size() ? steps[i].clock[u] : 0)) return false;
    }
  }
  return true;
}

// What the shadow still knows of an execution that is over; nothing if all is well.
std::string check_forgotten(const Image& image) {
  const auto is_known = [](Address start, uint64_t size) {
    return size != 0 && (*cell::at(start) != 0 || *cell::at(start + size - 1) != 0);
  };
  for (const ThreadId t : rt.threads) {
    for (const Block& b : heap::state.arena[t].blocks)
      if (is_known(b.start, b.size)) return "a cell of a block is not forgotten";
  }
  for (const Image::Global& g : image.globals) {
    const bool covered = region::in_image(g.address) && region::in_image(g.address + g.size);
    if (!g.constant && covered && is_known(g.address, g.size)) return "a cell of " + g.name + " is not forgotten";
  }
  return "";
}

// Whether large segments are as at the start, as far as a window shows, which moves on from run to run.
bool are_restored(const Image& image, std::span<const std::byte> initial, std::size_t eager, uint64_t run) {
  for (std::size_t i = 0; i < image.writable.size(); ++i) {
    const auto& s = image.writable[i];
    const std::size_t at = run * region::kPage % std::max<std::size_t>(s.size, 1);
    const std::size_t n = std::min(s.size - at, region::kPage);
    if (i >= eager && std::memcmp(s.start + at, initial.data() + at, n) != 0) return false;
    initial = initial.subspan(s.size);
  }
  return initial.empty();
}

#else

[[gnu::always_inline]] inline void note_performed(const Step*, const Step*) {}

#endif

// Where a step could have another result, or another place among the others: the explorer may come back there. If it
// does not expect to, it is enough to come near. Sites of plain accesses are not kept.
constexpr uint32_t kNear = 4;
[[gnu::always_inline]] inline void set_mark(ActionKind next, bool expected) {
  if (!is_access(next) && next != ActionKind::choose) return;
  if (!rt.concurrent || cell::state.recording) return;
  HEDDLE_ASSERT(!undo::state.on || rt.steps >= undo::state.marks.back().step);
  if (!expected && undo::state.on && rt.steps - undo::state.marks.back().step < kNear) return;
  undo::mark(rt.steps);
  output::keep_formats();
}

// No unwinder can pass this frame: an exception that the program does not catch ends in std::terminate.
void run_thread(void* self) {
  fibre::begin();
  Thread& t = *static_cast<Thread*>(self);
  if (t.id == kMain) run_main();
  if (t.c11) {
    const int result = reinterpret_cast<int (*)(void*)>(t.function)(t.argument);
    exits::exit_thread(reinterpret_cast<void*>(static_cast<intptr_t>(result)), true);
  }
  exits::exit_thread(reinterpret_cast<void* (*)(void*)>(t.function)(t.argument), true);
}

void start_fibre(Thread& t) {
  HEDDLE_ASSERT(!t.started && t.exit_clock == 0);
  fibre::forget_frames(stack_of(t.id), t.context);
  t.context = fibre::make(pointer(stack_top(t.id)), run_thread, &t);
  t.started = true;
  rt.site = kNoSite;
  t.clock = t.start_clock.data();
  t.clock_size = t.id == kMain ? 0 : t.start_clock_size;
  HEDDLE_ASSERT(t.clock_size <= t.start_clock.size() && own_clock(t) == 0);  // its create comes before its events
}

[[noreturn]] void throw_refusal() {
  rt.refusal.now = false;
  rt.relay = {};
  const Refusal& r = rt.refusal;
  if (r.stopped) throw Stopped();
  if (!r.different) throw UserError(r.message);
  const auto tell = [](ActionKind k, Address a) {
    return a == 0 ? std::string(name(k)) : fmt::format("{} of {}", name(k), names::describe(a));
  };
  throw UserError(
      fmt::format("the program is not deterministic: {} did a {} before, but with the same results it now does a {} "
                  "({}); it must not depend on anything but its threads' actions, such as uninitialised variables",
                  who(r.thread), tell(r.expected, r.expected_at), tell(r.found, r.found_at), place(r.site)));
}

void begin_turn(Thread& t) {
  HEDDLE_ASSERT(rt.current == nullptr && t.started && stands_on_its_stack(t));
  rt.current = &t;
  abi::__heddle_fuel = rt.fuel;
  *exceptions_in_flight = t.exceptions;
  *error_number = t.saved_errno;
}
Thread& end_turn() {
  Thread& t = *rt.current;
  rt.current = nullptr;
  t.exceptions = *exceptions_in_flight;
  t.saved_errno = *error_number;
  return t;
}

// Runs t up to its next action, and in a replay the threads after it. The one that has come back to the host.
[[gnu::always_inline]] inline Thread& run_fibres(Thread& t) {
  const ExceptionState host_exceptions = *exceptions_in_flight;
  const int host_errno = *error_number;
  HEDDLE_ASSERT(!host::allocates && !rt.refusal.now);
  begin_turn(t);
  fibre::enter(&rt.host_context, t.context, stack_of(t.id));
  Thread& last = end_turn();
  *exceptions_in_flight = host_exceptions;
  *error_number = host_errno;
  host::allocates = false;  // a failed fibre leaves it set
  if (rt.refusal.now) [[unlikely]]
    throw_refusal();
  return last;
}

[[gnu::noinline]] void run_to_first_action(Thread& t) {
  HEDDLE_ASSERT((t.id == kMain || t.created_now) && rt.relay.over());
  keep_thread(t);
  t.place = ++rt.places;
  start_fibre(t);
  run_fibres(t);
}

// A thread that stands before its exit has nothing left to do.
void exit_at_once(Thread& t, const Step& step) {
  HEDDLE_ASSERT(t.pending.kind == ActionKind::exit && t.next == t.end);
  undo::keep(static_cast<ThreadState&>(t));
  t.last_step = ++rt.steps;
  ++t.actions;
  use(t, step);
  exits::note_exit(t);
}

// Gives the thread of the next stretch its steps. Null if it cannot take any.
Thread* next_in_relay() {
  Relay& relay = rt.relay;
  Thread& t = thread(relay.next->thread);
  if (t.started && is_final(t.pending.kind)) [[unlikely]]
    return nullptr;
  set_mark(relay.first_step[rt.steps].kind, false);
  keep_thread(t);
  if (!t.started) start_fibre(t);
  t.place = ++rt.places;
  t.next = relay.first_step + rt.steps;
  ++relay.next;
  t.end = relay.over() ? relay.end_of_steps : relay.first_step + relay.next->begin;
  HEDDLE_ASSERT(t.next < t.end && t.end <= relay.end_of_steps);
  t.actions += static_cast<uint64_t>(t.end - t.next);
  note_performed(t.next, t.end);
  rt.steps = t.last_step = static_cast<uint32_t>(t.end - relay.first_step);
  return &t;
}

// The host decides what to do if anything is out of the ordinary.
fibre::Context pass_on(Thread& from) {
  const bool ordinary = from.next == from.end && from.pending.kind != ActionKind::error && !rt.refusal.now &&
                        rt.relay.next->thread != from.id;
  Thread* const next = ordinary ? next_in_relay() : nullptr;
  if (next == nullptr) return rt.host_context;
  end_turn();
  begin_turn(*next);
  return next->context;
}

[[noreturn]] void throw_ends_sooner(ThreadId id, ActionKind expected) {
  rt.relay = {};
  throw UserError(
      fmt::format("the program is not deterministic: {} did a {} before, but with the same results it now "
                  "ends sooner",
                  who(id), name(expected)));
}
[[noreturn]] void throw_ends_before(ThreadId id) {
  rt.relay = {};
  throw UserError(
      fmt::format("the program is not deterministic: {} ends before it has done the same actions again", who(id)));
}

}  // namespace

bool add_room(ResetRoom reset) {
  rooms().push_back(reset);
  return true;
}
std::span<const ResetRoom> added_rooms() { return rooms(); }

NativeMachine::NativeMachine(Image image, NativeOptions options) : image_(std::move(image)) {
  if (rt.image != nullptr) throw UserError("only one program can run at a time");
  if (image_.main == nullptr) throw UserError("the program has no main");
  region::map_arenas();
  rt.pass_on = pass_on;
  exceptions_in_flight = reinterpret_cast<ExceptionState*>(::abi::__cxa_get_globals());
  error_number = &errno;
  threads::begin(image_, std::move(options));
  rt.conditions.set_program(image_.conditions);
  assumed_ = {
      .twins = rt.options.find_twins, .plain = !rt.shows_all, .spins = false, .undone = false, .taken_back = false};
  rt.follows_undone = true;
  undo::begin();
  rest::reset();
  suppress::begin();
  untouched::begin(image_);
  rt.own = rt.watches_rounds = rt.shows_rounds = false;
  if (suppress::any()) cell::record_sites(true);
  hazards::begin(image_.uses.hazard_pointers);
  symmetry::begin();
  output::begin(image_.uses.standard_streams);
  crash::install();
  exceptions::install();
  save_globals();
  restart();
}

NativeMachine::~NativeMachine() {
  rest::reset();
  restart();
  exceptions::uninstall();
  crash::uninstall();
  output::end();
  hazards::end();
  cell::end();
  heap::end();
  suppress::end();
  threads::end();
}

void NativeMachine::save_globals() {
  std::ranges::stable_partition(image_.writable, [](const auto& s) { return s.size <= kLargeSegment; });
  for (const auto& s : image_.writable) {
    initial_.insert(initial_.end(), s.start, s.start + s.size);
    if (s.size <= kLargeSegment) ++eager_;
  }
}

void NativeMachine::restore_globals() {
  const std::byte* from = initial_.data();
  for (std::size_t i = 0; i < image_.writable.size(); ++i) {
    const auto& s = image_.writable[i];
    if (i < eager_) {
      std::memcpy(s.start, from, s.size);
    } else {
      cell::for_each_used(address(s.start), s.size,
                          [&](Address a, std::size_t n) { std::memcpy(pointer(a), from + (a - address(s.start)), n); });
    }
    from += s.size;
  }
  HEDDLE_ASSERT(are_restored(image_, initial_, eager_, restarts_));
}

void NativeMachine::restart() {
  ++restarts_;
  start_anew();
}

void NativeMachine::start_anew() {
  rest::stop();
  undo::clear();
  restore_globals();
  cell::reset();
  HEDDLE_ASSERT_WHOLE(check_forgotten(image_));
  lifetime::reset();
  heap::reset();
  access::reset();
  hazards::reset();
  helping::reset();
  symmetry::reset();
  exits::reset();
  output::reset();
  for (const ResetRoom reset_room : added_rooms()) reset_room();
  threads::reset();  // last: the others look at its list
  HEDDLE_ASSERT_WHOLE(threads::check());
  *static_cast<uint32_t*>(pointer(names::kSection)) = 0;
}

// The caller's clocks may have moved.
std::size_t NativeMachine::rewind(std::span<const Step> steps, std::size_t same) {
  HEDDLE_ASSERT(agrees(steps.first(same)));
  rest::stop();
  const int64_t step = undo::back(same);
  ++returns_.all;
  if (step < 0) {
    ++returns_.restarts;
    start_anew();
    return 0;
  }
  HEDDLE_ASSERT(static_cast<std::size_t>(step) <= same);
  for (const ThreadId id : rt.threads) {
    Thread& t = thread(id);
    HEDDLE_ASSERT(t.last_step <= step);  // later ones were put back
    t.next = t.end = nullptr;
    const Clock clock = t.last_step == 0 ? Clock(t.start_clock.data(), id == kMain ? 0 : t.start_clock_size)
                                         : steps[t.last_step - 1].clock;
    t.clock = clock.data();
    t.clock_size = static_cast<uint32_t>(clock.size());
  }
  access::reset();
  helping::find_reads();
  threads::stop_all();
  rt.steps = static_cast<uint32_t>(step);
  HEDDLE_ASSERT_WHOLE(threads::check());
  return static_cast<std::size_t>(step);
}

std::span<const ThreadId> NativeMachine::threads() const { return rt.threads; }

const Action& NativeMachine::pending(ThreadId id) {
  Thread& t = thread(id);
  if (!t.started) [[unlikely]]
    run_to_first_action(t);
  return t.pending;
}

const Action& NativeMachine::perform(ThreadId id, Value result, Clock clock) {
  const Action& action = pending(id);
  const Step step{result, clock, action.kind, action.addr};
  Thread& t = thread(id);
  HEDDLE_ASSERT(!is_final(action.kind) && rt.relay.over());
  if (rest::state.watched) [[unlikely]]
    rest::look_at(t, action, result);
  if (action.kind == ActionKind::exit) {
    note_performed(&step, &step + 1);
    exit_at_once(t, step);
    return t.pending;
  }
  set_mark(action.kind, return_expected);
  keep_thread(t);
  t.place = ++rt.places;
  note_performed(&step, &step + 1);
  t.last_step = ++rt.steps;
  t.next = &step;
  t.end = &step + 1;
  ++t.actions;
  run_fibres(t);
  HEDDLE_ASSERT(t.next == t.end || t.pending.kind == ActionKind::error);
  if (rest::state.watched && t.pending.kind == ActionKind::error) [[unlikely]]
    rest::look_at_error();
  return t.pending;
}

// The steps of a thread alone have numbers of their own.
void NativeMachine::replay(ThreadId id, std::span<const Step> steps) {
  rest::stop();
  undo::forget();
  rt.steps = 0;
  const Stretch all{id, 0};
  if (!steps.empty()) replay_from(steps, {&all, 1}, 0, false);
  undo::forget();
}

ThreadId NativeMachine::replay_all(std::span<const Step> steps, std::span<const Stretch> stretches, std::size_t first,
                                   bool to_error) {
  if (undo::state.checked && first != 0) [[unlikely]]
    return replay_twice(steps, stretches, first, to_error);
  return replay_from(steps, stretches, first, to_error);
}

// Once from where the machine has gone back to, once from the start: it must come to the same.
ThreadId NativeMachine::replay_twice(std::span<const Step> steps, std::span<const Stretch> stretches, std::size_t first,
                                     bool to_error) {
  const auto come_to = [&](std::size_t from) {
    const ThreadId failed = replay_from(steps, stretches, from, to_error);
    for (std::size_t i = 0; i < rt.threads.size(); ++i) pending(rt.threads[i]);
    return std::pair(failed, fingerprint());
  };
  const auto back = come_to(first);
  start_anew();
  const auto anew = come_to(0);
  if (back == anew) return anew.first;
  const auto [here, there] = std::ranges::mismatch(back.second, anew.second);
  const auto line = [](const std::string& text, auto at) {
    const auto n = static_cast<std::size_t>(at - text.begin());
    const std::size_t start = n == 0 ? 0 : text.rfind('\n', n - 1) + 1;
    return text.substr(start, text.find('\n', n) - start);
  };
  throw std::logic_error(
      fmt::format("an execution of {} steps that went back to {} has come to something else: '{}' and "
                  "not '{}'",
                  steps.size(), first, line(back.second, here), line(anew.second, there)));
}

ThreadId NativeMachine::replay_from(std::span<const Step> steps, std::span<const Stretch> stretches, std::size_t first,
                                    bool to_error) {
  HEDDLE_ASSERT(rt.steps == first && first <= steps.size());
  HEDDLE_ASSERT(steps.empty() || (!stretches.empty() && stretches.front().begin == 0));
  Relay& relay = rt.relay;
  relay = {stretches.data(), stretches.data() + stretches.size(), steps.data(), steps.data() + steps.size()};
  while (!relay.over() && relay.next + 1 != relay.end && relay.next[1].begin <= first) ++relay.next;
  if (first == steps.size()) relay = {};
  while (!relay.over()) {
    const Stretch stretch = *relay.next;
    Thread* const next = next_in_relay();
    if (next == nullptr) [[unlikely]] {
      if (thread(stretch.thread).pending.kind != ActionKind::error)
        throw_ends_sooner(stretch.thread, steps[rt.steps].kind);
      ++relay.next;
      rt.steps = static_cast<uint32_t>(relay.over() ? steps.size() : relay.next->begin);
      continue;
    }
    const Thread& last = run_fibres(*next);
    if (last.pending.kind == ActionKind::error) [[unlikely]] {
      if (!to_error) continue;
      relay = {};
      return last.id;
    }
    if (last.next != last.end) [[unlikely]]
      throw_ends_before(last.id);
  }
  return kNoThread;
}

bool NativeMachine::knows_rest(ThreadId id, const FinalValue& final_value) {
  return rest::known(thread(id), final_value);
}

bool NativeMachine::fails(ThreadId id, Clock clock) {
  const Action& a = pending(id);
  return cell::load_fails(thread(id), clock, a.addr, a.size) || round_fails(thread(id), clock);
}

Value NativeMachine::base(Address a, uint8_t size) const { return base_value(a, size); }

std::string NativeMachine::describe(Address a) const { return names::describe(a); }
std::string NativeMachine::object(Address a) const { return names::object(a); }
std::string NativeMachine::block(Address a) const {
  const Block* const b = heap::find(a);
  return b == nullptr ? "memory" : heap::describe(*b);
}
ValueType NativeMachine::type(Address a, uint8_t size) const { return names::type(a, size); }
std::vector<Holder> NativeMachine::holders(Address a) const {
  return names::holders_of == nullptr ? std::vector<Holder>() : names::holders_of(a);
}

std::string NativeMachine::name(ThreadId id) const { return thread_name(id); }

Error NativeMachine::error(ThreadId id) const { return thread(id).error; }

ThreadId NativeMachine::parent(ThreadId id) const { return thread(id).parent; }

ThreadPath NativeMachine::path(ThreadId id) const { return thread(id).path; }

ThreadId NativeMachine::thread_at(ThreadPath path) {
  ThreadId id = kMain;
  for (PathNumbers numbers(path); numbers.more();) {
    id = threads::nth_child(thread(id), numbers.next() - 1);
  }
  return id;
}

std::string NativeMachine::output() const { return output::shown(); }

bool NativeMachine::is_left_behind(ThreadId id) const { return thread(kMain).returned && thread(id).detached; }

// Memory is only missed where all threads have come to their end: a process may end in the midst of them.
Unusual NativeMachine::unusual() {
  Unusual u{.threads = rt.threads.size() - 1};
  u.alignment = rt.odd_alignment;
  u.aligned_at = rt.odd_alignment_at;
  bool all_ended = true;
  for (const ThreadId id : rt.threads) {
    const Thread& t = thread(id);
    all_ended &= t.exit_clock != 0;
    if (id != kMain && !t.joined && !t.detached) u.unjoined.push_back(who(id));
  }
  if (!all_ended) return u;
  for (const ThreadId id : rt.threads) {
    for (const Block& b : heap::state.arena[id].blocks) {
      const bool heap =
          b.kind == BlockKind::malloc || b.kind == BlockKind::new_object || b.kind == BlockKind::new_array;
      if (!heap || b.freed || b.retired) continue;
      if (u.leaked_blocks++ == 0) u.leaked_at = b.site;
      u.leaked_bytes += b.size;
    }
  }
  return u;
}

std::span<const EndedLocal> NativeMachine::ended_locals() const { return lifetime::state.ended_locals; }
std::span<const GuardedUse> NativeMachine::guarded_uses() { return hazards::guarded_uses(); }
bool NativeMachine::uses_hazard_pointers() const { return image_.uses.hazard_pointers; }

void NativeMachine::record_sites(bool on) { cell::record_sites(on || suppress::any()); }

bool NativeMachine::suppresses(SiteId site, SiteId other, Address a) {
  const suppress::Race race{site, other, a};
  const int suppression = suppress::suppression(race);
  if (suppression < 0) return false;
  if (!suppress::show(race)) throw Stopped();
  suppress::note(race, suppression);
  return true;
}
std::vector<SuppressedRace> NativeMachine::suppressed() const { return suppress::state.met; }

}  // namespace heddle
