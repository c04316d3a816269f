// Clocks and sleeps. Time is made up, and the same in every run: a clock starts at a fixed instant, goes on by a fixed
// step with each call, and by what the thread sleeps. It never shows less than any call that happens before, by
// whichever thread: so it is a function of the execution, and a program cannot see it run backwards.
#include "library/clocks.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <sys/times.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <optional>

#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kStep = 1'000'000;                     // nanoseconds
constexpr uint64_t kRealStart = 1'700'000'000 * kSecond;  // November 2023
constexpr uint64_t kSteadyStart = 1'000 * kSecond;
constexpr uint64_t kLatest = uint64_t{1} << 62;  // since the start: whatever is added to it, no clock runs over

// What the clock of thread u showed last before its event number `events`; 0 if nothing.
uint64_t shown_before(ThreadId u, uint32_t events) {
  const auto& ticks = state.of[u].ticks;
  const auto it = std::ranges::lower_bound(ticks, events, {}, &Tick::clock);
  return it == ticks.begin() ? 0 : (it - 1)->nanoseconds;
}

// The current thread's time, in nanoseconds since the start, without a step.
uint64_t time_so_far() {
  const Thread& t = *rt.current;
  uint64_t now = mine().ticks.empty() ? 0 : mine().ticks.back().nanoseconds;
  for (const ThreadId u : rt.threads) {
    if (u != t.id && index(u) < t.clock_size) now = std::max(now, shown_before(u, t.clock[index(u)]));
  }
  return now;
}

void set_time(uint64_t nanoseconds) {
  if (rt.image->uses.clocks) change();  // a thread may notice (frontend/loops/time_limits.cpp)
  auto& ticks = mine().ticks;
  const uint32_t clock = own_clock(*rt.current);
  HEDDLE_ASSERT(nanoseconds >= time_so_far());  // no clock runs backwards
  HEDDLE_ASSERT(ticks.empty() || ticks.back().clock <= clock);
  if (ticks.empty() || ticks.back().clock != clock) ticks.push_back({clock, 0});
  ticks.back().nanoseconds = nanoseconds;
}

bool learns() {
  if (!state.used) return false;  // nobody has a clock yet
  const uint64_t now = time_so_far();
  if (now <= mine().told_time) return false;
  mine().told_time = now;
  return true;
}
bool tells(Address place) {
  if (!state.used) return false;
  const uint64_t now = time_so_far();
  auto& told = mine().told;
  const auto it = std::ranges::find(told, place, &ToldTime::place);
  if (now == 0 || (it != told.end() && now <= it->nanoseconds)) return false;
  if (it != told.end()) {
    it->nanoseconds = now;
  } else {
    told.push_back({place, now});
  }
  return true;
}
const bool tells_of_time = (learns_time = learns, tells_time = tells, true);

uint64_t now() {
  set_time(time_so_far() + kStep);
  return mine().ticks.back().nanoseconds;
}
uint64_t real_now() { return kRealStart + now(); }
uint64_t steady_now() { return kSteadyStart + now(); }

// When a clock began; none if it is not known.
std::optional<uint64_t> start_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI: return kRealStart;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM: return kSteadyStart;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return 0;
    default: return std::nullopt;
  }
}

int invalid() {
  set_error_number(EINVAL);
  return -1;
}

time_t time_(time_t* out) {
  const auto seconds = static_cast<time_t>(real_now() / kSecond);
  if (out != nullptr) plain_put(out, seconds);
  return seconds;
}
clock_t clock_() { return static_cast<clock_t>(now() / (kSecond / CLOCKS_PER_SEC)); }
bool is_clock(clockid_t clock) { return start_of(clock).has_value(); }
int64_t read_clock(clockid_t clock) { return static_cast<int64_t>(start_of(clock).value_or(0) + now()); }
int clock_getres_(clockid_t clock, timespec* out) {
  if (!start_of(clock)) return invalid();
  if (out != nullptr) plain_put(out, timespec{0, 1});
  return 0;
}
int64_t system_clock_now() { return static_cast<int64_t>(real_now()); }
int64_t steady_clock_now() { return static_cast<int64_t>(steady_now()); }
uint64_t cycles() { return now(); }

// As many as a clock can show, if there are more.
int64_t as_nanoseconds(int64_t seconds, int64_t rest) {
  constexpr auto kMost = static_cast<int64_t>(kLatest / kSecond);
  return std::clamp<int64_t>(seconds, 0, kMost) * static_cast<int64_t>(kSecond) + rest;
}

// A sleep ends after its time, never before; how long after is not known.
std::optional<uint64_t> duration(timespec t) {
  if (t.tv_sec < 0 || t.tv_nsec < 0 || t.tv_nsec >= static_cast<long>(kSecond)) return std::nullopt;
  return as_nanoseconds(t.tv_sec, t.tv_nsec);
}

unsigned sleep_(unsigned seconds) {
  pass(static_cast<int64_t>(seconds * kSecond));
  return 0;
}
int usleep_(unsigned microseconds) {
  pass(microseconds * 1000l);
  return 0;
}
void sleep_for(int64_t seconds, int64_t nanoseconds) { pass(as_nanoseconds(seconds, nanoseconds)); }
int clock_nanosleep_(clockid_t clock, int flags, const timespec* time, timespec*) {
  const auto start = start_of(clock);
  const timespec limit = plain_get(time);
  const auto ns = duration(limit);
  if (!start || !ns) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) {
    pass(static_cast<int64_t>(*ns));
  } else {
    reach(clock, limit);
  }
  return 0;
}
bool is_limit(long nanoseconds) { return nanoseconds >= 0 && nanoseconds < static_cast<long>(kSecond); }
int reach_limit(clockid_t clock, long seconds, long nanoseconds) {
  if (!is_limit(nanoseconds)) return EINVAL;
  reach(clock, {seconds, nanoseconds});
  return ETIMEDOUT;
}
void poll_files() {
  HostScope scope;
  refuse(fmt::format("poll() of files is not supported ({}): a test has no input from outside", place(rt.site)));
}

}  // namespace

bool is_time(const timespec* time) { return is_limit(plain_get(time).tv_nsec); }

void pass(int64_t nanoseconds) {
  if (nanoseconds <= 0) return;
  const uint64_t now = time_so_far();
  set_time(std::max(now, std::min(now + static_cast<uint64_t>(nanoseconds), kLatest)));
}

void pass(const timespec* time) {
  if (const auto ns = duration(plain_get(time))) pass(static_cast<int64_t>(*ns));
}

void reach(clockid_t clock, const timespec* time) { reach(clock, plain_get(time)); }

void reach(clockid_t clock, timespec time) {
  const auto start = start_of(clock);
  const auto ns = duration(time);
  if (start && ns && *ns > *start && *ns - *start > time_so_far()) set_time(*ns - *start);
}

std::span<const Row> clock_functions() {
  static const Row table[] = {
      row("time", time_, kTellsTime),
      row("clock", clock_, kTellsTime),
      row("__heddle_is_clock", is_clock, kNoSideEffects),
      row("__heddle_clock", read_clock, kTellsTime),
      row("clock_getres", clock_getres_),
      row("_ZNSt6chrono3_V212system_clock3nowEv", system_clock_now, kTellsTime),
      row("_ZNSt6chrono3_V212steady_clock3nowEv", steady_clock_now, kTellsTime),
      row("__heddle_cycles", cycles, kTellsTime),
      row("sleep", sleep_, kSleeps),
      row("usleep", usleep_, kSleeps),
      row("__heddle_sleep", sleep_for, kSleeps | kTakesLimit),
      row("__heddle_is_limit", is_limit, kNoSideEffects | kTakesLimit),
      row("__heddle_reach_limit", reach_limit, kTellsChanges | kTakesLimit),
      row("clock_nanosleep", clock_nanosleep_, kNoSideEffects),
      row("__heddle_poll_files", poll_files, kNoSideEffects),
      native("difftime"),
  };
  return table;
}

}  // namespace heddle::library
