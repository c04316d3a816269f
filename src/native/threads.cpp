#include "native/threads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/thread_name.hpp"

namespace heddle {

Runtime rt;

void fail(ErrorKind kind, std::string_view message, ThreadId other, SiteId other_site, Clash clash,
          uint32_t other_after) {
  HostScope scope;
  Thread& t = *rt.current;
  t.error = {kind, std::string(message), t.id, rt.site, other, other_site, clash, other_after};
  if (rt.rehearsal != nullptr) rt.rehearsal->failed(t.error);
  t.pending = Action{};
  t.pending.kind = ActionKind::error;
  t.pending.site = rt.site;
  park();
  std::abort();  // a failed thread is never resumed
}

void block(BlockReason reason, uint32_t round, Purpose purpose) {
  if (rt.rehearsal != nullptr) rt.rehearsal->forbid("stop the thread");
  Thread& t = *rt.current;
  if (t.next != t.end) refuse_different(t, *t.next, ActionKind::block, 0);
  t.pending = Action{};
  t.pending.kind = ActionKind::block;
  t.pending.reason = reason;
  t.pending.round = round;
  t.pending.purpose = purpose;
  t.pending.at_once = rt.quiet;
  t.pending.loud = t.loud;
  t.pending.site = rt.site;
  park();
  std::abort();
}

uint32_t threads::code(const Thread& t) {
  const Image::Function* const f = function_at(address(t.named_after));
  return f == nullptr ? 0 : static_cast<uint32_t>(f - rt.image->functions.data()) + 1;
}

bool threads::is_last(const Thread& t) {
  return std::ranges::all_of(rt.threads, [&](ThreadId id) {
    if (id == t.id) return true;
    const uint32_t exit = thread(id).exit_clock;
    const std::size_t u = index(id);
    return exit != 0 && u < t.clock_size && t.clock[u] >= exit;
  });
}

namespace {

// Whether it is new.
bool add_mutex(HostVector<Address>& all, Address mutex) {
  if (std::ranges::find(all, mutex) != all.end()) return false;
  HostScope scope;
  all.push_back(mutex);
  return true;
}

void start_again() {
  rt.sees_passing = true;
  block(BlockReason::mixed);
}

}  // namespace

void count_arrivals() {
  rt.sees_arrivals = true;
  block(BlockReason::mixed);
}

void leave_out_passing(uint32_t events) {
  const Thread& t = *rt.current;
  if (t.in_vain.clock != 0 && t.in_vain.clock <= events) look_for_passing();
  bool is_new = false;
  bool is_tried = false;
  for (const Passed& p : t.passed) {
    if (p.clock <= events) continue;
    is_new |= add_mutex(rt.passed, p.mutex);
    is_tried |= std::ranges::find(rt.tried, p.mutex) != rt.tried.end();
  }
  if (rt.passing == Passing::unseen ? is_tried : is_new && rt.passing == Passing::may_be_seen) start_again();
}

void look_for_passing() {
  if (rt.passing != Passing::unseen) return;
  const Address mutex = rt.current->in_vain.mutex;
  add_mutex(rt.tried, mutex);
  if (std::ranges::find(rt.passed, mutex) != rt.passed.end()) start_again();
}

namespace {

[[noreturn]] void leave_refused() {
  rt.refusal.now = true;
  rt.current->pending = Action{};
  rt.current->pending.kind = ActionKind::block;
  park();
  std::abort();
}

// A thread is created on a fibre, or named by the host.
[[noreturn]] void refuse_thread(const std::string& message) {
  if (rt.current == nullptr) throw UserError(message);
  refuse(message);
}

// The path of the n-th child (from 0). The memory of threads that threads create is a part of their parent's.
ThreadPath path_of_child(const Thread& t, uint32_t n) {
  HostScope scope;
  const std::size_t most = t.id == kMain ? region::kMaxThreads - 1 : region::kEarlyThreads;
  if (n >= most) refuse_thread(fmt::format("{} creates more than {} threads", who(t.id), most));
  const std::optional<ThreadPath> path = child_path(t.path, n + 1);
  if (!path) refuse_thread(fmt::format("threads that create threads are nested too deep at {}", who(t.id)));
  return *path;
}

void reset(Thread& t) {
  t.next = t.end = nullptr;
  t.clock = nullptr;
  t.clock_size = 0;
  t.started = false;
  t.created_now = false;
  t.exceptions = {};
  t.saved_errno = 0;
  t.actions = 0;
  t.taken = 0;
  t.changed = t.changes = t.settled = 0;
  t.noted = t.lapped = t.told = t.heard = 0;
  t.notes = false;
  t.noted_last.clear();
  t.passed.clear();
  t.begun.clear();
  t.waited.clear();
  t.loud = 0;
  t.will_store = {};
  t.goes_round = false;
  t.in_vain = {};
  t.result = nullptr;
  t.returned = false;
  t.detached = false;
  t.joined = false;
  t.elected = false;
  t.created = 0;
  t.exit_clock = 0;
  t.pinned = 0;
  t.last_step = 0;
  t.kept = 0;
}

}  // namespace

void refuse(std::string_view message) {
  HostScope scope;
  rt.refusal.message = message;
  rt.refusal.different = false;
  leave_refused();
}

void leave_stopped() {
  rt.refusal.stopped = true;
  leave_refused();
}

void refuse_different(const Thread& t, const Step& expected, ActionKind kind, Address addr) {
  rt.refusal.different = true;
  rt.refusal.thread = t.id;
  rt.refusal.expected = expected.kind;
  rt.refusal.expected_at = expected.addr;
  rt.refusal.found = kind;
  rt.refusal.found_at = addr;
  rt.refusal.site = rt.site;
  leave_refused();
}

namespace threads {

// A child keeps its id in all executions, whichever thread happens to be created first. Those before it may not be
// known yet.
ThreadId new_child(Thread& t, uint32_t n) {
  const ThreadPath path = path_of_child(t, n);
  if (rt.known_threads == std::min<std::size_t>(region::kMaxThreads, rt.first_long)) {
    HostScope scope;
    refuse_thread(fmt::format("the program creates more than {} different threads, in all its executions together",
                              region::kMaxThreads - 1));
  }
  HEDDLE_ASSERT(find(path) == kNoThread);
  const auto id = ThreadId(rt.known_threads++);
  Thread& child = thread(id);
  child.id = id;
  child.parent = t.id;
  child.path = path;
  child.children.clear();
  if (!child.stack_open) region::open_stack(id);
  child.stack_open = true;
  heddle::reset(child);
  if (n >= t.children.size()) t.children.resize(n + 1, kNoThread);
  t.children[n] = id;
  HEDDLE_ASSERT(find(path) == id);
  return id;
}

ThreadId find(ThreadPath path) {
  ThreadId id = kMain;
  for (PathNumbers numbers(path); numbers.more();) {
    const HostVector<ThreadId>& children = thread(id).children;
    const std::size_t number = numbers.next();
    if (number == 0 || number > children.size() || children[number - 1] == kNoThread) return kNoThread;
    id = children[number - 1];
  }
  return id;
}

void begin(const Image& image, NativeOptions options) {
  rt.image = &image;
  rt.options = std::move(options);
  // A thread that helps may learn of a later time than one whose help is left out.
  rt.options.helping = rt.options.helping && !image.uses.clocks;
  rt.shows_all = rt.options.races_ignore;
  rt.fuel = static_cast<int64_t>(std::min<uint64_t>(rt.options.spin_limit, INT64_MAX));
  rt.rounds.assign(image.sites.size(), UINT32_MAX);
  rt.spins.assign(image.sites.size(), Spinning::followed);
  rt.followed.assign(image.sites.size(), kNoSite);
  std::ranges::fill(rt.offer, nullptr);
  rt.known_threads = 1;
  rt.long_clocks.clear();
  rt.first_long = kEpochSlots;
  Thread& main = thread(kMain);
  main.id = kMain;
  main.parent = kNoThread;
  main.path = ThreadPath(0);
  if (!main.stack_open) region::open_stack(kMain);
  main.stack_open = true;
  rt.threads.assign(1, kMain);
}

void remove_last() {
  // What it did was put back before: the fibre is as before its start.
  HEDDLE_ASSERT(rt.threads.size() > 1 && thread(rt.threads.back()).created_now && !thread(rt.threads.back()).started);
  heddle::reset(thread(rt.threads.back()));
  rt.threads.pop_back();
}

void stop_all() {
  rt.current = nullptr;
  rt.relay = {};
  rt.refusal.now = rt.refusal.stopped = false;
  rt.rehearsal = nullptr;
  rt.until = {};
  rt.slow_actions &= ~Runtime::kLearning;
  host::allocates = false;
}

#if HEDDLE_CHECKED

std::string check() {
  if (rt.threads.empty() || rt.threads.front() != kMain) return "main is not the first thread";
  HostVector<uint32_t> children(rt.known_threads);  // that exist, of each thread
  HostVector<uint8_t> met(rt.known_threads);
  for (const ThreadId id : rt.threads) {
    if (index(id) >= rt.known_threads || met[index(id)] != 0) return "a thread is unknown, or there twice";
    met[index(id)] = 1;
    const Thread& t = thread(id);
    if (t.id != id || find(t.path) != id) return "a thread does not have its own id or path";
    if (id == kMain) continue;
    if (!t.created_now) return "a thread is in the list, and not created";
    if (index(t.parent) >= rt.known_threads || met[index(t.parent)] == 0) return "a thread is there before its parent";
    ++children[index(t.parent)];
  }
  for (unsigned i = 0; i < rt.known_threads; ++i) {
    const Thread& t = rt.thread[i];
    if (met[i] == 0 && (t.created_now || t.started)) return "a thread exists, and is not in the list";
    // One more if it stands before the create, or has failed there.
    if (met[i] != 0 && (t.created < children[i] || t.created > children[i] + 1)) return "a parent has lost count";
  }
  return "";
}

#endif

void end() {
  for (unsigned i = 0; i < rt.known_threads; ++i) rt.thread[i].children.clear();
  rt.known_threads = 0;
  rt.image = nullptr;
}

void add_offer(Runtime::Offer offer) {
  const auto has = [&](Runtime::Offer known) { return known == nullptr || known == offer; };
  HEDDLE_ASSERT(std::ranges::any_of(rt.offer, has));
  *std::ranges::find_if(rt.offer, has) = offer;
}

void reset() {
  // An execution in which the program recurses deeply leaves pages behind. To look after each one would be slow.
  constexpr unsigned kOften = 4096;
  if (++rt.restarts % kOften == 0) {
    for (unsigned t = 0; t < rt.known_threads; ++t) region::trim_stack(ThreadId(t));
  }
  HEDDLE_ASSERT(!rt.threads.empty() && rt.threads.front() == kMain);
  for (const ThreadId t : rt.threads) heddle::reset(thread(t));
  rt.threads.resize(1);
  stop_all();
  rt.concurrent = false;
  rt.made_up = false;
  rt.site = kNoSite;
  rt.steps = 0;
}

}  // namespace threads

std::string place(SiteId site) {
  if (site == kNoSite || rt.image == nullptr || index(site) >= rt.image->sites.size()) return "unknown place";
  const Site& s = rt.image->sites[user_frame(rt.image->sites, site)];
  return fmt::format("{}:{}", s.file, s.line);
}

const Image::Function* function_at(Address a) {
  const auto it = std::ranges::lower_bound(rt.image->functions, a, {}, &Image::Function::address);
  return it == rt.image->functions.end() || it->address != a ? nullptr : &*it;
}

std::string thread_name(ThreadId t) {
  if (t == kMain) return "main";
  const Image::Function* const f = function_at(address(thread(t).named_after));
  if (f == nullptr) return name_of(t);
  const Image::Function* const runs =
      f->name == Image::kByPointer && runs_by_pointer != nullptr ? runs_by_pointer(thread(t)) : nullptr;
  return runs == nullptr ? f->name : runs->name;
}

std::string who(ThreadId t) { return name_of(t, thread_name(t)); }

}  // namespace heddle
