#include "native/rest.hpp"

#include <algorithm>
#include <stdexcept>

#include "native/exits.hpp"

namespace heddle::rest {

State state;

namespace {

constexpr std::size_t kMostBytes = 4096;  // to look at more takes as long as to do the rest
constexpr unsigned kMostTries = 64;       // in vain

struct Range {
  Address start;
  uint64_t size;
  bool writes;
  bool ends;  // the life of what is there
};

struct Other {
  ThreadId id;
  bool joined;
  bool detached;
  bool operator==(const Other&) const = default;
};

struct Rest {
  uint64_t place = 0;  // where the thread stands; 0: nothing is known
  HostVector<Other> others;
  HostVector<Range> ranges;
};
Rest known_rest;
Rest now;               // what is seen of the thread that is watched
std::size_t bytes = 0;  // of these ranges
bool promised = false;  // it is known, and held against what happens (HEDDLE_REPLAY=check)
unsigned in_vain = 0;   // how often a thread was watched since something known was used

bool is_own(uint32_t epoch, ThreadId t) { return epoch == 0 || epoch::thread_of(epoch) == index(t); }

// A cell of an arena that is not touched does not tell whether its memory is freed; at the end of a life it need not.
bool is_own(const Range& r, ThreadId t) {
  const bool may_be_untouched = r.ends || region::in_image(r.start);
  const uint64_t* const c = cell::at(r.start);
  for (uint64_t i = 0; i < r.size; ++i) {
    if (i > 0 && c[i] == c[i - 1]) continue;
    if (c[i] == 0 && may_be_untouched) continue;
    if (c[i] == 0 || (c[i] & cell::kTracked) != 0 || !is_own(cell::write(c[i]), t)) return false;
    if (r.writes && ((c[i] & cell::kRow) != 0 || !is_own(cell::read(c[i]), t))) return false;
  }
  return true;
}

void note(Thread& t, const Range& r) {
  bytes += r.size;
  if (bytes > kMostBytes || !is_own(r, t.id)) now.place = 0;
  if (now.place != 0) now.ranges.push_back(r);
}
void note_access(Thread& t, Address a, uint64_t size, bool writes) { note(t, {a, size, writes, false}); }
void note_end(Thread& t, Address a, uint64_t size) { note(t, {a, size, true, true}); }

Other other(ThreadId t) { return {t, thread(t).joined, thread(t).detached}; }

bool is_known(const Thread& t) {
  const Rest& r = known_rest;
  return r.place == t.place && !exits::state.used &&
         std::ranges::equal(r.others, rt.threads, {}, {}, other) &&
         std::ranges::all_of(r.ranges, [&](const Range& range) { return is_own(range, t.id); });
}

void watch(const Thread& t) {
  const bool all_seen = cell::state.hooks.plain == nullptr && !rt.options.races_ignore && !rt.shows_some;
  if (!all_seen || exits::state.used || in_vain == kMostTries) return;
  ++in_vain;
  state.watched = true;
  now.place = t.place;
  now.others.clear();
  for (const ThreadId u : rt.threads) now.others.push_back(other(u));
  now.ranges.clear();
  bytes = 0;
  cell::state.hooks.plain = note_access;
  cell::state.hooks.ends = note_end;
  cell::settle_hooks();
}

[[noreturn]] void throw_broken() {
  promised = false;
  throw std::logic_error("the end of an execution is not as it was before, though nothing has changed for it");
}

}  // namespace

bool known(const Thread& t) {
  if (state.watched) return false;
  if (!is_known(t)) {
    watch(t);
    return false;
  }
  in_vain = 0;
  if (!undo::state.checked) return true;
  promised = true;
  watch(t);
  return false;
}

void look_at_step(ActionKind kind) {
  if (kind == ActionKind::join) return;
  if (promised && (kind != ActionKind::exit || now.place == 0)) throw_broken();
  if (kind == ActionKind::exit && now.place != 0) std::swap(known_rest, now);
  promised = false;
  stop();
}

void stop() {
  if (!state.watched) return;
  state.watched = false;
  cell::state.hooks.plain = nullptr;
  cell::state.hooks.ends = nullptr;
  cell::settle_hooks();
  if (promised) throw_broken();
}

void reset() {
  promised = false;
  stop();
  known_rest = {};
  in_vain = 0;
}

}  // namespace heddle::rest
