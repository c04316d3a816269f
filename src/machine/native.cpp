#include "machine/native.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "machine/crash.hpp"
#include "machine/exceptions.hpp"
#include "machine/hazard.hpp"
#include "machine/heap.hpp"
#include "machine/models.hpp"
#include "machine/runtime.hpp"
#include "machine/shadow.hpp"

namespace heddle {
namespace {

// Segments up to this size are copied back whole; of larger ones only what was touched.
constexpr std::size_t kLargeSegment = 1 << 16;

void run_main() {
  static char program[] = "program";
  static char* arguments[] = {program, nullptr};
  static char* environment[] = {nullptr};
  const Image& image = *rt.image;
  for (void (*constructor)() : image.constructors) constructor();
  int status = 0;
  switch (image.main_parameters) {
    case 0: status = reinterpret_cast<int (*)()>(image.main)(); break;
    case 2: status = reinterpret_cast<int (*)(int, char**)>(image.main)(1, arguments); break;
    default: status = reinterpret_cast<int (*)(int, char**, char**)>(image.main)(1, arguments, environment); break;
  }
  models::run_exit_handlers();
  if (status != 0) fail(ErrorKind::exit, fmt::format("main returned {}", status));
  models::exit_thread(nullptr);
}

// No unwinder can pass this frame: an exception that the program does not catch ends in std::terminate.
void run_thread(void* self) {
  Thread& t = *static_cast<Thread*>(self);
  if (t.id == kMain) run_main();
  if (t.c11) {
    const int result = reinterpret_cast<int (*)(void*)>(t.function)(t.argument);
    models::exit_thread(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
  }
  models::exit_thread(reinterpret_cast<void* (*)(void*)>(t.function)(t.argument));
}

}  // namespace

NativeMachine::NativeMachine(Image image, NativeOptions options) : image_(std::move(image)) {
  if (rt.machine != nullptr) throw UserError("only one program can run at a time");
  if (image_.main == nullptr) throw UserError("the program has no main");
  region::map_arenas();
  rt.machine = this;
  rt.image = &image_;
  rt.options = options;
  rt.hazards = rt.thorough = image_.hazard_pointers;
  rt.fuel = static_cast<int64_t>(std::min<uint64_t>(options.spin_limit, INT64_MAX));
  rt.exceptions = reinterpret_cast<ExceptionState*>(::abi::__cxa_get_globals());
  rt.error_number = &errno;
  rt.known_threads = 1;
  thread(kMain).id = kMain;
  thread(kMain).parent = kNoThread;
  if (!thread(kMain).stack_open) region::open_stack(kMain);
  thread(kMain).stack_open = true;
  save_globals();
  cell::set_red_zones(image_);
  crash::install();
  exceptions::install();
  reset(thread(kMain));
  rt.threads.assign(1, kMain);
  restart();
}

NativeMachine::~NativeMachine() {
  restart();
  models::divert_streams(false);
  exceptions::uninstall();
  crash::uninstall();
  for (unsigned i = 0; i < rt.known_threads; ++i) rt.thread[i].children.clear();
  rt.known_threads = 0;
  rt.lenient = false;
  rt.recording = rt.hazards = rt.thorough = false;
  rt.machine = nullptr;
  rt.image = nullptr;
}

void NativeMachine::save_globals() {
  std::ranges::stable_partition(image_.writable, [](const auto& s) { return s.size <= kLargeSegment; });
  for (const auto& s : image_.writable) {
    initial_.insert(initial_.end(), s.start, s.start + s.size);
    if (s.size <= kLargeSegment || rt.lenient) ++eager_;
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
  if (rt.hazards) hazard::reset();
  for (const ThreadId t : rt.threads) reset(thread(t));
  rt.threads.resize(1);
  rt.keys.clear();
  rt.output.clear();
  rt.current = nullptr;
  rt.concurrent = false;
  rt.host = false;
  rt.misfit = false;
  rt.dry = false;
  rt.twins = false;
  rt.thorough = rt.recording || rt.hazards;
  rt.probe = 0;
  rt.site = kNoSite;
  models::restart();
}

std::span<const ThreadId> NativeMachine::threads() const { return rt.threads; }

void NativeMachine::start(Thread& t) {
  // Stacks lie a power of two apart; shifted tops keep threads out of each other's cache lines.
  const Address top = region::kStacks + (index(t.id) + 1) * region::kStackSize - 256 * (index(t.id) % 16);
  t.context = fibre::make(pointer(top), run_thread, &t);
  t.started = true;
  rt.site = kNoSite;
  t.clock = t.start_clock.data();
  t.clock_size = t.id == kMain ? 0 : static_cast<uint32_t>(t.start_clock.size());
}

[[gnu::always_inline]] inline void NativeMachine::run(Thread& t) {
  rt.current = &t;
  abi::__heddle_fuel = rt.fuel;
  const ExceptionState host_exceptions = *rt.exceptions;
  const int host_errno = *rt.error_number;
  *rt.exceptions = t.exceptions;
  *rt.error_number = t.saved_errno;
  fibre::switch_to(&rt.host_context, t.context);
  rt.current = nullptr;
  t.exceptions = *rt.exceptions;
  t.saved_errno = *rt.error_number;
  *rt.exceptions = host_exceptions;
  *rt.error_number = host_errno;
  rt.host = false;  // a failed fibre leaves it set
  if (rt.misfit) [[unlikely]] {
    rt.misfit = false;
    throw UserError(rt.user_error);
  }
}

const Action& NativeMachine::pending(ThreadId id) {
  Thread& t = thread(id);
  if (!t.started) [[unlikely]] {
    start(t);
    run(t);
  }
  return t.pending;
}

const Action& NativeMachine::perform(ThreadId id, Value result, Clock clock) {
  const Action& action = pending(id);
  const Step step{result, clock, action.kind, action.addr};
  Thread& t = thread(id);
  t.next = &step;
  t.end = &step + 1;
  ++t.actions;
  run(t);
  return t.pending;
}

void NativeMachine::replay(ThreadId id, std::span<const Step> steps) {
  if (steps.empty()) return;
  Thread& t = thread(id);
  if (!t.started) {
    start(t);
  } else if (is_final(t.pending.kind)) {
    if (t.pending.kind == ActionKind::error) return;
    throw UserError(
        fmt::format("the program is not deterministic: {} did a {} before, but with the same results it now "
                    "ends sooner",
                    who(id), heddle::name(steps.front().kind)));
  }
  t.next = steps.data();
  t.end = steps.data() + steps.size();
  t.actions += steps.size();
  run(t);
  if (t.next != t.end && t.pending.kind != ActionKind::error) [[unlikely]] {
    throw UserError(
        fmt::format("the program is not deterministic: {} ends before it has done the same actions again", who(id)));
  }
}

bool NativeMachine::fails(ThreadId id, Clock clock) {
  const Action& a = pending(id);
  return cell::load_fails(thread(id), clock, a.addr, a.size);
}

Value NativeMachine::base(Address a, uint8_t size) const {
  Value v;
  // A wild pointer may lead into the part of the image that is not there; the access fails when it is performed.
  if (!region::in_image(a) || (a >= region::image_start() && a < region::image_end()))
    std::memcpy(&v, pointer(a), size);
  return v;
}

Error NativeMachine::error(ThreadId id) const { return thread(id).error; }

ThreadId NativeMachine::parent(ThreadId id) const { return thread(id).parent; }

ThreadPath NativeMachine::path(ThreadId id) const {
  uint64_t path = 0;
  while (id != kMain) {
    const Thread& parent = heddle::thread(heddle::thread(id).parent);
    const auto number = std::ranges::find(parent.children, id) - parent.children.begin() + 1;
    path = path << 8 | static_cast<uint64_t>(number);
    id = parent.id;
  }
  return ThreadPath(path);
}

ThreadId NativeMachine::thread_at(ThreadPath path) {
  ThreadId id = kMain;
  for (auto rest = static_cast<uint64_t>(path); rest != 0; rest >>= 8) {
    id = models::nth_child(heddle::thread(id), static_cast<uint32_t>(rest & 0xff) - 1);
  }
  return id;
}

std::string NativeMachine::output() const { return {rt.output.begin(), rt.output.end()}; }

void NativeMachine::find_no_twins() { rt.options.find_twins = false; }
bool NativeMachine::shows_plain_accesses() const { return rt.options.races_ignore; }
void NativeMachine::show_plain_accesses() { rt.options.races_ignore = true; }

std::span<const GuardedUse> NativeMachine::guarded_uses() {
  return rt.hazards ? hazard::guarded_uses() : std::span<const GuardedUse>();
}

void NativeMachine::record_sites(bool on) {
  if (on) region::map_sites();
  rt.recording = on;
  rt.thorough = on || rt.hazards;
}

}  // namespace heddle
