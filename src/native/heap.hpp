// Blocks in the threads' arenas. Addresses depend only on a thread's path and its own history.
//
// Memory that is freed is used again late and seldom, so that a use of it is noticed. Only a block that its own thread
// has freed may be used again, since a thread's addresses must not depend on what others do, and lifetime.hpp says
// which of these. It first waits until the thread has freed kWaitingBytes or kWaitingBlocks more. Then it serves for an
// allocation of about the same size and the same alignment, the oldest one first. A short test never comes so far.
//
// A thread's room follows from its path (core/ids.hpp), so that it is the same whatever was explored before. Main and
// its n-th child have arena 0 and n. A thread that main creates uses the first half of its arena itself; the second
// half, of S bytes, is for its children: the n-th has the part from S * (1 - 1/n) to S * (1 - 1/(n + 1)), in pages.
// Their children live in the second half of that, and so on.
//
// Threads that have done the same have the same blocks, in the same order, and addresses that differ only above the
// lowest region::kSameBits bits: all arenas begin at a multiple of 64, and a block is aligned to a power of two.
//
// This room only keeps the books: lifetime.hpp says which thread may release a block, and when.
#pragma once

#include <string>

#include "native/epoch.hpp"

namespace heddle {

enum class BlockKind : uint8_t { malloc, new_object, new_array, local, tls, native, hazard };

// A piece of an arena: a heap block, a local variable whose address escapes, a thread's thread_local variables.
struct Block {
  Address start = 0;
  uint64_t size = 0;
  uint32_t epoch = 0;  // of the allocation
  SiteId site = kNoSite;
  SiteId freed_site = kNoSite;  // or retired
  ThreadId freed_by = kNoThread;
  uint32_t freed_clock = 0;   // of that thread, one more than its events before; 0: before there were others
  uint8_t align = 0;          // log2; 0: not to be used again
  uint32_t retire_epoch = 0;  // this and the next: hazards.hpp
  uint32_t exposed = 0;       // the first of the list of accesses without a hazard pointer; 0: none
  BlockKind kind = BlockKind::malloc;
  bool freed = false;
  bool retired = false;
  bool initialised = false;
};

}  // namespace heddle

namespace heddle::heap {

// Of the blocks that a thread has freed, the largest part waits.
inline constexpr uint64_t kWaitingBytes = 4ull << 20;
inline constexpr std::size_t kWaitingBlocks = 8192;

// Numbers of blocks, first in, first out.
class Queue {
 public:
  std::size_t size() const { return all_.size() - first_; }
  void push(uint32_t n) { all_.push_back(n); }
  // Forgets what was pushed since there were so many.
  void shorten(std::size_t n) {
    HEDDLE_ASSERT(n <= size());
    all_.resize(first_ + n);
  }
  void clear() {
    all_.clear();
    first_ = 0;
  }
  uint32_t pop();

 private:
  HostVector<uint32_t> all_;
  std::size_t first_ = 0;
};

// The blocks that a thread has freed itself.
struct Freed {
  // Those that serve alike: of one capacity and alignment.
  struct Alike {
    uint64_t capacity;
    uint8_t align;
    Queue blocks;
  };
  Queue waiting;
  uint64_t waiting_bytes = 0;
  HostVector<Alike> ready;  // sorted

  bool is_full() const { return waiting_bytes > kWaitingBytes || waiting.size() > kWaitingBlocks; }
  void clear() {
    waiting.clear();
    waiting_bytes = 0;
    ready.clear();
  }
};

struct Arena {
  Address first = 0;  // where the thread's own blocks begin; 0: not laid out yet
  Address limit = 0;
  Address next = 0;
  Address high = 0;  // the arena is zero from here on; neither a restart nor restore() lowers it
  HostVector<Block> blocks;
  Freed freed;
  void* tls = nullptr;  // the thread's copy of Image::tls
};

struct State {
  PerThread<Arena> arena;
};
extern State state;

// The addresses of a thread and all its descendants.
struct Range {
  Address start;
  Address end;
};
Range range(ThreadPath path);

// A block of the current thread. Its contents are zero, but count as uninitialised unless `initialised`.
void* allocate(uint64_t size, uint64_t align, BlockKind kind, bool initialised);
// The current thread's thread_local variables.
void* tls();
// The life of a block of the current thread has ended, by this thread: it may be used again some time.
void recycle(const Block& block);
// Gives back the pages of a large block whose life has ended, if the thread uses much memory. Whether it did.
bool give_back(const Block& block);

// There is no room for local variables. `where`: " in FUNCTION", or nothing.
[[noreturn]] void fail_stack(const std::string& where);

// The block that begins at a; null if there is none.
Block* starting_at(Address a);
// The block that the byte lies in; null if none.
Block* find(Address a);
// Before anything in it is changed.
void keep(const Block& block);
// The block that ends last at or before a, or begins first after it: what an access out of bounds missed.
const Block* nearest(Address a);
// What is known of the variable that the block is; null if it is none.
const Image::Local* local_in(const Block& b);
// "a block of 16 bytes from malloc at stack.c:12".
std::string describe(const Block& b);
// The thread in whose own part of the arenas a lies; kNoThread if none is known.
ThreadId owner(Address a);
// The place of an address in memory that belongs to t, the same for threads that have done the same: the number of the
// block, from 1, and the place in it. 0 if it does not belong to t.
Address own_place(const Thread& t, Address a);
// The same of whichever thread it belongs to; else the address itself.
Address common_place(Address a);

// What a thread's own allocations change, to go back to (undo.hpp).
struct Books {
  Address next;
  void* tls;
  uint64_t waiting_bytes;
  std::size_t blocks;
  std::size_t waiting;
};
inline Books books(ThreadId t) {
  const Arena& arena = state.arena[t];
  return {arena.next, arena.tls, arena.freed.waiting_bytes, arena.blocks.size(), arena.freed.waiting.size()};
}
void put_back(ThreadId t, const Books& books);

// At the end of the whole run.
void end();
// Back to the state before main, of the threads in rt.threads.
void reset();

}  // namespace heddle::heap
