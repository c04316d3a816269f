#include "native/shadow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "native/names.hpp"
#include "native/suppress.hpp"
#include "native/untouched.hpp"

namespace heddle::cell {

State state;

namespace {

constexpr uint64_t kLineCells = 8;  // cells are forgotten in cache state.lines
constexpr std::size_t kManyLines = 1 << 18;
constexpr uint64_t kHugeBlock = 1 << 16;
constexpr uint64_t kNearBytes = 64;

struct Access {
  Address addr;
  uint64_t size;
  bool writes;
};

std::string where(Address a) { return names::describe(a); }

// Whether the end of a block happens before t's next access.
bool ends_before(const Block& b, const Thread& t) {
  const std::size_t u = index(b.freed_by);
  return b.freed_clock == 0 || b.freed_by == t.id || (u < t.clock_size && t.clock[u] >= b.freed_clock);
}

[[noreturn]] void fail_invalid(const Access& x, Address a) {
  HostScope scope;
  const std::string what = fmt::format("{} of {} byte{}", x.writes ? "write" : "read", x.size, x.size == 1 ? "" : "s");
  const Block* const b = heap::find(a);
  if (b != nullptr && !b->freed)
    fail(ErrorKind::memory, fmt::format("{} out of bounds of a thread_local variable", what));
  if (b != nullptr) {
    if (b->kind == BlockKind::tls)
      fail(ErrorKind::memory, fmt::format("{} in {}, which has ended with its thread", what, where(a)), b->freed_by);
    fail(ErrorKind::memory,
         fmt::format("{} in {}, which {} ({})", what, heap::describe(*b),
                     b->kind == BlockKind::local ? "has gone out of scope" : "is freed", place(b->freed_site)),
         b->freed_by, b->freed_site, ends_before(*b, *rt.current) ? Clash::gone : Clash::unordered);
  }
  if (region::in_image(a)) {
    const untouched::Place at(a);
    const bool after = at.in_zone_after(a);
    if (after || at.in_zone_before(a)) {
      const uint64_t distance = after ? a - untouched::Place::end(*at.before) : at.after->address - a;
      fail(ErrorKind::memory,
           fmt::format("{} out of bounds, {} byte{} {} {}", what, distance, distance == 1 ? "" : "s",
                       after ? "after the end of" : "before", after ? at.before->name : at.after->name));
    }
  }
  const Block* const near = region::in_arena(a) ? heap::nearest(a) : nullptr;
  if (near == nullptr) fail(ErrorKind::memory, fmt::format("{} at the invalid address {:#x}", what, a));
  const bool after = a >= near->start;
  const uint64_t distance = after ? a - (near->start + near->size) : near->start - a;
  fail(ErrorKind::memory,
       fmt::format("{} out of bounds, {} byte{} {} {}", what, distance, distance == 1 ? "" : "s",
                   after ? "after the end of" : "before", heap::describe(*near)),
       kNoThread, near->site);
}

// The block whose allocation is the write at epoch e, of which no other site is known; null if there is none.
const Block* allocation(Address a, uint32_t e, SiteId site) {
  const Block* const b = region::in_arena(a) && site == kNoSite ? heap::find(a) : nullptr;
  return b != nullptr && b->epoch == e ? b : nullptr;
}

// The race is suppressed. What is done on memory becomes an action, in another exploration; an allocation may stay what
// it is, because no other thread has the block's address before.
void pass_race(const suppress::Race& race, int suppression, bool allocated) {
  if (!suppress::show(race)) leave_stopped();
  if (!allocated)
    refuse(
        fmt::format("the data race on {} between {} and {} cannot be suppressed: it is between uses of an object "
                    "that heddle has built in",
                    where(race.address), place(race.site), place(race.other)));
  suppress::note(race, suppression);
}

[[noreturn, gnu::cold, gnu::noinline]] void see_own_store() {
  rt.sees_own = true;
  leave_stopped();
}

// Does not return, unless the race is suppressed.
void meet_race(const Thread& t, Address a, bool writes, uint32_t other, bool other_writes, SiteId site) {
  if (std::ranges::find(state.own, a & ~kWordMask) != state.own.end()) see_own_store();
  HostScope scope;
  const auto u = ThreadId(epoch::thread_of(other));
  const Block* const allocated = other_writes ? allocation(a, other, site) : nullptr;
  if (allocated != nullptr) site = allocated->site;
  const suppress::Race race{rt.site, site, a};
  if (const int s = suppress::suppression(race); s >= 0) return pass_race(race, s, allocated != nullptr);
  fail(ErrorKind::race,
       fmt::format("data race on {}{}: {} {} it and {} {} it, in no order", where(a),
                   names::in_bit_fields(a) ? ", bit-fields of one memory location" : "", who(t.id),
                   writes ? "writes" : "reads", who(u),
                   allocated      ? "allocates"
                   : other_writes ? "writes"
                                  : "reads"),
       u, site, Clash::unordered, epoch::clock_of(other) - 1);
}

SiteId write_site(Address a) { return state.recording ? SiteId(sites_at(a)[0]) : kNoSite; }
SiteId read_site(Address a) { return state.recording ? SiteId(sites_at(a)[1]) : kNoSite; }

// Memory that is used again brings the same lines again.
[[gnu::cold, gnu::noinline]] void tidy_lines() {
  undo::forget();
  std::ranges::sort(state.lines);
  state.lines.erase(std::ranges::unique(state.lines).begin(), state.lines.end());
  std::erase_if(state.lines, [](uint64_t line) {
    const uint64_t* const c = at(region::kBase + line * kLineCells);
    return std::all_of(c, c + kLineCells, [](uint64_t cell) { return cell == 0; });
  });
  state.many_lines = 2 * state.lines.size();
}

void use_lines(Address a, uint64_t n) {
  undo::keep_size(state.lines);
  const uint64_t first = (a - region::kBase) / kLineCells;
  const uint64_t last = (a + n - 1 - region::kBase) / kLineCells;
  if (first != last || state.lines.empty() || state.lines.back() != first)
    for (uint64_t line = first; line <= last; ++line) state.lines.push_back(line);
  if (state.lines.size() > std::max(state.many_lines, kManyLines)) [[unlikely]]
    tidy_lines();
}

// What the cells of bytes that were not touched stand for.
uint64_t cell_of(const untouched::Bytes& u) { return u.usable ? kLive | (u.has_value ? kInit : 0) | u.epoch : 0; }
uint64_t untouched_cell(Address a) { return cell_of(untouched::at(a)); }

// Fills in the zero cells from a on, at least one. More than asked for if they are near: they will be needed next.
void materialise(Address a, uint64_t n, const Access& x) {
  HEDDLE_ASSERT(*at(a) == 0);
  const untouched::Bytes u = untouched::at(a);
  if (!u.usable) fail_invalid(x, a);
  HEDDLE_ASSERT(a < u.end);
  if (region::in_image(a)) {
    n = std::max(n, kLineCells - a % kLineCells);
  } else if (!region::in_own_arena(a)) {
    n = std::max(n, kNearBytes);
  }
  n = std::min(n, u.end - a);
  uint64_t* const c = at(a);
  n = zero_cells(c, n);
  undo::keep_cells(c, n, 0);
  std::fill_n(c, n, cell_of(u));
  if (state.recording) std::fill_n(sites_at(a), 2 * n, static_cast<uint32_t>(kNoSite));
  use_lines(a, n);
}

void require_write(const Thread& t, Address a, uint64_t c, bool writes) {
  meet(t, write(c));
  if (!epoch::happens_before(write(c), t)) [[unlikely]]
    meet_race(t, a, writes, write(c), true, write_site(a));
}

// A read, or kNoThread's epoch 0, that does not happen before t's next access.
uint32_t unordered_read(const Thread& t, uint64_t c, SiteId* site) {
  if ((c & kRow) == 0) {
    meet(t, read(c));
    return epoch::happens_before(read(c), t) ? 0 : read(c);
  }
  for (uint32_t u = 0; u < state.rows.width(); ++u) {
    const uint32_t clock = state.rows.clock(read(c), u);
    const uint32_t e = epoch::make(ThreadId(u), clock);
    if (clock != 0) meet(t, e);
    if (clock == 0 || epoch::happens_before(e, t)) continue;
    *site = state.rows.site(read(c), u);
    return e;
  }
  return 0;
}

void require_reads(const Thread& t, Address a, uint64_t c) {
  if ((c & (kRead | kRow)) == 0) return;
  SiteId site = read_site(a);
  const uint32_t e = unordered_read(t, c, &site);
  if (e != 0) meet_race(t, a, true, e, false, site);
}

// The cell after a read at epoch e of `count` bytes whose cells equal c.
uint64_t after_read(const Thread& t, Address a, uint64_t c, uint32_t e, uint32_t count) {
  if (e == 0 || write(c) == e) return c;  // an access ordered after the write is after this read, too
  if ((c & kRow) == 0) {
    const uint32_t before = read(c);
    if (epoch::happens_before(before, t)) return with_read(c, e);
    const uint32_t row = state.rows.add(count);
    state.rows.set(row, before, read_site(a));
    state.rows.set(row, e, rt.site);
    return with_read(c, row) | kRow;
  }
  uint32_t row = read(c);
  HEDDLE_ASSERT(state.rows.references(row) >= count);
  if (state.rows.clock(row, epoch::thread_of(e)) == epoch::clock_of(e)) return c;
  if (state.rows.references(row) != count) row = state.rows.copy(row, count);
  state.rows.set(row, e, rt.site);
  return with_read(c, row);
}

void record(Address a, uint64_t n, unsigned which) {
  for (uint64_t i = 0; i < n; ++i) sites_at(a + i)[which] = static_cast<uint32_t>(rt.site);
}

void require_unused(const Thread& t, const Block& block, Address a, uint64_t c) {
  meet(t, write(c));
  SiteId site = write_site(a);
  uint32_t other = epoch::happens_before(write(c), t) ? 0 : write(c);
  if (other == 0) {
    site = read_site(a);
    other = unordered_read(t, c, &site);
  }
  if (other == 0) return;
  HostScope scope;
  const auto u = ThreadId(epoch::thread_of(other));
  const bool local = block.kind == BlockKind::local;
  fail(ErrorKind::memory,
       fmt::format("{} {} while {} may still use it", heap::describe(block), local ? "goes out of scope" : "is freed",
                   who(u)),
       u, site, Clash::in_use, epoch::clock_of(other) - 1);
}

// n cells that are all equal.
inline void change_cells(uint64_t* c, uint64_t n, uint64_t after) {
  if (*c == after) return;
  undo::keep_cells(c, n, *c);
  std::fill_n(c, n, after);
}

inline void drop_row(uint64_t c, uint64_t count) {
  if ((c & kRow) != 0) [[unlikely]]
    state.rows.drop(read(c), static_cast<uint32_t>(count));
}

// Zeroes the cells of [a, end) after a check of each. Neighbours are mostly equal. Whether an action has used them.
bool release_cells(const Thread& t, const Block& block, Address a, Address end) {
  uint64_t checked = 0;
  uint64_t all = 0;
  while (a < end) {
    uint64_t* const c = at(a);
    const uint64_t n = end - a >= 8 && uniform<8>(c) ? 8 : end - a >= 4 && uniform<4>(c) ? 4 : 1;
    if (*c != 0 && *c != checked) {
      require_unused(t, block, a, *c);
      checked = *c;
      all |= checked;
    }
    if (*c != 0) {  // what was never touched stays without memory
      undo::keep_cells(c, n, *c);
      drop_row(*c, n);
      std::fill_n(c, n, 0);
    }
    HEDDLE_ASSERT(zero_cells(c, n) == n);  // so that a later access asks the block
    a += n;
  }
  return (all & kTracked) != 0;
}

}  // namespace

void refuse_mixed(Address a, uint64_t size, Address other, bool plain) {
  HostScope scope;
  const unsigned other_size = size_of(*at(other));
  const Address start = other & ~static_cast<Address>(other_size - 1);
  const auto it =
      std::find_if(state.tracked.begin(), state.tracked.end(), [&](const Tracked& l) { return l.addr == start; });
  const char* const what =
      rt.shows_all ? "where plain accesses are steps (--races ignore, --algorithm rvf), accesses of different "
                     "sizes to the same memory are not supported"
      : plain      ? "a plain write to a part of what is used atomically is not supported; write all of it"
                   : "mixed-size atomic accesses are not supported";
  refuse(fmt::format("{}: {} byte{} of {} {} at {}, but {} bytes at {}", what, size, size == 1 ? "" : "s", where(a),
                     plain ? "are written" : "are accessed", place(rt.site), other_size,
                     it == state.tracked.end() ? "?" : place(it->site)));
}

bool is_memory(Address a) { return *at(a) != 0 || untouched_cell(a) != 0; }

void note_losses(bool in_all, bool in_each) {
  state.noted = in_all || in_each ? kInit : 0;
  state.notes_lost = in_all;
  state.notes_losses = in_each;
  state.lost.clear();
}

// Who was there before has ended, or will see it.
void note_lost(const Thread& t, Address a, uint64_t size) {
  if (state.noted == 0 || !rt.concurrent || size == 0 || threads::is_last(t)) return;
  HostScope scope;
  if (state.notes_lost) state.lost.add({a, size});
  if (!state.notes_losses) return;
  // Who has begun a round that t knows of has left the loop before.
  const auto may_read = [&](ThreadId id) {
    const Thread& other = thread(id);
    const std::size_t u = index(id);
    return id != t.id && !other.begun.empty() && (u >= t.clock_size || other.begun.back() >= t.clock[u]);
  };
  if (std::ranges::none_of(rt.threads, may_read)) return;
  undo::keep_size(state.losses);
  state.losses.push_back({{a, size}, t.id, own_clock(t)});
}

void touch_first(Address a, uint64_t n, bool writes) { materialise(a, n, {a, n, writes}); }

void check_read(Thread& t, Address a, uint64_t n, Uninitialised uninitialised) {
  HEDDLE_ASSERT(&t == rt.current && n != 0);
  end_quiet();
  if (state.hooks.plain != nullptr) state.hooks.plain(t, a, n, false);
  const Access access{a, n, false};
  const uint32_t e = epoch::recorded(t);
  uint64_t* const c = at(a);
  bool initialised = uninitialised == Uninitialised::allow;
  for (uint64_t i = 0; i < n;) {
    if (c[i] == 0) materialise(a + i, n - i, access);
    const uint64_t before = c[i];
    const uint64_t j = i + equal_cells(c + i, n - i);
    initialised |= (before & kInit) != 0;
    require_write(t, a + i, before, false);
    const uint64_t after = after_read(t, a + i, before, e, static_cast<uint32_t>(j - i));
    change_cells(c + i, j - i, after);
    i = j;
  }
  // Only a read of nothing but uninitialised bytes: a structure may be moved in one piece, holes and all.
  if (!initialised) {
    HostScope scope;
    const Block* const b = heap::find(a);
    fail(ErrorKind::memory, fmt::format("read of {} uninitialised byte{}: {}", n, n == 1 ? "" : "s", where(a)),
         kNoThread, b == nullptr ? kNoSite : b->site);
  }
  tell_parts(a, n);
  if (state.recording && e != 0) record(a, n, 1);
}

void check_write(Thread& t, Address a, uint64_t n) {
  HEDDLE_ASSERT(&t == rt.current && n != 0);
  end_quiet();
  for_real("stores");
  if (state.hooks.plain != nullptr) state.hooks.plain(t, a, n, true);
  const Access access{a, n, true};
  const uint32_t e = epoch::recorded(t);
  uint64_t* const c = at(a);
  for (uint64_t i = 0; i < n;) {
    if (c[i] == 0) materialise(a + i, n - i, access);
    const uint64_t before = c[i];
    const uint64_t j = i + equal_cells(c + i, n - i);
    require_write(t, a + i, before, true);
    require_reads(t, a + i, before);
    if ((before & state.noted) != 0 && write(before) != e) note_lost(t, a + i, j - i);
    const uint64_t after = (before & ~(kWrite | kRead | kRow)) | kInit | e;
    drop_row(before, j - i);
    change_cells(c + i, j - i, after);
    i = j;
  }
  undo::keep_bytes(pointer(a), n);
  if (state.recording && e != 0) record(a, n, 0);
}

namespace {

bool alike(const uint64_t* c, unsigned size) {
  switch (size) {
    case 4: return uniform<4>(c);
    case 8: return uniform<8>(c);
    default: return std::all_of(c, c + size, [&](uint64_t v) { return v == *c; });
  }
}

[[noreturn, gnu::cold, gnu::noinline]] void fail_uninitialised_action(Address a) {
  HostScope scope;
  const Block* const b = heap::find(a);
  fail(ErrorKind::memory, fmt::format("atomic read of uninitialised memory: {}", where(a)), kNoThread,
       b == nullptr ? kNoSite : b->site);
}

}  // namespace

void check_alignment(Address a, unsigned size) {
  if ((a & (size - 1)) != 0) fail(ErrorKind::memory, fmt::format("misaligned atomic access of {} bytes", size));
}

void check_action(Thread& t, Address a, unsigned size, Use use) {
  check_alignment(a, size);
  const Access access{a, size, use == Use::store};
  const bool writes = use != Use::load;
  uint64_t* const c = at(a);
  if (c[0] == 0) materialise(a, size, access);
  const bool uniform = alike(c, size);
  bool initialised = false;
  for (unsigned i = 0; i < size; i += uniform ? size : 1) {
    if (c[i] == 0) materialise(a + i, size - i, access);
    initialised |= (c[i] & kInit) != 0;
    if ((c[i] & kTracked) != 0 && size_of(c[i]) != size) refuse_mixed(a, size, a + i);
    require_write(t, a + i, c[i], writes);
    if (writes) require_reads(t, a + i, c[i]);
  }
  if (!initialised && use != Use::store) fail_uninitialised_action(a);
  if ((c[0] & kTracked) == 0) {
    undo::keep_size(state.tracked);
    state.tracked.push_back({a, rt.site, t.id});
  }
  const uint64_t add = kTracked | size_flags(size) | (writes ? kWritten | kInit : 0);
  if (uniform) return change_cells(c, size, c[0] | add);
  undo::keep_bytes(c, size * sizeof *c);
  for (unsigned i = 0; i < size; ++i) c[i] |= add;
  if (!alike(c, size)) {
    c[0] &= ~kInit;
    c[size - 1] |= kInit;
  }
  HEDDLE_ASSERT(size_of(c[0]) == size && (alike(c, size) || (c[0] & kInit) == 0));
}

bool check_own_store(Thread& t, Address a, unsigned size) {
  HEDDLE_ASSERT(size <= sizeof(uint64_t));
  check_alignment(a, size);
  const uint64_t* const c = at(a);
  const auto uses = [&](const Tracked& l) { return l.addr - a < size || a - l.addr < size_of(*at(l.addr)); };
  if (std::any_of(c, c + size, [](uint64_t v) { return (v & kTracked) != 0; })) {
    if (std::ranges::any_of(state.tracked, [&](const Tracked& l) { return uses(l) && l.thread != t.id; }))
      see_own_store();
    return false;
  }
  const Address word = a & ~kWordMask;
  if (std::ranges::find(state.own, word) == state.own.end()) {
    undo::keep_size(state.own);
    state.own.push_back(word);
  }
  check_write(t, a, size);
  return true;
}

// Whether meet_race would return.
static bool passes(SiteId site, Address a, uint32_t e) {
  const Block* const b = allocation(a, e, write_site(a));
  return b != nullptr && suppress::suppression({site, b->site, a}) >= 0 && rt.shown[index(site)] != 0 &&
         rt.shown[index(b->site)] != 0;
}

static Thread with_clock(const Thread& t, Clock clock) {
  Thread then;
  then.id = t.id;
  then.clock = clock.data();
  then.clock_size = static_cast<uint32_t>(clock.size());
  return then;
}

bool load_fails(const Thread& t, Clock clock, Address a, unsigned size) {
  const Thread then = with_clock(t, clock);
  if ((a & (size - 1)) != 0 || (state.hooks.forbids != nullptr && state.hooks.forbids(t, a))) return true;
  bool initialised = false;
  for (unsigned i = 0; i < size; ++i) {
    uint64_t c = *at(a + i);
    if (c == 0) {
      c = untouched_cell(a + i);
      if (c == 0) return true;
    }
    initialised |= (c & kInit) != 0;
    if ((c & kTracked) != 0 && size_of(c) != size) return true;
    if (!epoch::happens_before(write(c), then) && !passes(t.pending.site, a + i, write(c))) return true;
  }
  return !initialised;
}

bool store_fails(const Thread& t, Clock clock, Address a, uint64_t size, bool own) {
  const Thread then = with_clock(t, clock);
  for (uint64_t i = 0; i < size; ++i) {
    if (!covered(a + i)) continue;
    uint64_t c = *at(a + i);
    if (c == 0) c = untouched_cell(a + i);
    if (c == 0 || (own && (c & kTracked) != 0) || !epoch::happens_before(write(c), then)) return true;
    SiteId site = kNoSite;
    if ((c & (kRead | kRow)) != 0 && unordered_read(then, c, &site) != 0) return true;
  }
  return false;
}

bool check_release(Thread& t, Block& block) {
  HEDDLE_ASSERT(&t == rt.current && !block.freed);
  end_quiet();
  if (state.hooks.ends != nullptr) [[unlikely]]
    state.hooks.ends(t, block.start, block.size);
  if (block.size <= kHugeBlock) return release_cells(t, block, block.start, block.start + block.size);
  // Most of a huge block is rarely touched: only look at what was.
  bool used = false;
  for (const uint64_t line : state.lines) {
    const Address first = region::kBase + line * kLineCells;
    used |=
        release_cells(t, block, std::max(first, block.start), std::min(first + kLineCells, block.start + block.size));
  }
  return used;
}

void give_back(const Block& block) {
  undo::forget();
  const auto cells = [](Address a) { return reinterpret_cast<Address>(at(a)); };
  region::discard(cells(block.start), cells(block.start + block.size));
}

// A cell with a row, even one without reads, is never taken for the thread's own latest access.
void watch(const Block& block) {
  const auto watch_cells = [](Address a, std::size_t n) {
    uint64_t* const c = at(a);
    for (std::size_t i = 0; i < n;) {
      const uint64_t before = c[i];
      const std::size_t j = i + equal_cells(c + i, n - i);
      if (before != 0 && (before & (kTracked | kRow)) == 0) {
        const uint32_t row = state.rows.add(static_cast<uint32_t>(j - i));
        if (read(before) != 0) state.rows.set(row, read(before), read_site(a + i));
        change_cells(c + i, j - i, with_read(before, row) | kRow);
      }
      i = j;
    }
  };
  if (block.size <= kHugeBlock) return watch_cells(block.start, block.size);
  for_each_used(block.start, block.size, watch_cells);
}

bool all_init(Address a, uint64_t n) {
  const uint64_t* const c = at(a);
  return std::all_of(c, c + n, [](uint64_t cell) { return (cell & kInit) != 0; });
}

void copy_init(Address to, const uint8_t* init, uint64_t n) {
  uint64_t* const c = at(to);
  undo::keep_bytes(c, n * sizeof *c);
  for (uint64_t i = 0; i < n; ++i) c[i] = init[i] != 0 ? c[i] | kInit : c[i] & ~kInit;
}

void for_each_used(Address start, std::size_t size, const std::function<void(Address, std::size_t)>& f) {
  const Address end = start + size;
  for (const uint64_t line : state.lines) {
    const Address from = std::max(start, region::kBase + line * kLineCells);
    const Address to = std::min(end, region::kBase + (line + 1) * kLineCells);
    if (from < to) f(from, to - from);
  }
}

void record_sites(bool on) {
  if (on) region::map_sites();
  state.recording = on;
  settle_hooks();
}

namespace {

void forget_cells() {
  for (const uint64_t line : state.lines) std::memset(at(region::kBase + line * kLineCells), 0, kLineCells * 8);
}

}  // namespace

void end() {
  state.recording = false;
  state.hooks = {};
  settle_hooks();
}

void reset() {
  HEDDLE_ASSERT(!undo::state.on);  // a mark would bring cells back
  if (state.lines.size() > kManyLines || state.many_lines != 0) {
    region::discard(region::kCells, region::kCells + region::kCovered * sizeof(uint64_t));
    state.lines = {};
  } else {
    forget_cells();
    state.lines.clear();
  }
  state.many_lines = 0;
  state.tracked.clear();
  state.own.clear();
  state.losses.clear();
  state.rows.clear();
}

}  // namespace heddle::cell
