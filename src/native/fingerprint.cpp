#include "native/fingerprint.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>

#include "native/exits.hpp"
#include "native/hazards.hpp"
#include "native/names.hpp"
#include "native/output.hpp"
#include "native/shadow.hpp"
#include "native/symmetry.hpp"

namespace heddle {
namespace {

using Out = std::back_insert_iterator<std::string>;

void put_action(Out out, const Action& a) {
  fmt::format_to(out, " {} {:#x} {} {} {} {} {} {} {}", name(a.kind), a.addr, a.size, static_cast<int>(a.mode),
                 a.operand.lo, a.operand.hi, a.expected.lo, a.expected.hi, index(a.site));
}

// What has no effect before the thread runs is left out: steps, stacks, when its first run was.
void put_thread(Out out, const Thread& t) {
  fmt::format_to(out, "thread {}: {} actions, {} taken, {} of {} changes, {} created, exit {}, {}{}{}{}, clock",
                 index(t.id), t.actions, t.taken, t.changed, t.changes, t.created, t.exit_clock, t.returned, t.detached,
                 t.joined, t.pinned);
  for (uint32_t i = 0; i < t.clock_size; ++i) {
    if (t.clock[i] != 0) fmt::format_to(out, " {}:{}", i, t.clock[i]);
  }
  put_action(out, t.pending);
  fmt::format_to(out, " {:#x} {}\n", t.in_vain.mutex, t.in_vain.clock);
  for (const Passed& p : t.passed) fmt::format_to(out, "  passed {:#x} {}\n", p.mutex, p.clock);
}

void put_arena(Out out, ThreadId t) {
  const heap::Arena& arena = heap::state.arena[t];
  fmt::format_to(out, "arena {}: {:#x} {} {} {}\n", index(t), arena.blocks.empty() ? 0 : arena.next, arena.tls,
                 arena.freed.waiting.size(), arena.freed.waiting_bytes);
  for (const Block& b : arena.blocks)
    fmt::format_to(out, "  {:#x} {} {} {} {} {} {}{}{} {} {}\n", b.start, b.size, b.epoch, index(b.site),
                   index(b.freed_site), index(b.freed_by), b.freed, b.retired, b.initialised, b.retire_epoch,
                   static_cast<int>(b.kind));
}

void put_room(Out out, ThreadId t) {
  const exits::OfThread& e = exits::state.of[t];
  fmt::format_to(out, "exits {}: {} {} {} {} {} {} {} {} {}\n", index(t), e.values.size(), e.at_exit.size(),
                 e.at_process_exit.size(), e.at_quick_exit.size(), e.ran.size(), e.leaving, e.blocks.size(),
                 e.keys_created, e.keys_deleted);
  for (const hazards::Hazard& h : hazards::state.of[t])
    fmt::format_to(out, "  hazard {:#x} {:#x} {} {}{}\n", h.pointer, h.block, h.since, h.late, h.used);
  const symmetry::Twin& w = symmetry::state.twin[t];
  fmt::format_to(out, "  twin {} {}{}{} {} {}\n", index(w.last_child), w.found, w.has_found, w.apart, index(w.before),
                 index(w.joined_by));
}

// Rows have numbers that do not matter.
void put_cell(Out out, Address a, uint64_t c) {
  const bool row = (c & cell::kRow) != 0;
  fmt::format_to(out, "{:#x} {:#x}", a, row ? c & ~cell::kRead : c);
  for (uint32_t u = 0; row && u < cell::state.rows.width(); ++u) {
    const uint32_t clock = cell::state.rows.clock(cell::read(c), u);
    if (clock != 0) fmt::format_to(out, " {}:{}", u, clock);
  }
  fmt::format_to(out, " {:02x}\n", *static_cast<const uint8_t*>(pointer(a)));
}

}  // namespace

std::string fingerprint() {
  std::string text;
  const Out out(text);
  fmt::format_to(out, "{} keys, {} uses, {} exposures, {} bytes printed\n", exits::state.keys.size(),
                 hazards::state.uses.size(), hazards::state.exposures.size(), output::state.text.size());
  std::map<ThreadId, int> threads;
  for (const ThreadId t : rt.threads) threads[t] = 0;
  for (const auto& [t, unused] : threads) {
    put_thread(out, thread(t));
    put_arena(out, t);
    put_room(out, t);
  }
  std::map<Address, uint64_t> cells;
  for (const uint64_t line : cell::state.lines) {
    for (Address a = region::kBase + line * 8; a < region::kBase + (line + 1) * 8; ++a) {
      if (*cell::at(a) != 0) cells[a] = *cell::at(a);
    }
  }
  for (const auto& [a, c] : cells) put_cell(out, a, c);
  return text;
}

}  // namespace heddle
