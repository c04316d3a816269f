#include "native/hazards.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "native/lifetime.hpp"
#include "native/names.hpp"

namespace heddle::hazards {

State state;

namespace {

HostVector<GuardedUse> guarded;  // the answer of guarded_uses

bool on_heap(BlockKind kind) { return kind != BlockKind::local && kind != BlockKind::tls && kind != BlockKind::hazard; }

bool protects(const Hazard& h, Address a) { return a - h.block < h.size; }

void expose(const Thread& t, Block& block) {
  const uint32_t e = epoch::current(t);
  if (e == 0) return;
  for (uint32_t i = block.exposed; i != 0; i = state.exposures[i].next) {
    HEDDLE_ASSERT(i < state.exposures.size() && state.exposures[i].next < i);  // the list has an end
    if (epoch::thread_of(state.exposures[i].epoch) != epoch::thread_of(e)) continue;
    HEDDLE_ASSERT(epoch::clock_of(state.exposures[i].epoch) <= epoch::clock_of(e));
    undo::keep_element(state.exposures, i);
    state.exposures[i].epoch = e;
    state.exposures[i].site = rt.site;
    return;
  }
  undo::keep_size(state.exposures);
  heap::keep(block);
  if (state.exposures.empty()) state.exposures.push_back({});
  state.exposures.push_back({e, rt.site, block.exposed});
  block.exposed = static_cast<uint32_t>(state.exposures.size() - 1);
}

[[noreturn]] void fail_retired(const Thread& t, const Block& block, Address a, uint64_t size, bool writes) {
  HostScope scope;
  const bool late = std::ranges::any_of(state.of[t.id], [&](const Hazard& h) { return protects(h, a); });
  fail(ErrorKind::memory,
       fmt::format("{} of {} byte{} in {}, which {} ({}){}", writes ? "write" : "read", size, size == 1 ? "" : "s",
                   heap::describe(block), late ? "was retired" : "is retired", place(block.freed_site),
                   late ? " before the hazard pointer was set"
                        : fmt::format(" and not protected by a hazard pointer of {}", who(t.id))),
       block.freed_by, block.freed_site);
}

// True for a guarded access. It is noted once for each set of hazard pointers that protect the block.
bool note_guarded(Thread& t, Address a) {
  bool is_guarded = false;
  bool noted = true;
  for (const Hazard& h : state.of[t.id]) {
    if (!protects(h, a) || h.late) continue;
    is_guarded = true;
    noted &= h.used;
  }
  if (noted) return is_guarded;
  undo::keep(state.use_count);
  undo::keep_size(state.uses);
  undo::keep_list(state.of[t.id]);
  ++state.use_count;
  for (Hazard& h : state.of[t.id]) {
    if (!protects(h, a) || h.late) continue;
    h.used = true;
    if (rt.concurrent) state.uses.push_back({state.use_count, t.id, h.since, rt.site, h.block});
  }
  return true;
}

// The end of a protection. A thread's accesses after its last action are checked only once; protection may end in
// between.
void end(Thread& t, Address pointer, bool watch) {
  end_quiet();
  const auto it = std::ranges::find(state.of[t.id], pointer, &Hazard::pointer);
  if (it == state.of[t.id].end()) return;
  if (watch && it->used) {
    const Block* const block = heap::find(it->block);
    if (block != nullptr) cell::watch(*block);
  }
  const Address block = it->block;
  undo::keep_list(state.of[t.id]);
  state.of[t.id].erase(it);
  for (Hazard& h : state.of[t.id])
    if (h.block == block) h.used = false;
}

// Makes sure that the thread is the only one that uses the hazard pointer: like a write to it. While it protects
// something for another thread u, only u may touch it, unless u is known to have ended.
void own(Thread& t, Address pointer) {
  for_real("uses a hazard pointer");
  hidden_write4(pointer, static_cast<uint32_t>(t.id) + 1);
  for (const ThreadId id : rt.threads) {
    Thread& other = thread(id);
    if (&other == &t || std::ranges::find(state.of[other.id], pointer, &Hazard::pointer) == state.of[other.id].end())
      continue;
    const uint32_t exit = epoch::make(id, other.exit_clock);
    if (other.exit_clock != 0 && epoch::happens_before(exit, t)) {
      end(other, pointer, false);
      continue;
    }
    HostScope scope;
    fail(ErrorKind::memory,
         fmt::format("{} uses a hazard pointer that protects memory for {}: {}", who(t.id), who(id),
                     names::describe(pointer)),
         id);
  }
}

}  // namespace

Address protect(Address pointer, Address location) {
  Thread& t = *rt.current;
  own(t, pointer);
  end(t, pointer, !rt.concurrent);
  const Address value = atomic_load(location, sizeof(void*), {Mode::acq}).lo;
  const Block* const block = heap::find(value);
  if (block == nullptr || !on_heap(block->kind)) return value;
  const bool late = block->retired && epoch::happens_before(block->retire_epoch, t);
  HEDDLE_ASSERT(std::ranges::find(state.of[t.id], pointer, &Hazard::pointer) == state.of[t.id].end());
  undo::keep_size(state.of[t.id]);
  state.of[t.id].push_back({pointer, block->start, block->size, own_clock(t), late, false});
  return value;
}

void clear(Address pointer) {
  Thread& t = *rt.current;
  own(t, pointer);
  end(t, pointer, true);
}

namespace {

void note_plain(Thread& t, Address a, uint64_t size, bool writes) {
  if (!region::in_arena(a) || note_guarded(t, a)) return;
  Block* const block = heap::find(a);
  if (block == nullptr || !on_heap(block->kind)) return;
  if (block->retired) fail_retired(t, *block, a, size, writes);
  expose(t, *block);
}

void note_action(Thread& t, Address a, unsigned size, bool writes) {
  if (!region::in_arena(a) || note_guarded(t, a)) return;
  const Block* const block = heap::find(a);
  if (block != nullptr && block->retired) fail_retired(t, *block, a, size, writes);
}

bool forbids(const Thread& t, Address a) {
  if (!region::in_arena(a) || guards(t, a)) return false;
  const Block* const block = heap::find(a);
  return block != nullptr && block->retired;
}

// Just after the action of retiring the block: all unguarded accesses must happen before it. Marks the block.
void note_retire(Thread& t, Block& block) {
  const auto require = [&](uint32_t e, SiteId site) {
    cell::meet(t, e);
    if (epoch::happens_before(e, t)) return;
    HostScope scope;
    const auto u = ThreadId(epoch::thread_of(e));
    fail(ErrorKind::memory,
         fmt::format("{} is retired while {} may still use it without a hazard pointer", heap::describe(block), who(u)),
         u, site);
  };
  require(block.epoch, block.site);
  for (uint32_t i = block.exposed; i != 0; i = state.exposures[i].next)
    require(state.exposures[i].epoch, state.exposures[i].site);
  heap::keep(block);
  block.retired = true;
  block.retire_epoch = rt.concurrent ? epoch::make(t.id, own_clock(t)) : 0;
  block.freed_by = t.id;
  block.freed_site = rt.site;
  cell::note_lost(t, block.start, block.size);
  if (!rt.concurrent) cell::watch(block);
}

// The life of this block ends: hazard pointers that lie in it are no more.
void forget(const Block& block) {
  for (const ThreadId id : rt.threads) {
    Thread& t = thread(id);
    for (std::size_t i = state.of[t.id].size(); i-- > 0;) {
      const Address pointer = state.of[t.id][i].pointer;
      if (pointer - block.start < block.size) end(t, pointer, true);
    }
  }
}

}  // namespace

std::span<const GuardedUse> guarded_uses() {
  guarded.clear();
  for (GuardedUse use : state.uses) {
    const Block* const block = heap::find(use.block);
    HEDDLE_ASSERT(block != nullptr && block->start == use.block);  // its memory is not used again
    if (!block->retired) continue;
    use.retired_by = block->freed_by;
    use.retire = epoch::clock_of(block->retire_epoch);
    use.retire_site = block->freed_site;
    guarded.push_back(use);
  }
  return guarded;
}

void retire(void* p) {
  for_real("retires memory");
  Thread& t = *rt.current;
  const Address a = address(p);
  Block* b = heap::starting_at(a);
  if (b == nullptr || !on_heap(b->kind)) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("heddle_hp_retire of what is not the start of a heap block: {}",
                                        p == nullptr ? "a null pointer" : names::describe(a)));
  }
  const uint64_t size = b->size;
  if (rt.concurrent) {
    take(t, ActionKind::free, a, [&](Action& action) {
      action.length = size;
      action.retire = true;
    });
    b = heap::starting_at(a);
  }
  if (b->freed || b->retired) {
    HostScope scope;
    fail(ErrorKind::memory,
         fmt::format("{} of {}, which {} before ({})", b->freed ? "retire" : "double retire", heap::describe(*b),
                     b->freed ? "was freed" : "was retired", place(b->freed_site)),
         b->freed_by, b->freed_site);
  }
  note_retire(t, *b);
}

void begin(bool on) {
  if (!on) return;
  cell::state.hooks.plain = note_plain;
  cell::state.hooks.action = note_action;
  cell::state.hooks.forbids = forbids;
  cell::settle_hooks();
  lifetime::ended = forget;
  threads::add_offer([](const Thread& t, Action& action) { action.guarded = guards(t, action.addr); });
}

void end() { lifetime::ended = nullptr; }

void reset() {
  if (cell::state.hooks.action == nullptr) return;  // they are not used
  for (const ThreadId t : rt.threads) state.of[t].clear();
  state.exposures.clear();
  state.uses.clear();
  state.use_count = 0;
}

}  // namespace heddle::hazards
