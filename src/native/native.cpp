#include "native/native.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "core/stop.hpp"
#include "native/crash.hpp"
#include "native/exceptions.hpp"
#include "native/names.hpp"
#include "native/suppress.hpp"

namespace heddle {
namespace {

// Segments up to this size are copied back whole; of larger ones only what was touched.
constexpr std::size_t kLargeSegment = 1 << 16;

// What the C and C++ libraries keep per OS thread; each fibre has its own copy.
ExceptionState* exceptions_in_flight = nullptr;
int* error_number = nullptr;

std::vector<Room>& rooms() {
  static std::vector<Room> all;
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

fibre::Stack stack_of(ThreadId t) { return {pointer(region::stack_low(t)), region::kStackUsable}; }

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
  // Stacks lie a power of two apart; shifted tops keep threads out of each other's cache lines.
  const Address top = region::stack_low(t.id) + region::kStackUsable - (1024 + 64) * (index(t.id) % 16);
  fibre::forget_frames(stack_of(t.id), t.context);
  t.context = fibre::make(pointer(top), run_thread, &t);
  t.started = true;
  rt.site = kNoSite;
  t.clock = t.start_clock.data();
  t.clock_size = t.id == kMain ? 0 : t.start_clock_size;
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
  start_fibre(t);
  run_fibres(t);
}

// Gives the thread of the next stretch its steps. Null if it cannot take any.
Thread* next_in_relay() {
  Relay& relay = rt.relay;
  Thread& t = thread(relay.next->thread);
  if (!t.started) {
    start_fibre(t);
  } else if (is_final(t.pending.kind)) [[unlikely]] {
    return nullptr;
  }
  t.next = relay.first_step + relay.next->begin;
  ++relay.next;
  t.end = relay.over() ? relay.end_of_steps : relay.first_step + relay.next->begin;
  t.actions += static_cast<uint64_t>(t.end - t.next);
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

// Settings of each place, mostly the same: how many of them, and which, again and again.
template <typename List>
void write_runs(ByteWriter& out, const List& list) {
  out.number(list.size());
  for (std::size_t i = 0; i < list.size();) {
    std::size_t end = i + 1;
    while (end < list.size() && list[end] == list[i]) ++end;
    out.number(end - i);
    out.number(static_cast<uint64_t>(list[i]));
    i = end;
  }
}
template <typename List>
void read_runs(ByteReader& in, std::size_t most, uint64_t bound, List& list) {
  list.clear();
  const uint64_t size = in.number(most + 1);
  while (list.size() < size) {
    const uint64_t run = in.number(size - list.size() + 1);
    if (run == 0) throw std::runtime_error("a number is out of range");
    list.insert(list.end(), run, static_cast<typename List::value_type>(in.number(bound)));
  }
}

void write_addresses(ByteWriter& out, const HostVector<Address>& list) {
  out.number(list.size());
  for (const Address a : list) out.number(a);
}
void read_addresses(ByteReader& in, HostVector<Address>& list) {
  list.resize(in.count());
  for (Address& a : list) a = in.number();
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

bool add_room(const Room& room) {
  rooms().push_back(room);
  return true;
}
std::span<const Room> added_rooms() { return rooms(); }

NativeMachine::NativeMachine(Image image, NativeOptions options) : image_(std::move(image)) {
  if (rt.image != nullptr) throw UserError("only one program can run at a time");
  if (image_.main == nullptr) throw UserError("the program has no main");
  region::map_arenas();
  rt.pass_on = pass_on;
  exceptions_in_flight = reinterpret_cast<ExceptionState*>(::abi::__cxa_get_globals());
  error_number = &errno;
  threads::begin(image_, std::move(options));
  suppress::begin();
  cell::begin(image_);
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
}

void NativeMachine::restart() {
  restore_globals();
  cell::reset();
  heap::reset();
  access::reset();
  hazards::reset();
  helping::reset();
  symmetry::reset();
  exits::reset();
  output::reset();
  for (const Room& room : added_rooms()) room.reset();
  threads::reset();  // last: the others look at its list
  *static_cast<uint32_t*>(pointer(names::kSection)) = 0;
}

NativeMachine::Saved NativeMachine::save() const {
  Saved saved{threads::save(), heap::save(),    cell::save(),
              hazards::save(), helping::save(), symmetry::save(),
              exits::save(),   output::save(),  {}};
  for (const Room& room : added_rooms()) saved.added.push_back(room.save());
  return saved;
}

void NativeMachine::restore(const Saved& saved) {
  threads::restore(saved.threads);  // first: the others look at its list
  heap::restore(saved.heap);
  cell::restore(saved.shadow);
  hazards::restore(saved.hazards);
  helping::restore(saved.helping);
  symmetry::restore(saved.symmetry);
  exits::restore(saved.exits);
  output::restore(saved.output);
  for (std::size_t i = 0; i < saved.added.size(); ++i) added_rooms()[i].restore(saved.added[i]);
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
  t.next = &step;
  t.end = &step + 1;
  ++t.actions;
  run_fibres(t);
  return t.pending;
}

void NativeMachine::replay(ThreadId id, std::span<const Step> steps) {
  const Stretch all{id, 0};
  if (!steps.empty()) replay_all(steps, {&all, 1}, false);
}

ThreadId NativeMachine::replay_all(std::span<const Step> steps, std::span<const Stretch> stretches, bool to_error) {
  Relay& relay = rt.relay;
  relay = {stretches.data(), stretches.data() + stretches.size(), steps.data(), steps.data() + steps.size()};
  while (!relay.over()) {
    const Stretch stretch = *relay.next;
    Thread* const next = next_in_relay();
    if (next == nullptr) [[unlikely]] {
      if (thread(stretch.thread).pending.kind != ActionKind::error)
        throw_ends_sooner(stretch.thread, steps[stretch.begin].kind);
      ++relay.next;
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

bool NativeMachine::fails(ThreadId id, Clock clock) {
  const Action& a = pending(id);
  return cell::load_fails(thread(id), clock, a.addr, a.size);
}

Value NativeMachine::base(Address a, uint8_t size) const { return base_value(a, size); }

std::string NativeMachine::describe(Address a) const { return names::describe(a); }
std::string NativeMachine::object(Address a) const { return names::object(a); }

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

uint64_t NativeMachine::rules() const {
  const NativeOptions& o = rt.options;
  Hash hash;
  hash.add(o.races_ignore)
      .add(o.spurious_cas)
      .add(o.timeouts)
      .add(o.spurious_wakeups)
      .add(o.nondet_bound)
      .add(o.step_limit)
      .add(o.spin_limit);
  hash.add(o.symmetry).add(o.find_twins).add(o.helping);
  for (const Suppression& s : o.suppressions) hash.add(s.pattern);
  hash.add(image_.sites.size()).add(address(image_.main));
  for (const Image::Global& g : image_.globals) hash.add(g.name).add(g.address).add(g.size);
  for (const Image::Function& f : image_.functions) hash.add(f.name).add(f.address);
  hash.add(std::string_view(reinterpret_cast<const char*>(initial_.data()), initial_.size()));
  return hash.value();
}

std::string NativeMachine::output() const { return output::shown(); }

std::string NativeMachine::settings() const {
  ByteWriter out;
  for (const bool on : {rt.options.races_ignore, rt.options.find_twins, rt.follows_first_tries, rt.shows_some})
    out.number(on);
  write_runs(out, rt.rounds);
  write_runs(out, rt.spins);
  write_runs(out, rt.shown);
  out.number(static_cast<uint64_t>(rt.passing));
  write_addresses(out, rt.passed);
  write_addresses(out, rt.tried);
  return out.bytes();
}
void NativeMachine::set_settings(std::string_view settings) {
  ByteReader in(settings);
  for (bool* on : {&rt.options.races_ignore, &rt.options.find_twins, &rt.follows_first_tries, &rt.shows_some})
    *on = in.flag();
  const std::size_t places = image_.sites.size();
  read_runs(in, places, uint64_t{1} << 32, rt.rounds);
  read_runs(in, places, static_cast<uint64_t>(Spinning::mixed) + 1, rt.spins);
  read_runs(in, places, 2, rt.shown);
  const bool all = rt.rounds.size() == places && rt.spins.size() == places;
  const std::size_t shown = suppress::any() ? places : 0;
  rt.passing = static_cast<Passing>(in.number(static_cast<uint64_t>(Passing::seen) + 1));
  read_addresses(in, rt.passed);
  read_addresses(in, rt.tried);
  if (!all || rt.shown.size() != shown || !in.at_end())
    throw std::runtime_error("these are settings of another program");
}

void NativeMachine::bound_loops(uint32_t rounds) { rt.rounds.assign(image_.sites.size(), rounds); }
void NativeMachine::bound_loop(SiteId site, uint32_t rounds) { rt.rounds[index(site)] = rounds; }
void NativeMachine::follow_first_tries() { rt.follows_first_tries = true; }
void NativeMachine::skip_rounds(bool skip) {
  rt.spins.assign(image_.sites.size(), skip ? Spinning::unknown : Spinning::followed);
}
bool NativeMachine::follow_mixed() {
  bool any = false;
  for (Spinning& spin : rt.spins) {
    if (spin != Spinning::mixed) continue;
    spin = Spinning::followed;
    any = true;
  }
  return any;
}
bool NativeMachine::is_left_behind(ThreadId id) const { return thread(kMain).returned && thread(id).detached; }

// Memory is only missed where all threads have come to their end: a process may end in the midst of them.
Unusual NativeMachine::unusual() {
  Unusual u{.threads = rt.threads.size() - 1};
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

void NativeMachine::show_passing(Passing passing) {
  rt.passing = passing;
  rt.sees_passing = false;
  if (passing != Passing::unseen) return;
  rt.passed.clear();
  rt.tried.clear();
}
bool NativeMachine::sees_passing() const { return rt.sees_passing; }
void NativeMachine::find_no_twins() { symmetry::find_no_twins(); }
bool NativeMachine::shows_plain_accesses() const { return rt.options.races_ignore; }
void NativeMachine::show_plain_accesses() { rt.options.races_ignore = true; }

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
bool NativeMachine::show_suppressed() {
  if (!suppress::state.show_more) return false;
  suppress::state.show_more = false;
  suppress::state.met.clear();
  rt.shows_some = true;
  return true;
}
std::vector<SuppressedRace> NativeMachine::suppressed() const { return suppress::state.met; }

}  // namespace heddle
