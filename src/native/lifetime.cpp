#include "native/lifetime.hpp"

#include <fmt/format.h>

#include "native/changes.hpp"
#include "native/names.hpp"

namespace heddle::lifetime {

State state;
Ended ended = nullptr;

namespace {

void check_kind(const Block& b, BlockKind kind) {
  const bool any = kind == BlockKind::native || b.kind == BlockKind::native;
  if (b.kind == kind || any) return;
  HostScope scope;
  if (b.kind == BlockKind::local || b.kind == BlockKind::tls)
    fail(ErrorKind::memory, fmt::format("free of {}, which is not a heap block", heap::describe(b)), kNoThread, b.site);
  const std::string_view how = kind == BlockKind::malloc       ? "free"
                               : kind == BlockKind::new_object ? "operator delete"
                                                               : "operator delete[]";
  fail(ErrorKind::memory, fmt::format("{} is released with {}", heap::describe(b), how), kNoThread, b.site);
}

void end(Thread& t, Block& b) {
  HEDDLE_ASSERT(&b == heap::starting_at(b.start));  // the table may have grown since it was looked up
  if (b.retired) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("free of {}, which is retired ({})", heap::describe(b), place(b.freed_site)),
         b.freed_by, b.freed_site);
  }
  if (b.freed) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("double free of {}, freed before ({})", heap::describe(b), place(b.freed_site)),
         b.freed_by, b.freed_site, Clash::twice);
  }
  if (ending != nullptr) ending(b);
  const bool used_by_actions = cell::check_release(t, b);
  if (ended != nullptr) ended(b);
  const bool local = b.kind == BlockKind::local || b.kind == BlockKind::tls;
  // Before its first event a thread has published no address of its variables.
  if (!local || own_clock(t) > 0) cell::note_lost(t, b.start, b.size);
  heap::keep(b);
  b.freed = true;
  b.freed_by = t.id;
  b.freed_clock = rt.concurrent ? own_clock(t) + 1 : 0;
  b.freed_site = rt.site;
  if (used_by_actions && rt.concurrent && own_clock(t) > 0 && local) {
    undo::keep_size(state.ended_locals);
    state.ended_locals.push_back({b.start, b.size, t.id, own_clock(t), rt.site, b.kind == BlockKind::tls});
  }
  if (heap::give_back(b)) cell::give_back(b);
  const bool unnoticed = ended != nullptr || (rt.shows_all && rt.concurrent);
  if (!used_by_actions && !unnoticed && heap::owner(b.start) == t.id) heap::recycle(b);
}

}  // namespace

void release(void* p, BlockKind kind) {
  if (p == nullptr) return;
  for_real("frees memory");
  Thread& t = *rt.current;
  const Address a = address(p);
  Block* b = heap::starting_at(a);
  if (b == nullptr) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("free of an address that no allocation returned: {}", names::describe(a)));
  }
  check_kind(*b, kind);
  const uint64_t size = b->size;
  if (rt.concurrent) {
    take(t, ActionKind::free, a, [&](Action& action) { action.length = size; });
    b = heap::starting_at(a);  // other threads' fibres ran meanwhile; the owner's table may have grown
  }
  end(t, *b);
  changes::note_freed(a);
}

void end_local(void* p) {
  Block* const b = heap::starting_at(address(p));
  if (b != nullptr && !b->freed) end(*rt.current, *b);
}

void end_locals() {
  Thread& t = *rt.current;
  for (Block& b : heap::state.arena[t.id].blocks)
    if (b.kind == BlockKind::local && !b.freed) end(t, b);
}

}  // namespace heddle::lifetime
