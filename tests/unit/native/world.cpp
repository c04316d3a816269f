#include "unit/native/world.hpp"

#include <algorithm>

namespace heddle::test {

Globals& globals() {
  static auto* const g = new (region::map_image(sizeof(Globals))) Globals{};
  return *g;
}

Image image(Main main) {
  static const Image::Type int_type{"int", 4, {}, nullptr};
  static const Image::Type node{"struct node", 8, {{"value", 0, &int_type}, {"next", 4, &int_type}}, nullptr};
  static const Image::Type nodes{"struct node[4]", 32, {}, &node};
  Image image;
  image.main = reinterpret_cast<void*>(main);
  Globals& g = globals();
  image.writable.push_back({reinterpret_cast<std::byte*>(&g), sizeof g});
  const auto at = [](auto& x) { return reinterpret_cast<Address>(&x); };
  image.globals = {{"a", at(g.a), 4, false, &int_type},
                   {"b", at(g.b), 4, false, &int_type},
                   {"nodes", at(g.nodes), sizeof g.nodes, false, &nodes},
                   {"bytes", at(g.bytes), sizeof g.bytes, false, nullptr}};
  for (unsigned line = 1; line <= 99; ++line) image.sites.add({"t.c", line, 1, "f", kNoSite});
  return image;
}

void World::restart() {
  machine.restart();
  events.clear();
  memory_.clear();
  released_.clear();
  clocks_.clear();
  exited_.clear();
  chosen_ = 0;
}

std::vector<uint32_t>& World::clock(ThreadId t) {
  Clocks& c = clocks_[t];
  if (c.size() <= index(t)) c.resize(index(t) + 1);
  return c;
}

void World::join(Clocks& to, const Clocks& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

Value World::value(Address a, uint8_t size) {
  const auto it = memory_.find(a);
  return it == memory_.end() ? machine.base(a, size) : it->second;
}

bool World::enabled(ThreadId t) {
  const Action& a = machine.pending(t);
  if (is_final(a.kind)) return false;
  if (a.kind == ActionKind::join) return exited_.contains(a.child);
  return !is_read(a.kind) || satisfied(a, value(a.addr, a.size));
}

void World::step(ThreadId t) {
  const Action a = machine.pending(t);
  Value result{};
  Clocks& mine = clock(t);
  if (is_read(a.kind)) {
    result = value(a.addr, a.size);
    const bool fails = a.kind == ActionKind::cas && result != a.expected;
    if (is_acquire(fails ? a.fail_mode : a.mode)) join(mine, released_[a.addr]);
  }
  const bool writes =
      a.kind == ActionKind::store || a.kind == ActionKind::rmw || (a.kind == ActionKind::cas && result == a.expected);
  if (a.kind == ActionKind::join) join(mine, clock(a.child));
  if (a.kind == ActionKind::choose) result.lo = choices[chosen_++];
  ++mine[index(t)];
  if (writes) {
    memory_[a.addr] = a.kind == ActionKind::rmw ? apply(a.op, result, a.operand, a.size) : a.operand;
    if (is_release(a.mode)) {
      join(released_[a.addr], mine);
    } else if (a.kind == ActionKind::store) {
      released_.erase(a.addr);
    }
  }
  if (a.kind == ActionKind::create) clocks_[a.child] = mine;
  if (a.kind == ActionKind::exit) exited_.insert(t);
  events.push_back({t, a, result, mine});
  machine.perform(t, result, events.back().clock);
}

int World::run(ThreadId t) {
  int n = 0;
  for (; enabled(t); ++n) step(t);
  return n;
}

void World::run_all() {
  for (bool progress = true; progress && !failed();) {
    progress = false;
    const std::set<ThreadId> now(machine.threads().begin(), machine.threads().end());
    for (const ThreadId t : now) {
      progress |= run(t) > 0;
      if (failed()) return;
    }
  }
}

void World::run_round_robin() {
  for (bool progress = true; progress && !failed();) {
    progress = false;
    const std::set<ThreadId> now(machine.threads().begin(), machine.threads().end());
    for (const ThreadId t : now) {
      if (failed() || !enabled(t)) continue;
      step(t);
      progress = true;
    }
  }
}

ThreadId World::replay(bool to_error) {
  std::vector<Step> steps;
  std::vector<Stretch> stretches;
  for (const Event& e : events) {
    if (stretches.empty() || stretches.back().thread != e.thread)
      stretches.push_back({e.thread, static_cast<uint32_t>(steps.size())});
    steps.push_back({e.result, e.clock, e.action.kind, e.action.addr});
  }
  machine.restart();
  return machine.replay_all(steps, stretches, 0, to_error);
}

bool World::failed() {
  return std::ranges::any_of(machine.threads(),
                             [&](ThreadId t) { return machine.pending(t).kind == ActionKind::error; });
}

Error World::error() {
  for (const ThreadId t : machine.threads())
    if (machine.pending(t).kind == ActionKind::error) return machine.error(t);
  ADD_FAILURE() << "no thread has failed";
  return {};
}

}  // namespace heddle::test
