#include "explore/replay/ordered_machine.hpp"

#include <filesystem>

#include "core/assert.hpp"

namespace heddle {
namespace {

OrderPart part_of(ActionKind kind) {
  switch (kind) {
    case ActionKind::load: return OrderPart::load;
    case ActionKind::store: return OrderPart::store;
    case ActionKind::rmw: return OrderPart::rmw;
    case ActionKind::cas: return OrderPart::cas;
    default: return OrderPart::fence;
  }
}

bool has_order(const Action& a) {
  if (a.kind == ActionKind::fence) return true;
  return is_access(a.kind) && is_atomic(a.mode) && a.purpose == Purpose::access;
}

}  // namespace

std::string_view name(OrderPart part) {
  constexpr std::string_view names[] = {
      "load", "store", "read-modify-write", "compare-exchange", "failed compare-exchange", "fence"};
  return names[static_cast<int>(part)];
}

void OrderedMachine::set(std::span<const OrderChange> changes) {
  mode_.assign(places_.size(), Mode::na);
  fence_.assign(places_.size(), false);
  any_fence_ = false;
  for (const OrderChange& c : changes) {
    HEDDLE_ASSERT(c.place < places_.size());
    if (c.fence_before) {
      fence_[c.place] = any_fence_ = true;
    } else {
      mode_[c.place] = c.mode;
    }
  }
}

void OrderedMachine::restart() {
  slots_.clear();
  machine_.restart();
}

bool OrderedMachine::at_fence(ThreadId t) {
  if (!any_fence_) return false;
  const Action& a = machine_.pending(t);
  if (!has_order(a) || slots_[t].fence_done) return false;
  const int place = place_of(a, part_of(a.kind), a.mode);
  return place >= 0 && static_cast<std::size_t>(place) < fence_.size() && fence_[place];
}

const Action& OrderedMachine::pending(ThreadId t) {
  const bool fence = at_fence(t);
  Slot& slot = slots_[t];
  const Action& a = machine_.pending(t);
  if (fence) {
    slot.action = Action{};
    slot.action.kind = ActionKind::fence;
    slot.action.mode = Mode::sc;
    slot.action.site = a.site;
  } else {
    slot.action = a;
    slot.action.confirms = false;  // that was found out for the orders of the source
    if (has_order(a)) change(slot.action);
  }
  return slot.action;
}

const Action& OrderedMachine::perform(ThreadId t, Value result, Clock clock) {
  if (at_fence(t)) {
    slots_[t].fence_done = true;
  } else {
    slots_[t].fence_done = false;
    machine_.return_expected = return_expected;
    machine_.perform(t, result, clock);
  }
  return pending(t);
}

void OrderedMachine::replay(ThreadId t, std::span<const Step> steps) {
  if (!any_fence_) return machine_.replay(t, steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool fence = at_fence(t);
    slots_[t].fence_done = fence;
    if (!fence) machine_.replay(t, steps.subspan(i, 1));
    if (machine_.pending(t).kind == ActionKind::error) return;
  }
}

ThreadId OrderedMachine::replay_all(std::span<const Step> steps, std::span<const Stretch> stretches, std::size_t first,
                                    bool to_error) {
  if (!any_fence_) return machine_.replay_all(steps, stretches, first, to_error);
  return Machine::replay_all(steps, stretches, first, to_error);
}

std::size_t OrderedMachine::rewind(std::span<const Step> steps, std::size_t same) {
  if (any_fence_) return Machine::rewind(steps, same);
  slots_.clear();
  return machine_.rewind(steps, same);
}

void OrderedMachine::change(Action& a) {
  const auto changed = [&](OrderPart part, Mode mode) {
    const int place = place_of(a, part, mode);
    if (place < 0 || static_cast<std::size_t>(place) >= mode_.size() || mode_[place] == Mode::na) return mode;
    return mode_[place];
  };
  a.mode = changed(part_of(a.kind), a.mode);
  if (has_fail_mode(a)) a.fail_mode = changed(OrderPart::cas_failure, a.fail_mode);
}

int OrderedMachine::place_of(const Action& a, OrderPart part, Mode mode) {
  const uint64_t known = static_cast<uint64_t>(index(a.site)) << 3 | static_cast<uint64_t>(part);
  const auto [it, is_new] = by_site_.try_emplace(known, -1);
  if (!is_new) return it->second;
  if (!is_users(a.site)) {
    has_others_ |= !is_sc(mode);
    return it->second;
  }
  const SiteId user = user_frame(sites_, a.site);
  const Site& site = sites_[user];
  const auto [same, is_first] =
      by_source_.try_emplace({site.file, site.line, site.column, part}, static_cast<int>(places_.size()));
  it->second = same->second;
  if (is_first) places_.push_back({user, part, mode, part == OrderPart::fence ? "" : machine_.describe(a.addr)});
  return it->second;
}

// The user has written the order: between the user's line and the access are only the headers of atomics themselves.
bool OrderedMachine::is_users(SiteId site) const {
  for (SiteId s = site; s != kNoSite; s = sites_[s].caller) {
    const std::string& file = sites_[s].file;
    if (file.empty()) return false;
    if (!is_library_file(file)) return true;
    const std::string header = std::filesystem::path(file).filename().string();
    if (!header.starts_with("atomic") && !header.starts_with("stdatomic")) return false;
  }
  return false;
}

}  // namespace heddle
