#include "explore/judge/earlier_rounds.hpp"

#include <algorithm>
#include <utility>

#include "explore/progress.hpp"

namespace heddle {
uint32_t porf_of(const Graph& g, EventId e, ThreadId t) {
  std::vector<uint32_t> reached(g.thread_count());
  std::vector<EventId> open;
  const auto reach = [&](EventId x) {
    if (x == kNoEvent || x == kInit) return;
    const ThreadId u = g[x].thread;
    for (uint32_t& po = reached[index(u)]; po < g[x].po;) open.push_back(g.event(u, ++po));
  };
  reach(e);
  while (!open.empty()) {
    const EventId x = open.back();
    open.pop_back();
    reach(g.predecessor(x));
    if (g[x].is_read() || g[x].kind == EventKind::join) reach(g[x].rf);
    if (g[x].kind == EventKind::leave) g.for_each_arrival(x, reach);
  }
  return reached[index(t)];
}

std::optional<uint32_t> last_round_in_window(const Graph& g, Machine& machine, EventId e, ThreadId t) {
  if (!exists(g, t)) return std::nullopt;
  const uint32_t known = g.hb(e)[index(t)];
  if (g.cb(e)[index(t)] <= known) return std::nullopt;
  const auto begun = machine.rounds_begun(t);
  const auto first = std::ranges::lower_bound(begun, known);
  if (first == begun.end() || *first >= g.cb(e)[index(t)]) return std::nullopt;
  const auto end = std::lower_bound(first, begun.end(), porf_of(g, e, t));
  return end == first ? std::nullopt : std::optional(*(end - 1));
}

void EarlierRounds::note_reads(const Graph& g, Machine& machine, ThreadId t, std::span<const WaitRound> rounds) {
  OfCode& of = of_[machine.code(t)];
  const auto note = [&of](Address a, uint8_t size) { of.read.add({a, std::max<uint64_t>(size, 1)}); };
  const auto is_new = [&of](LocId l) {
    if (index(l) >= of.is_noted.size()) of.is_noted.resize(index(l) + 1);
    return std::exchange(of.is_noted[index(l)], 1) == 0;
  };
  const auto events = g.thread(t);
  for (const WaitRound& round : rounds) {
    for (std::size_t i = round.begin; i <= round.end && i < events.size(); ++i) {
      const Event& r = g[events[i]];
      if (r.is_read() && r.mode != Mode::na && is_new(r.loc)) note(g.address(r.loc), r.size);
    }
    const Action& a = machine.pending(t);
    if (round.end == events.size() && is_read(a.kind) && a.mode != Mode::na) note(a.addr, a.size);
  }
}

bool EarlierRounds::may_lose_race(const Graph& g, Machine& machine) {
  const bool watched = machine.assumed().left_out == LeftOut::watched;
  for (const LostMemory& b : machine.losses()) {
    const EventId e = g.predecessor(b.thread, b.events + 1);
    if (e == kNoEvent) continue;
    for (const ThreadId t : machine.threads()) {
      if (!last_round_in_window(g, machine, e, t)) continue;
      if (!watched) return true;
      of_[machine.code(t)].lost.add(b.range);
    }
  }
  if (!watched) return false;
  for (const ThreadId t : machine.threads()) {
    if (const auto rounds = machine.rounds_that_wait(t); !rounds.empty() && exists(g, t))
      note_reads(g, machine, t, rounds);
  }
  return std::ranges::any_of(of_, [&](auto& entry) {
    OfCode& of = entry.second;
    const uint64_t changes = of.read.changes() + of.lost.changes();
    if (std::exchange(of.compared, changes) == changes) return false;
    return std::ranges::any_of(of.lost.all(), [&](const AddressRange& r) { return of.read.meets(r); });
  });
}

void EarlierRounds::list(std::vector<Promise>& all) const {
  for (const auto& [code, of] : of_) {
    const auto put = [&](const Ranges& ranges, bool broken) {
      for (const AddressRange& r : ranges.all())
        all.push_back({Promise::What::unread, broken, r.start, r.length, code});
    };
    put(of.read, false);
    put(of.lost, true);
  }
}

}  // namespace heddle
