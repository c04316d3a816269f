#include "native/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace heddle::heap {

State state;

namespace {

constexpr uint64_t kRedZone = 16;            // before each block, never valid
constexpr uint64_t kKeptBytes = 1ull << 20;  // of an arena, from one execution to the next

std::string_view allocator(BlockKind kind) {
  switch (kind) {
    case BlockKind::malloc: return "malloc";
    case BlockKind::new_object: return "operator new";
    case BlockKind::new_array: return "operator new[]";
    case BlockKind::native: return "a library function";
    case BlockKind::hazard: return "heddle_hp_alloc";
    case BlockKind::local:
    case BlockKind::tls: break;
  }
  return "";
}

// Where the descendants of the thread with this range live. Main has no such part: its children have their own arenas.
Address descendants(Range r) { return r.start + ((r.end - r.start) / 2 & ~(region::kPage - 1)); }

// The first page of the n-th child's part (from 1) of so many pages.
uint64_t first_page(uint64_t pages, uint64_t n) { return pages * (n - 1) / n; }

Range child_range(Range parent, uint64_t n) {
  const Address start = descendants(parent);
  const uint64_t pages = (parent.end - start) / region::kPage;
  return {start + first_page(pages, n) * region::kPage, start + first_page(pages, n + 1) * region::kPage};
}

// The number of the child (from 1) in whose part the address lies; 256 if it lies behind all that there can be.
uint64_t child_at(Range parent, Address a) {
  const Address start = descendants(parent);
  const uint64_t pages = (parent.end - start) / region::kPage;
  const uint64_t page = (a - start) / region::kPage;
  uint64_t n = std::max<uint64_t>(1, pages / (pages - page));
  while (n > 1 && first_page(pages, n) > page) --n;
  while (n < 256 && first_page(pages, n + 1) <= page) ++n;
  return n;
}

Range arena_range(uint64_t number) {
  const Address start = region::kArenas + number * region::kArenaSize;
  return {start, start + region::kArenaSize};
}

// Threads use the same offsets in their arenas. If all began at the same place, their first blocks would compete for
// the same few lines of the cache.
void lay_out(Arena& arena, ThreadPath path) {
  const Range r = range(path);
  arena.limit = path == ThreadPath(0) ? r.end : descendants(r);
  uint64_t number = static_cast<uint64_t>(path);
  while (number > 0xff) number >>= 8;
  const bool roomy = arena.limit - r.start >= 1 << 20;
  arena.first = arena.next = arena.high = r.start + (roomy ? 64 * (number % 64) : 0);
}

[[noreturn]] void refuse_size(const Thread& t) {
  HostScope scope;
  const Arena& arena = state.arena[t.id];
  const uint64_t room = arena.limit - arena.first;
  const std::string size =
      room >= 1 << 20 ? fmt::format("{} MiB", (room + (1 << 19)) >> 20) : fmt::format("{} KiB", room >> 10);
  refuse(fmt::format("{} needs more than {} of memory in one execution{}", who(t.id), size,
                     static_cast<uint64_t>(t.path) > 0xff ? "; threads that threads create share their parent's" : ""));
}

}  // namespace

Range range(ThreadPath path) {
  auto rest = static_cast<uint64_t>(path);
  Range r = arena_range(rest & 0xff);
  while ((rest >>= 8) != 0) r = child_range(r, rest & 0xff);
  return r;
}

void* allocate(uint64_t size, uint64_t align, BlockKind kind, bool initialised) {
  Thread& t = *rt.current;
  Arena& arena = state.arena[t.id];
  if (arena.first == 0) [[unlikely]]
    lay_out(arena, t.path);
  align = std::max<uint64_t>(align, 16);
  const Address start = (arena.next + kRedZone + align - 1) & ~(align - 1);
  if (start >= arena.limit || size >= arena.limit - start) refuse_size(t);
  const Address stop = start + std::max<uint64_t>(size, 1);
  if (start < arena.high) {
    const uint64_t used = std::min(stop, arena.high) - start;
    if (used > kKeptBytes) region::discard(start, start + used);
    // Whole pages were just discarded and are zero; the rest is at most two pages.
    if (used > kKeptBytes) {
      std::memset(pointer(start), 0, region::kPage);
      std::memset(pointer(start + used - region::kPage), 0, region::kPage);
    } else {
      std::memset(pointer(start), 0, used);
    }
  }
  arena.next = stop;
  arena.high = std::max(arena.high, stop);
  arena.blocks.push_back({.start = start,
                          .size = size,
                          .epoch = epoch::recorded(t),
                          .site = rt.site,
                          .kind = kind,
                          .initialised = initialised});
  return pointer(start);
}

void* tls() {
  Arena& arena = state.arena[rt.current->id];
  if (arena.tls == nullptr) [[unlikely]] {
    const Image::Tls& image = rt.image->tls;
    arena.tls = allocate(image.initial.size(), image.align, BlockKind::tls, true);
    std::memcpy(arena.tls, image.initial.data(), image.initial.size());
  }
  return arena.tls;
}

namespace {

// Of an address in the second half of the arena of that number.
[[gnu::noinline]] ThreadId nested_owner(Address a, uint64_t number) {
  Range r = arena_range(number);
  for (ThreadId id = kMain;;) {
    const HostVector<ThreadId>& children = thread(id).children;
    if (number > children.size() || children[number - 1] == kNoThread) return kNoThread;
    id = children[number - 1];
    if (a < descendants(r)) return id;
    number = child_at(r, a);
    r = child_range(r, number);
  }
}

// Most addresses belong to main or to a thread that main has created.
inline ThreadId quick_owner(Address a) {
  const uint64_t number = (a - region::kArenas) / region::kArenaSize;
  if (number == 0) return kMain;
  if ((a - region::kArenas) % region::kArenaSize >= region::kArenaSize / 2) return nested_owner(a, number);
  const HostVector<ThreadId>& children = thread(kMain).children;
  return number <= children.size() ? children[number - 1] : kNoThread;
}

}  // namespace

ThreadId owner(Address a) { return quick_owner(a); }

Block* starting_at(Address a) {
  const ThreadId t = region::in_arena(a) ? quick_owner(a) : kNoThread;
  if (t == kNoThread) return nullptr;
  auto& blocks = state.arena[t].blocks;
  const auto it = std::ranges::lower_bound(blocks, a, {}, &Block::start);
  return it != blocks.end() && it->start == a ? &*it : nullptr;
}

Block* find(Address a) {
  const ThreadId t = region::in_arena(a) ? quick_owner(a) : kNoThread;
  if (t == kNoThread) return nullptr;
  auto& blocks = state.arena[t].blocks;
  const auto after = std::ranges::upper_bound(blocks, a, {}, &Block::start);
  if (after == blocks.begin()) return nullptr;
  Block& b = *(after - 1);
  return a - b.start < b.size ? &b : nullptr;
}

const Block* nearest(Address a) {
  const ThreadId t = region::in_arena(a) ? quick_owner(a) : kNoThread;
  if (t == kNoThread) return nullptr;
  const auto& blocks = state.arena[t].blocks;
  const auto after = std::ranges::upper_bound(blocks, a, {}, &Block::start);
  if (after == blocks.begin()) return after == blocks.end() ? nullptr : &*after;
  const Block& before = *(after - 1);
  const bool next_is_nearer = after != blocks.end() && after->start - a < a - (before.start + before.size);
  return next_is_nearer ? &*after : &before;
}

std::string describe(const Block& b) {
  if (b.kind == BlockKind::tls) return "a thread_local variable";
  if (b.kind == BlockKind::local) return fmt::format("a local variable of {} bytes ({})", b.size, place(b.site));
  return fmt::format("a block of {} byte{} from {} ({})", b.size, b.size == 1 ? "" : "s", allocator(b.kind),
                     place(b.site));
}

Address own_place(const Thread& t, Address a) {
  const Arena& arena = state.arena[t.id];
  if (a < arena.first || a >= arena.limit) return 0;
  const auto after = std::ranges::upper_bound(arena.blocks, a, {}, &Block::start);
  if (after == arena.blocks.begin()) return 0;
  return static_cast<Address>(after - arena.blocks.begin()) << 32 | (a - (after - 1)->start);
}

// The ids of the next run may belong to other paths.
void end() {
  for (unsigned i = 0; i < rt.known_threads; ++i) {
    Arena& arena = state.arena.of[i];
    if (arena.high > arena.first) region::discard(arena.first & ~(region::kPage - 1), arena.high + region::kPage);
    arena = {};
  }
}

void reset() {
  for (const ThreadId t : rt.threads) {
    Arena& arena = state.arena[t];
    if (arena.high - arena.first > kKeptBytes) {
      region::discard(arena.first & ~(region::kPage - 1), arena.high + region::kPage);
      arena.high = arena.first;
    }
    arena.next = arena.first;
    arena.blocks.clear();
    arena.tls = nullptr;
  }
}

Saved save() {
  Saved saved;
  for (const ThreadId t : rt.threads) {
    const Arena& arena = state.arena[t];
    saved.all.push_back({t, arena.next, arena.blocks, arena.tls});
  }
  return saved;
}

void restore(const Saved& saved) {
  for (unsigned i = 0; i < rt.known_threads; ++i) {
    Arena& arena = state.arena.of[i];
    arena.next = arena.first;
    arena.blocks.clear();
    arena.tls = nullptr;
  }
  for (const Saved::One& one : saved.all) {
    Arena& arena = state.arena[one.thread];
    arena.next = one.next == 0 ? arena.first : one.next;  // it was not laid out then
    arena.blocks = one.blocks;
    arena.tls = one.tls;
  }
}

}  // namespace heddle::heap
