#include "machine/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "machine/helping.hpp"
#include "machine/shadow.hpp"

namespace heddle::heap {
namespace {

constexpr uint64_t kRedZone = 16;            // before each block, never valid
constexpr uint64_t kKeptBytes = 1ull << 20;  // of an arena, from one execution to the next

Address arena(ThreadId t) { return region::kArenas + index(t) * region::kArenaSize; }

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

// The block that begins at p; null if p is not the start of a block.
Block* starting_at(Address a) {
  if (!region::in_arena(a) || index(owner(a)) >= region::kMaxThreads) return nullptr;
  auto& blocks = thread(owner(a)).blocks;
  const auto it = std::ranges::lower_bound(blocks, a, {}, &Block::start);
  return it != blocks.end() && it->start == a ? &*it : nullptr;
}

void check_kind(const Block& b, BlockKind kind) {
  const bool any = kind == BlockKind::native || b.kind == BlockKind::native;
  if (b.kind == kind || any) return;
  HostScope scope;
  if (b.kind == BlockKind::local || b.kind == BlockKind::tls)
    fail(ErrorKind::memory, fmt::format("free of {}, which is not a heap block", describe(b)), kNoThread, b.site);
  const std::string_view how = kind == BlockKind::malloc       ? "free"
                               : kind == BlockKind::new_object ? "operator delete"
                                                               : "operator delete[]";
  fail(ErrorKind::memory, fmt::format("{} is released with {}", describe(b), how), kNoThread, b.site);
}

void end(Thread& t, Block& b) {
  if (b.retired) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("free of {}, which is retired ({})", describe(b), place(b.freed_site)),
         b.freed_by, b.freed_site);
  }
  if (b.freed) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("double free of {}, freed before ({})", describe(b), place(b.freed_site)),
         b.freed_by, b.freed_site);
  }
  cell::check_release(t, b);
  if (rt.hazards) hazard::forget(b);
  b.freed = true;
  b.freed_by = t.id;
  b.freed_site = rt.site;
}

}  // namespace

void* allocate(uint64_t size, uint64_t align, BlockKind kind, bool initialised) {
  Thread& t = *rt.current;
  align = std::max<uint64_t>(align, 16);
  const Address limit = arena(t.id) + region::kArenaSize;
  const Address start = (t.arena_next + kRedZone + align - 1) & ~(align - 1);
  if (start >= limit || size >= limit - start)
    refuse(fmt::format("{} needs more than {} MiB of memory in one execution", who(t.id), region::kArenaSize >> 20));
  const Address stop = start + std::max<uint64_t>(size, 1);
  if (start < t.arena_high) {
    const uint64_t used = std::min(stop, t.arena_high) - start;
    if (used > kKeptBytes) region::discard(start, start + used);
    // Whole pages were just discarded and are zero; the rest is at most two pages.
    if (used > kKeptBytes) {
      std::memset(pointer(start), 0, 4096);
      std::memset(pointer(start + used - 4096), 0, 4096);
    } else {
      std::memset(pointer(start), 0, used);
    }
  }
  t.arena_next = stop;
  t.arena_high = std::max(t.arena_high, stop);
  t.blocks.push_back({.start = start,
                      .size = size,
                      .epoch = cell::epoch(t),
                      .site = rt.site,
                      .kind = kind,
                      .initialised = initialised || rt.lenient});
  return pointer(start);
}

void release(void* p, BlockKind kind) {
  if (p == nullptr) return;
  if (rt.dry) helping::dry_other("frees memory");
  Thread& t = *rt.current;
  const Address a = address(p);
  Block* b = starting_at(a);
  if (b == nullptr) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("free of an address that no allocation returned: {}", rt.machine->describe(a)));
  }
  check_kind(*b, kind);
  const uint64_t size = b->size;
  if (rt.concurrent) {
    take(t, ActionKind::free, a, [&](Action& action) { action.length = size; });
    b = starting_at(a);  // other threads' fibres ran meanwhile; the owner's table may have grown
  }
  end(t, *b);
}

void retire(void* p) {
  if (rt.dry) helping::dry_other("retires memory");
  Thread& t = *rt.current;
  const Address a = address(p);
  Block* b = starting_at(a);
  if (b == nullptr || b->kind == BlockKind::local || b->kind == BlockKind::tls || b->kind == BlockKind::hazard) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("heddle_hp_retire of what is not the start of a heap block: {}",
                                        p == nullptr ? "a null pointer" : rt.machine->describe(a)));
  }
  const uint64_t size = b->size;
  if (rt.concurrent) {
    take(t, ActionKind::free, a, [&](Action& action) {
      action.length = size;
      action.retire = true;
    });
    b = starting_at(a);
  }
  if (b->freed || b->retired) {
    HostScope scope;
    fail(ErrorKind::memory,
         fmt::format("{} of {}, which {} before ({})", b->freed ? "retire" : "double retire", describe(*b),
                     b->freed ? "was freed" : "was retired", place(b->freed_site)),
         b->freed_by, b->freed_site);
  }
  hazard::retire(t, *b);
}

void end_local(void* p) {
  Block* const b = starting_at(address(p));
  if (b != nullptr && !b->freed) end(*rt.current, *b);
}

ThreadId owner(Address a) { return ThreadId((a - region::kArenas) / region::kArenaSize); }

Block* find(Address a) {
  if (!region::in_arena(a) || index(owner(a)) >= region::kMaxThreads) return nullptr;
  auto& blocks = thread(owner(a)).blocks;
  const auto after = std::ranges::upper_bound(blocks, a, {}, &Block::start);
  if (after == blocks.begin()) return nullptr;
  Block& b = *(after - 1);
  return a - b.start < b.size ? &b : nullptr;
}

const Block* nearest(Address a) {
  if (!region::in_arena(a) || index(owner(a)) >= region::kMaxThreads) return nullptr;
  const auto& blocks = thread(owner(a)).blocks;
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

void reset(Thread& t) {
  const Address first = arena_start(t.id);
  if (t.arena_high == 0) t.arena_high = first;
  if (t.arena_high - first > kKeptBytes) {
    region::discard(arena(t.id), t.arena_high + 4096);
    t.arena_high = first;
  }
  t.arena_next = first;
  t.blocks.clear();
}

}  // namespace heddle::heap
