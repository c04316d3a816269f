#include "machine/hazard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "machine/access.hpp"
#include "machine/heap.hpp"
#include "machine/helping.hpp"
#include "machine/models.hpp"
#include "machine/shadow.hpp"
#include "machine/twins.hpp"

namespace heddle::hazard {
namespace {

// A thread's latest plain access to a block without a hazard pointer; that one counts, the others come before it.
struct Exposure {
  uint32_t epoch;
  SiteId site;
  uint32_t next;  // of the block's list; 0: none
};
HostVector<Exposure> exposures;  // the first is not used
HostVector<GuardedUse> uses;     // the retire is filled in at the end
HostVector<GuardedUse> guarded;
uint32_t use_count = 0;

bool on_heap(BlockKind kind) { return kind != BlockKind::local && kind != BlockKind::tls && kind != BlockKind::hazard; }

bool protects(const Hazard& h, Address a) { return a - h.block < h.size; }

void expose(const Thread& t, Block& block) {
  const uint32_t e = cell::current_epoch(t);
  if (e == 0) return;
  for (uint32_t i = block.exposed; i != 0; i = exposures[i].next) {
    if (cell::epoch_thread(exposures[i].epoch) != cell::epoch_thread(e)) continue;
    exposures[i].epoch = e;
    exposures[i].site = rt.site;
    return;
  }
  if (exposures.empty()) exposures.push_back({});
  exposures.push_back({e, rt.site, block.exposed});
  block.exposed = static_cast<uint32_t>(exposures.size() - 1);
}

[[noreturn]] void fail_retired(const Thread& t, const Block& block, Address a, uint64_t size, bool writes) {
  HostScope scope;
  const bool late = std::ranges::any_of(t.hazards, [&](const Hazard& h) { return protects(h, a); });
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
  for (const Hazard& h : t.hazards) {
    if (!protects(h, a) || h.late) continue;
    is_guarded = true;
    noted &= h.used;
  }
  if (noted) return is_guarded;
  ++use_count;
  for (Hazard& h : t.hazards) {
    if (!protects(h, a) || h.late) continue;
    h.used = true;
    if (rt.concurrent) uses.push_back({use_count, t.id, h.since, rt.site, h.block});
  }
  return true;
}

// The end of a protection. A thread's accesses after its last action are checked only once; protection may end in
// between.
void end(Thread& t, Address pointer, bool watch) {
  rt.quiet = false;
  const auto it = std::ranges::find(t.hazards, pointer, &Hazard::pointer);
  if (it == t.hazards.end()) return;
  if (watch && it->used) {
    const Block* const block = heap::find(it->block);
    if (block != nullptr) cell::watch(*block);
  }
  const Address block = it->block;
  t.hazards.erase(it);
  for (Hazard& h : t.hazards)
    if (h.block == block) h.used = false;
}

// Makes sure that the thread is the only one that uses the hazard pointer: like a write to it. While it protects
// something for another thread, nobody else may touch it, unless that thread is known to have ended.
void own(Thread& t, Address pointer) {
  if (rt.dry) helping::dry_other("uses a hazard pointer");
  hidden_write4(pointer, static_cast<uint32_t>(t.id) + 1);
  for (const ThreadId id : rt.threads) {
    Thread& other = thread(id);
    if (&other == &t || std::ranges::find(other.hazards, pointer, &Hazard::pointer) == other.hazards.end()) continue;
    const uint32_t exit = static_cast<uint32_t>(id) << kClockBits | other.exit_clock;
    if (other.exit_clock != 0 && cell::happens_before(exit, t)) {
      end(other, pointer, false);
      continue;
    }
    HostScope scope;
    fail(ErrorKind::memory,
         fmt::format("{} uses a hazard pointer that protects memory for {}: {}", who(t.id), who(id),
                     rt.machine->describe(pointer)),
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
  const bool late = block->retired && cell::happens_before(block->retire_epoch, t);
  t.hazards.push_back({pointer, block->start, block->size, own_clock(t), late, false});
  return value;
}

void clear(Address pointer) {
  Thread& t = *rt.current;
  own(t, pointer);
  end(t, pointer, true);
}

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

void retire(Thread& t, Block& block) {
  const auto require = [&](uint32_t e, SiteId site) {
    twins::observe(t, e);
    if (cell::happens_before(e, t)) return;
    HostScope scope;
    const auto u = ThreadId(cell::epoch_thread(e));
    fail(ErrorKind::memory,
         fmt::format("{} is retired while {} may still use it without a hazard pointer", heap::describe(block), who(u)),
         u, site);
  };
  require(block.epoch, block.site);
  for (uint32_t i = block.exposed; i != 0; i = exposures[i].next) require(exposures[i].epoch, exposures[i].site);
  block.retired = true;
  block.retire_epoch = rt.concurrent ? static_cast<uint32_t>(t.id) << kClockBits | own_clock(t) : 0;
  block.freed_by = t.id;
  block.freed_site = rt.site;
  if (!rt.concurrent) cell::watch(block);
}

void forget(const Block& block) {
  for (const ThreadId id : rt.threads) {
    Thread& t = thread(id);
    for (std::size_t i = t.hazards.size(); i-- > 0;) {
      const Address pointer = t.hazards[i].pointer;
      if (pointer - block.start < block.size) end(t, pointer, true);
    }
  }
}

std::span<const GuardedUse> guarded_uses() {
  guarded.clear();
  for (GuardedUse use : uses) {
    const Block* const block = heap::find(use.block);
    if (!block->retired) continue;
    use.retired_by = block->freed_by;
    use.retire = cell::epoch_clock(block->retire_epoch);
    use.retire_site = block->freed_site;
    guarded.push_back(use);
  }
  return guarded;
}

void reset() {
  exposures.clear();
  uses.clear();
  use_count = 0;
}

}  // namespace heddle::hazard

namespace heddle::models {
namespace {

void* allocate() { return heap::allocate(sizeof(void*), alignof(void*), BlockKind::hazard, true); }
void free_(void* hp) {
  if (hp == nullptr) return;
  const Block* const block = heap::find(address(hp));
  if (block == nullptr || block->kind != BlockKind::hazard) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("heddle_hp_free of a hazard pointer that heddle_hp_alloc did not return: {}",
                                        rt.machine->describe(address(hp))));
  }
  hazard::clear(address(hp));
  heap::end_local(hp);
}
void* protect(void* hp, void* location) { return pointer(hazard::protect(address(hp), address(location))); }
void clear(void* hp) { hazard::clear(address(hp)); }

}  // namespace

std::span<const Entry> hazard_functions() {
  static const Entry table[] = {
      entry("heddle_hp_alloc", allocate),      entry("heddle_hp_free", free_),
      entry("heddle_hp_protect", protect),     entry("heddle_hp_clear", clear),
      entry("heddle_hp_retire", heap::retire), entry("__VERIFIER_hp_alloc", allocate),
      entry("__VERIFIER_hp_free", free_),      entry("__VERIFIER_hp_protect", protect),
      entry("__VERIFIER_hp_clear", clear),     entry("__VERIFIER_hp_retire", heap::retire),
  };
  return table;
}

}  // namespace heddle::models
