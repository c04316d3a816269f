#include "native/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/assert.hpp"

namespace heddle::heap {

State state;

namespace {

constexpr uint64_t kRedZone = 16;            // before each block, never valid
constexpr uint64_t kKeptBytes = 1ull << 20;  // of an arena, from one execution to the next
constexpr uint64_t kLargeBlock = 1 << 16;

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
  if (number > region::kEarlyThreads) {
    const Address start = region::kLateArenas + (number - region::kEarlyThreads - 1) * region::kLateArenaSize;
    return {start, start + region::kLateArenaSize};
  }
  const Address start = region::kArenas + number * region::kArenaSize;
  return {start, start + region::kArenaSize};
}

// Threads use the same offsets in their arenas. If all began at the same place, their first blocks would compete for
// the same few lines of the cache.
void lay_out(Arena& arena, ThreadPath path) {
  const Range r = range(path);
  arena.limit = path == ThreadPath(0) ? r.end : descendants(r);
  uint64_t number = 0;
  for (PathNumbers numbers(path); numbers.more();) number = numbers.next();
  const bool roomy = arena.limit - r.start >= 1 << 20;
  arena.first = arena.next = arena.high = r.start + (roomy ? 64 * (number % 64) : 0);
  HEDDLE_ASSERT(arena.first % (1u << region::kSameBits) == 0);
  HEDDLE_ASSERT(arena.first <= arena.limit && region::in_arena(arena.first) && arena.limit <= region::kStacks);
}

// What a block of this size has room for: of small blocks up to the next 16 bytes, of others an eighth more at most.
inline uint64_t capacity_of(uint64_t size) {
  if (size < 256) return std::max<uint64_t>((size + 15) & ~15ull, 16);
  const uint64_t step = std::max<uint64_t>(16, std::bit_floor(size) / 8);  // a power of two
  return std::max((size + step - 1) & ~(step - 1), step);
}

// What a block that waits counts for. The pages of a large one are given back.
uint64_t weight(const Block& b) { return kRedZone + std::min(capacity_of(b.size), kLargeBlock); }

// Where the blocks of this kind are, or would be.
auto place_of(HostVector<Freed::Alike>& ready, uint64_t capacity, uint8_t align) {
  const auto key = [](const Freed::Alike& a) { return std::pair(a.capacity, a.align); };
  return std::ranges::lower_bound(ready, std::pair(capacity, align), {}, key);
}

[[gnu::noinline]] void end_wait(Arena& arena) {
  undo::forget();
  const uint32_t n = arena.freed.waiting.pop();
  const Block& b = arena.blocks[n];
  HEDDLE_ASSERT(b.freed && b.align != 0 && arena.freed.waiting_bytes >= weight(b));
  arena.freed.waiting_bytes -= weight(b);
  auto& ready = arena.freed.ready;
  const uint64_t capacity = capacity_of(b.size);
  auto at = place_of(ready, capacity, b.align);
  if (at == ready.end() || at->capacity != capacity || at->align != b.align)
    at = ready.insert(at, {capacity, b.align, {}});
  at->blocks.push(n);
  HEDDLE_ASSERT(arena.freed.waiting.size() != 0 || arena.freed.waiting_bytes == 0);
}

// A block that was freed long ago; null if there is none that serves.
[[gnu::noinline]] Block* used_block(Arena& arena, uint64_t capacity, uint8_t align) {
  while (arena.freed.is_full()) end_wait(arena);
  const auto at = place_of(arena.freed.ready, capacity, align);
  const bool found = at != arena.freed.ready.end() && at->capacity == capacity && at->align == align;
  return found && at->blocks.size() != 0 ? &arena.blocks[at->blocks.pop()] : nullptr;
}

// The arena has no more room: nothing needs to wait.
[[gnu::cold, gnu::noinline]] Block* last_resort(Arena& arena, uint64_t capacity, uint8_t align) {
  while (arena.freed.waiting.size() != 0) end_wait(arena);
  return used_block(arena, capacity, align);
}

#if HEDDLE_CHECKED

// What is wrong with the blocks of a thread; nothing if all is well.
std::string check(const Arena& arena) {
  Address end = arena.first;  // of the block before
  for (const Block& b : arena.blocks) {
    if (b.start - kRedZone < end || b.start < end) return "two blocks overlap, or lack the zone between them";
    if (b.align != 0 && b.start % (Address{1} << b.align) != 0) return "a block is not aligned";
    end = b.start + b.size;
    if (end > arena.next) return "a block lies where the next one will be";
    if (b.freed && b.freed_by == kNoThread) return "a block is freed, and by no thread";
  }
  if (arena.next > arena.high || arena.high > arena.limit) return "an arena has run over";
  const auto& ready = arena.freed.ready;
  for (std::size_t i = 1; i < ready.size(); ++i) {
    const auto& before = ready[i - 1];
    if (std::pair(before.capacity, before.align) >= std::pair(ready[i].capacity, ready[i].align))
      return "blocks to be used again are not sorted";
  }
  return "";
}

bool is_zero(Address start, uint64_t size) {
  constexpr uint64_t kMost = 256;  // the beginning of a large block stands for all of it
  const auto* const p = static_cast<const char*>(pointer(start));
  return std::all_of(p, p + std::min(size, kMost), [](char c) { return c == 0; });
}

#endif

// Makes [start, stop) zero.
void clear(Address start, Address stop) {
  const uint64_t size = stop - start;
  if (size <= kKeptBytes) {
    std::memset(pointer(start), 0, size);
    return;
  }
  // Whole pages are discarded and are zero then; the rest is at most two pages.
  region::discard(start, stop);
  std::memset(pointer(start), 0, region::kPage);
  std::memset(pointer(stop - region::kPage), 0, region::kPage);
}

[[noreturn]] void refuse_size(const Thread& t) {
  HostScope scope;
  const Arena& arena = state.arena[t.id];
  const uint64_t room = arena.limit - arena.first;
  const std::string size =
      room >= 1 << 20 ? fmt::format("{} MiB", (room + (1 << 19)) >> 20) : fmt::format("{} KiB", room >> 10);
  refuse(fmt::format("{} needs more than {} of memory in one execution{}", who(t.id), size,
                     t.parent == kMain || t.id == kMain ? "" : "; threads that threads create share their parent's"));
}

}  // namespace

Range range(ThreadPath path) {
  PathNumbers numbers(path);
  Range r = arena_range(numbers.next());
  while (numbers.more()) r = child_range(r, numbers.next());
  return r;
}

void fail_stack(const std::string& where) {
  HostScope scope;
  fail(ErrorKind::crash,
       fmt::format("stack overflow{}: infinite recursion, or too much local data? A thread has a stack of {} MiB",
                   where, region::kStackUsable >> 20));
}

void* allocate(uint64_t size, uint64_t align, BlockKind kind, bool initialised) {
  Thread& t = *rt.current;
  Arena& arena = state.arena[t.id];
  if (arena.first == 0) [[unlikely]]
    lay_out(arena, t.path);
  HEDDLE_ASSERT(!arena.blocks.empty() || arena.first == arena.limit ||
                (owner(arena.first) == t.id && owner(arena.limit - 1) == t.id));
  align = std::max<uint64_t>(align, 16);
  auto log_align = static_cast<uint8_t>(std::countr_zero(align));
  // Field by field where it will stay: a copy would have to wait until all fields are written.
  const auto begin = [&](Block& block, Address at) {
    block.start = at;
    block.size = size;
    block.epoch = epoch::of_allocation(t);
    block.site = rt.site;
    block.align = log_align;
    block.kind = kind;
    block.initialised = initialised;
    return pointer(at);
  };
  Block* used = nullptr;
  if (arena.freed.is_full() || !arena.freed.ready.empty()) [[unlikely]]
    used = used_block(arena, capacity_of(size), log_align);
  const Address start = (arena.next + kRedZone + align - 1) & ~(align - 1);
  const bool fits = start < arena.limit && size < arena.limit - start;
  if (!fits && used == nullptr) [[unlikely]] {
    used = last_resort(arena, capacity_of(size), log_align);
    if (used == nullptr) refuse_size(t);
  }
  if (used != nullptr) [[unlikely]] {
    undo::forget();
    HEDDLE_ASSERT(used->freed && used->freed_by == t.id && !used->retired);
    HEDDLE_ASSERT(used->align == log_align && size <= capacity_of(used->size));
    const Address at = used->start;
    clear(at, at + std::max<uint64_t>(size, 1));
    HEDDLE_ASSERT(is_zero(at, size));
    *used = {};
    return begin(*used, at);
  }
  Address stop = start + capacity_of(size);
  if (stop > arena.limit) [[unlikely]] {
    stop = start + std::max<uint64_t>(size, 1);
    log_align = 0;
  }
  if (start < arena.high) clear(start, std::min(stop, arena.high));
  HEDDLE_ASSERT(start - arena.next >= kRedZone && start + size <= stop && stop <= arena.limit);
  HEDDLE_ASSERT(is_zero(start, size));
  arena.next = stop;
  arena.high = std::max(arena.high, stop);
  return begin(arena.blocks.emplace_back(), start);
}

uint32_t Queue::pop() {
  HEDDLE_ASSERT(size() != 0);
  const uint32_t n = all_[first_++];
  if (first_ >= 1024 && 2 * first_ >= all_.size()) {
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  return n;
}

void recycle(const Block& block) {
  Arena& arena = state.arena[rt.current->id];
  if (block.align == 0) return;
  HEDDLE_ASSERT(block.freed && block.freed_by == rt.current->id);
  HEDDLE_ASSERT(&block >= arena.blocks.data() && &block < arena.blocks.data() + arena.blocks.size());
  arena.freed.waiting.push(static_cast<uint32_t>(&block - arena.blocks.data()));
  arena.freed.waiting_bytes += weight(block);
}

bool give_back(const Block& block) {
  if (block.size <= kLargeBlock) return false;
  const ThreadId t = owner(block.start);
  if (t == kNoThread) return false;
  const Arena& arena = state.arena[t];
  if (arena.next - arena.first <= kKeptBytes) return false;
  undo::forget();
  region::discard(block.start, block.start + block.size);
  return true;
}

void* tls() {
  Arena& arena = state.arena[rt.current->id];
  if (arena.tls == nullptr) [[unlikely]] {
    const Image::Tls& image = rt.image->tls;
    arena.tls = allocate(image.initial.size(), image.align, BlockKind::tls, true);
    starting_at(address(arena.tls))->epoch = epoch::of_start(*rt.current);
    std::memcpy(arena.tls, image.initial.data(), image.initial.size());
  }
  return arena.tls;
}

namespace {

// Of an address in the arena of that number, not main's.
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
  if (number >= region::kArenaCount) [[unlikely]]
    return nested_owner(a, region::kEarlyThreads + 1 + (a - region::kLateArenas) / region::kLateArenaSize);
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

void keep(const Block& block) {
  if (!undo::state.on) return;
  auto& blocks = state.arena[quick_owner(block.start)].blocks;
  undo::keep_element(blocks, static_cast<std::size_t>(&block - blocks.data()));
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

const Image::Local* local_in(const Block& b) {
  if (b.kind != BlockKind::local) return nullptr;
  const auto it = std::ranges::find(rt.image->locals, b.site, &Image::Local::site);
  return it == rt.image->locals.end() ? nullptr : &*it;
}

std::string describe(const Block& b) {
  if (b.kind == BlockKind::tls) return "a thread_local variable";
  if (b.kind == BlockKind::local) {
    const Image::Local* const local = local_in(b);
    const std::string name = local == nullptr ? "" : local->name + ", ";
    return fmt::format("a local variable of {} byte{} ({}{})", b.size, b.size == 1 ? "" : "s", name, place(b.site));
  }
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

Address common_place(Address a) {
  const ThreadId t = region::in_arena(a) ? owner(a) : kNoThread;
  return t == kNoThread || t == kMain ? a : Address{1} << 63 | own_place(thread(t), a);
}

void put_back(ThreadId t, const Books& books) {
  Arena& arena = state.arena[t];
  // A thread's own allocations and frees only add.
  HEDDLE_ASSERT(books.next <= arena.next && books.blocks <= arena.blocks.size());
  arena.next = books.next == 0 ? arena.first : books.next;  // it was not laid out then
  arena.tls = books.tls;
  arena.blocks.resize(books.blocks);
  arena.freed.waiting.shorten(books.waiting);
  arena.freed.waiting_bytes = books.waiting_bytes;
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
    if (arena.blocks.empty()) continue;
    HEDDLE_ASSERT_WHOLE(check(arena));
    if (arena.high - arena.first > kKeptBytes) {
      region::discard(arena.first & ~(region::kPage - 1), arena.high + region::kPage);
      arena.high = arena.first;
    }
    arena.next = arena.first;
    arena.blocks.clear();
    arena.freed.clear();
    arena.tls = nullptr;
  }
}

}  // namespace heddle::heap
