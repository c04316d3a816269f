#include "machine/runtime.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "machine/heap.hpp"

namespace heddle {

Runtime rt;

void fail(ErrorKind kind, std::string_view message, ThreadId other, SiteId other_site) {
  HostScope scope;
  Thread& t = *rt.current;
  t.error = {kind, std::string(message), t.id, rt.site, other, other_site};
  if (rt.dry) {
    rt.dry = false;
    rt.concurrent = true;
    if (kind != ErrorKind::annotation) {
      t.error.kind = ErrorKind::annotation;
      t.error.message =
          "an operation that others may help with must find all it needs by its arguments: " + t.error.message;
    }
  }
  t.pending = Action{};
  t.pending.kind = ActionKind::error;
  t.pending.site = rt.site;
  park();
  std::abort();  // nobody resumes a failed thread
}

Address own_place(const Thread& t, Address a) {
  if (a - arena_start(t.id) >= region::kArenaSize) return 0;
  const auto after = std::ranges::upper_bound(t.blocks, a, {}, &Block::start);
  if (after == t.blocks.begin()) return 0;
  return static_cast<Address>(after - t.blocks.begin()) << 32 | (a - (after - 1)->start);
}

void block(BlockReason reason) {
  if (rt.dry) fail(ErrorKind::annotation, "an operation that others may help with must not stop the thread");
  Thread& t = *rt.current;
  if (t.next != t.end) refuse_different(t, *t.next, ActionKind::block, 0);
  t.pending = Action{};
  t.pending.kind = ActionKind::block;
  t.pending.reason = reason;
  t.pending.at_once = rt.quiet;
  t.pending.site = rt.site;
  park();
  std::abort();
}

void refuse(std::string_view message) {
  HostScope scope;
  rt.user_error = message;
  rt.misfit = true;
  rt.current->pending = Action{};
  rt.current->pending.kind = ActionKind::block;
  park();
  std::abort();
}

void refuse_different(const Thread& t, const Step& expected, ActionKind kind, Address addr) {
  HostScope scope;
  const auto tell = [](ActionKind k, Address a) {
    return a == 0 ? std::string(name(k)) : fmt::format("{} of {}", name(k), rt.machine->describe(a));
  };
  refuse(
      fmt::format("the program is not deterministic: {} did a {} before, but with the same results it now does a {} "
                  "({}); it must not depend on anything but its threads' actions, such as uninitialised variables",
                  who(t.id), tell(expected.kind, expected.addr), tell(kind, addr), place(rt.site)));
}

void reset(Thread& t) {
  t.next = t.end = nullptr;
  t.clock = nullptr;
  t.clock_size = 0;
  t.started = false;
  t.created_now = false;
  t.exceptions = {};
  t.saved_errno = 0;
  t.actions = 0;
  t.tls = nullptr;
  t.result = nullptr;
  t.held.clear();
  t.hazards.clear();
  t.keys.clear();
  t.at_exit.clear();
  t.at_process_exit.clear();
  t.created = 0;
  t.last_child = kNoThread;
  t.found_twin = t.has_found = t.apart = false;
  t.cas_due = 0;
  t.twin = t.joined_by = kNoThread;
  t.keys_created = 0;
  t.exit_clock = 0;
  t.random = index(t.id) + 1;
  t.strtok_next = nullptr;
  heap::reset(t);
}

std::string place(SiteId site) {
  if (site == kNoSite || rt.image == nullptr || index(site) >= rt.image->sites.size()) return "unknown place";
  const Site& s = rt.image->sites[site];
  return fmt::format("{}:{}", s.file, s.line);
}

std::string who(ThreadId t) {
  return t == kMain ? "main" : fmt::format("thread {} ({})", index(t), rt.machine->name(t));
}

}  // namespace heddle
