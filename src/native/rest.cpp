#include "native/rest.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>

#include "core/assert.hpp"
#include "native/exits.hpp"
#include "native/symmetry.hpp"

namespace heddle::rest {

State state;

namespace {

constexpr std::size_t kMostBytes = 4096;  // to look at more takes as long as to do the rest
constexpr unsigned kMostTries = 64;       // in vain
constexpr std::size_t kMostRests = 16;    // that are known

enum class Use : uint8_t { read, write, end };  // of a life

struct Range {
  Address start;
  uint64_t size;
  Use use;
  std::size_t joins;     // before that
  std::size_t contents;  // where they are
};

struct Load {
  Address addr;
  uint8_t size;
  Value value;
};

struct Freed {
  Address addr;
  uint64_t size;
  BlockKind kind;
};

struct Other {
  ThreadId id;
  bool joined;
  bool detached;
  ThreadId twin;
  bool operator==(const Other&) const = default;
};

struct Rest {
  uint64_t place = 0;  // where the thread stands; 0: nothing is known
  HostVector<Other> others;
  HostVector<ThreadId> joined;  // in the rest, one after the other
  HostVector<Range> ranges;
  bool own = true;                 // no other thread had used them
  HostVector<Range> merged;        // the same, fewer
  HostVector<std::byte> contents;  // of those that are read
  HostVector<Load> loads;
  HostVector<Freed> frees;
};
HostVector<Rest> rests;    // that are known; those used of late come first
Rest now;                  // what is seen of the thread that is watched
ThreadId who = kNoThread;  // is watched
std::size_t bytes = 0;     // of these ranges
bool promised = false;     // it is known, and held against what happens (HEDDLE_REPLAY=check)
unsigned in_vain = 0;      // how often a thread was watched since something known was used

// Whether the thread that made the access is t, or has been joined before.
bool is_ordered(uint32_t epoch, ThreadId t, std::span<const ThreadId> joined) {
  if (epoch == 0) return true;
  const auto u = ThreadId(epoch::thread_of(epoch));
  return u == t || std::ranges::find(joined, u) != joined.end();
}

bool may_use(uint64_t c, Use use, ThreadId t, std::span<const ThreadId> joined) {
  if ((c & cell::kTracked) != 0 || !is_ordered(cell::write(c), t, joined)) return false;
  if (use == Use::read) return (c & cell::kInit) != 0;
  return (c & cell::kRow) == 0 && is_ordered(cell::read(c), t, joined);
}

// A cell of an arena that is not touched does not tell whether its memory is freed; at the end of a life it need not.
bool may_use(const Range& r, ThreadId t, std::span<const ThreadId> joined) {
  const bool may_be_untouched = r.use == Use::end || region::in_image(r.start);
  const uint64_t* const c = cell::at(r.start);
  uint64_t before = ~uint64_t{0};
  for (uint64_t i = 0; i < r.size;) {
    const uint64_t n = r.size - i >= 8 && cell::uniform<8>(c + i) ? 8 : 1;
    if (c[i] != before && (c[i] == 0 ? !may_be_untouched : !may_use(c[i], r.use, t, joined))) return false;
    before = c[i];
    i += n;
  }
  return true;
}

// So that a range is looked at in one go.
HostVector<Range> merge(HostVector<Range> ranges) {
  std::ranges::sort(ranges, {}, [](const Range& r) { return std::pair(r.use, r.start); });
  HostVector<Range> merged;
  for (const Range& r : ranges) {
    Range* const last = merged.empty() ? nullptr : &merged.back();
    if (last != nullptr && last->use == r.use && r.start <= last->start + last->size) {
      last->size = std::max(last->size, r.start + r.size - last->start);
    } else {
      merged.push_back(r);
    }
  }
  HEDDLE_ASSERT(std::ranges::adjacent_find(merged, [](const Range& a, const Range& b) {
                  return a.use == b.use && b.start <= a.start + a.size;
                }) == merged.end());
  return merged;
}

// No thread but t has ever used this memory, now as then: it is as t has left it.
bool own_memory(const Rest& r, ThreadId t) {
  return r.own && std::ranges::all_of(r.merged, [&](const Range& range) { return may_use(range, t, {}); });
}

// A thread that sees what twins have done may tell them apart (symmetry.hpp): that is looked at where it happens.
bool has_twins() { return cell::state.hooks.meets != nullptr; }

std::span<const ThreadId> joined_before(const Rest& r, const Range& range) {
  return std::span(r.joined).first(has_twins() ? 0 : range.joins);
}

bool same_memory(const Rest& r, ThreadId t) {
  return std::ranges::all_of(r.ranges, [&](const Range& range) {
    HEDDLE_ASSERT(range.joins <= r.joined.size());
    HEDDLE_ASSERT(range.use != Use::read || range.contents + range.size <= r.contents.size());
    return may_use(range, t, joined_before(r, range)) &&
           (range.use != Use::read ||
            std::memcmp(pointer(range.start), r.contents.data() + range.contents, range.size) == 0);
  });
}

void spoil() { now.place = 0; }

void note(Thread& t, Address a, uint64_t size, Use use) {
  HEDDLE_ASSERT(state.watched && t.id == who);  // no other thread has anything left to do
  const Range r{a, size, use, now.joined.size(), now.contents.size()};
  bytes += size;
  const bool part_of_word = use == Use::read && ((a | size) & (sizeof(uint64_t) - 1)) != 0;
  if (bytes > kMostBytes || !may_use(r, t.id, joined_before(now, r)) || (has_twins() && part_of_word)) spoil();
  if (now.place == 0) return;
  now.own = now.own && may_use(r, t.id, {});
  now.ranges.push_back(r);
  const auto* const p = static_cast<const std::byte*>(pointer(a));
  if (use == Use::read) now.contents.insert(now.contents.end(), p, p + size);
}
void note_access(Thread& t, Address a, uint64_t size, bool writes) {
  note(t, a, size, writes ? Use::write : Use::read);
}
void note_end(Thread& t, Address a, uint64_t size) { note(t, a, size, Use::end); }

Other other(ThreadId t) { return {t, thread(t).joined, thread(t).detached, symmetry::state.twin[t].before}; }

// Whether all other threads have ended before whatever the one that is watched does now.
bool all_joined() {
  return std::ranges::all_of(now.others, [](const Other& o) {
    return o.joined || o.id == who || std::ranges::find(now.joined, o.id) != now.joined.end();
  });
}

// Whether an action that loads finds what it expects to find.
bool is_settled(Address a, uint8_t size) { return cell::covered(a) && cell::settled(a, size, cell::Use::load); }

// The block that is to be freed.
const Block* alive(Address a) {
  const Block* const b = heap::starting_at(a);
  return b == nullptr || b->freed || b->retired ? nullptr : b;
}

bool is_this(const Rest& r, const Thread& t, const Machine::FinalValue& final_value) {
  return r.place == t.place && !exits::state.used && std::ranges::equal(r.others, rt.threads, {}, {}, other) &&
         (own_memory(r, t.id) || same_memory(r, t.id)) &&
         std::ranges::all_of(
             r.loads,
             [&](const Load& l) { return is_settled(l.addr, l.size) && final_value(l.addr, l.size) == l.value; }) &&
         std::ranges::all_of(r.frees, [](const Freed& f) {
           const Block* const b = alive(f.addr);
           return b != nullptr && b->size == f.size && b->kind == f.kind;
         });
}

void watch(const Thread& t) {
  const bool all_seen = cell::state.hooks.plain == nullptr && !rt.shows_all && !rt.shows_some;
  HEDDLE_ASSERT(!state.watched && t.place != 0 && t.pending.kind == ActionKind::join);
  if (!all_seen || exits::state.used || in_vain == kMostTries) return;
  ++in_vain;
  state.watched = true;
  who = t.id;
  now.place = t.place;
  now.others.clear();
  for (const ThreadId u : rt.threads) now.others.push_back(other(u));
  now.joined.clear();
  now.ranges.clear();
  now.own = true;
  now.contents.clear();
  now.loads.clear();
  now.frees.clear();
  bytes = 0;
  cell::state.hooks.plain = note_access;
  cell::state.hooks.ends = note_end;
  cell::state.hooks.unseen = spoil;
  cell::settle_hooks();
}

[[noreturn]] void throw_broken() {
  promised = false;
  throw std::logic_error("the end of an execution is not as it was before, though nothing has changed for it");
}

}  // namespace

bool known(const Thread& t, const Machine::FinalValue& final_value) {
  const auto ends = [](const Thread& u) {
    return u.exit_clock != 0 || (u.started && u.pending.kind == ActionKind::exit);
  };
  if (state.watched || !std::ranges::all_of(rt.threads, [&](ThreadId u) { return u == t.id || ends(thread(u)); }))
    return false;
  const auto it = std::ranges::find_if(rests, [&](const Rest& r) { return is_this(r, t, final_value); });
  if (it == rests.end()) {
    watch(t);
    return false;
  }
  if (it != rests.begin()) std::swap(rests.front(), *it);
  in_vain = 0;
  if (!undo::state.checked) return true;
  promised = true;
  watch(t);
  return false;
}

void look_at(const Thread& t, const Action& action, Value result) {
  if (t.id != who) {
    HEDDLE_ASSERT(action.kind == ActionKind::exit);
    return;
  }
  if (action.kind == ActionKind::join) return now.joined.push_back(action.child);
  const bool load = action.kind == ActionKind::load && action.await == Await::none && !action.guarded;
  if (load && !has_twins() && all_joined() && is_settled(action.addr, action.size))
    return now.loads.push_back({action.addr, action.size, result});
  const Block* const freed = action.kind == ActionKind::free && !action.retire ? alive(action.addr) : nullptr;
  if (freed != nullptr && all_joined()) return now.frees.push_back({freed->start, freed->size, freed->kind});
  const bool ends = action.kind == ActionKind::exit && t.returned && now.place != 0;
  if (promised && !ends) throw_broken();
  if (ends) {
    now.merged = merge(now.ranges);
    if (rests.size() < kMostRests) rests.emplace_back();
    std::swap(rests.back(), now);
    HEDDLE_ASSERT(rests.size() <= kMostRests && rests.back().place != 0);
  }
  promised = false;
  stop();
}

void look_at_error() {
  if (promised) throw_broken();
}

void stop() {
  if (!state.watched) return;
  state.watched = false;
  cell::state.hooks.plain = nullptr;
  cell::state.hooks.ends = nullptr;
  cell::state.hooks.unseen = nullptr;
  cell::settle_hooks();
  if (promised) throw_broken();
}

void reset() {
  promised = false;
  stop();
  rests.clear();
  in_vain = 0;
}

}  // namespace heddle::rest
