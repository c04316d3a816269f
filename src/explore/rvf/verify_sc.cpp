#include "explore/rvf/verify_sc.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace heddle {
namespace {

constexpr uint32_t kEmptySlot = 0xffffffff;

bool is_good(const VscInstance& x, VscId r, VscId w) { return std::ranges::binary_search(x.good(r), w); }

uint64_t hash_of(std::span<const uint32_t> words) {
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (const uint32_t w : words) h = (h ^ w) * 0xff51afd7ed558ccdu, h ^= h >> 32;
  return h;
}

#if HEDDLE_CHECKED
// What is wrong with an interleaving as a witness.
std::string witness_problem(const VscInstance& x, std::span<const VscId> witness) {
  if (witness.size() != x.size()) return "a witness of other events";
  std::vector<uint32_t> positions(x.threads());
  std::vector<VscId> active(x.vars(), kInitialWrite);
  for (const VscId e : witness) {
    if (x[e].index != ++positions[x[e].thread]) return "a witness against program order";
    for (uint32_t t = 0; t < positions.size(); ++t) {
      if (x.before(e)[t] > positions[t]) return "a witness with an event before what it comes after";
    }
    if (x[e].reads && !is_good(x, e, active[x[e].var])) return "a witness in which a read reads from no good write";
    if (x[e].writes) active[x[e].var] = e;
  }
  return {};
}
#endif

}  // namespace

// The instance.

VscId VscInstance::add(VscEvent event, std::span<const VscId> good) {
  HEDDLE_ASSERT((event.var == kNoVar) == (!event.reads && !event.writes) && std::ranges::is_sorted(good));
  if (event.thread >= threads_.size()) threads_.resize(event.thread + 1);
  if (event.thread >= stride_) widen(std::max<std::size_t>(2 * stride_, event.thread + 1));
  const auto id = static_cast<VscId>(events_.size());
  HEDDLE_ASSERT(event.after == kNoVscEvent || event.after < id);
  auto& thread = threads_[event.thread];
  event.index = static_cast<uint32_t>(thread.size() + 1);
  event.good_begin = static_cast<uint32_t>(good_.size());
  good_.insert(good_.end(), good.begin(), good.end());
  clocks_.resize((std::size_t{id} + 1) * stride_);
  uint32_t* const clock = clocks_.data() + std::size_t{id} * stride_;
  std::fill_n(clock, stride_, 0);
  const auto join = [&](VscId other) {
    for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], before(other)[t]);
  };
  if (!thread.empty()) join(thread.back());
  if (event.after != kNoVscEvent) join(event.after);
  if (event.final) {
    for (std::size_t t = 0; t < threads_.size(); ++t) clock[t] = static_cast<uint32_t>(threads_[t].size());
  }
  clock[event.thread] = event.index;
  thread.push_back(id);
  if (event.var != kNoVar) {
    if (event.var >= accesses_.size()) accesses_.resize(event.var + 1);
    accesses_[event.var].push_back(id);
  }
  events_.push_back(event);
  return id;
}

void VscInstance::cut(std::size_t n) {
  HEDDLE_ASSERT(n <= events_.size());
  while (events_.size() > n) {
    const VscEvent& e = events_.back();
    threads_[e.thread].pop_back();
    if (e.var != kNoVar) accesses_[e.var].pop_back();
    good_.resize(e.good_begin);
    events_.pop_back();
  }
  clocks_.resize(n * stride_);
}

void VscInstance::widen(std::size_t stride) {
  std::vector<uint32_t> wide(events_.size() * stride, 0);
  for (std::size_t e = 0; e < events_.size(); ++e)
    std::copy_n(clocks_.data() + e * stride_, stride_, &wide[e * stride]);
  clocks_ = std::move(wide);
  stride_ = stride;
}

void VscInstance::visible_writes(VscId e, std::vector<VscId>& out) const {
  out.clear();
  const auto accesses = this->accesses(events_[e].var);
  // Writes before e hide those before them.
  const auto hidden = [&](VscId w) {
    return std::ranges::any_of(accesses, [&](VscId other) {
      return events_[other].writes && other != w && other != e && before(other, e) &&
             (w == kInitialWrite || before(w, other));
    });
  };
  for (const VscId w : accesses) {
    if (events_[w].writes && w != e && !hidden(w)) out.push_back(w);
  }
  if (!hidden(kInitialWrite)) out.push_back(kInitialWrite);
}

// The closure.

bool VscClosure::operator()(const VscInstance& x) {
  const std::size_t known = start(x);
  // Only where something is new can a rule have become applicable, until one has been applied.
  grown_.assign(x.vars(), 0);
  for (auto e = static_cast<VscId>(known); e < x.size(); ++e) {
    if (x[e].var != kNoVar) grown_[x[e].var] = 1;
  }
  bool all = false;
  do {
    changed_ = false;
    for (uint32_t var = 0; var < x.vars(); ++var) {
      if (!all && grown_[var] == 0) continue;
      for (const VscId r : x.accesses(var)) {
        if (x[r].reads && !apply(r)) return false;
      }
    }
    all = true;
  } while (changed_);
  keep();
  return true;
}

// With the closure of the longest beginning that is kept; returns its length.
std::size_t VscClosure::start(const VscInstance& x) {
  x_ = &x;
  stride_ = x.stride();
  clocks_.resize(x.size() * stride_);
  cut(x.size());
  while (kept_count_ > 0 && kept_[kept_count_ - 1].stride != stride_) --kept_count_;
  const std::size_t known = kept_count_ == 0 ? 0 : kept_[kept_count_ - 1].size;
  HEDDLE_ASSERT(known <= x.size());
  if (known != 0) std::ranges::copy(kept_[kept_count_ - 1].clocks, clocks_.begin());
  for (auto e = static_cast<VscId>(known); e < x.size(); ++e) {
    uint32_t* const clock = clocks_.data() + std::size_t{e} * stride_;
    std::ranges::copy(x.before(e), clock);
    const auto join = [&](VscId other) {
      for (std::size_t t = 0; t < stride_; ++t)
        clock[t] = std::max(clock[t], this->clock(other, static_cast<uint32_t>(t)));
    };
    if (x[e].index > 1) join(x.thread(x[e].thread)[x[e].index - 2]);
    if (x[e].after != kNoVscEvent) join(x[e].after);
    clock[x[e].thread] = x[e].index;
  }
  return known;
}

void VscClosure::keep() {
  if (kept_.size() == kept_count_) kept_.emplace_back();
  Kept& kept = kept_[kept_count_++];
  kept.size = x_->size();
  kept.stride = stride_;
  kept.clocks.assign(clocks_.begin(), clocks_.end());
}

// Puts a before b. False if that makes a cycle.
bool VscClosure::order(VscId a, VscId b) {
  if (a == kInitialWrite || before(a, b)) return true;
  if (b == kInitialWrite || before(b, a) || a == b) return false;
  changed_ = true;
  const uint32_t* const from = clocks_.data() + std::size_t{a} * stride_;
  for (std::size_t t = 0; t < x_->threads(); ++t) {
    const auto events = x_->thread(static_cast<uint32_t>(t));
    // All from the first event of the thread on that is b or comes after it.
    for (auto i = events.size(); i-- > 0 && (events[i] == b || before(b, events[i]));) {
      uint32_t* const to = clocks_.data() + std::size_t{events[i]} * stride_;
      for (std::size_t u = 0; u < stride_; ++u) to[u] = std::max(to[u], from[u]);
    }
  }
  HEDDLE_ASSERT(before(a, b) && !before(b, a));
  return true;
}

// VisibleW
bool VscClosure::sees(VscId r, VscId w) const {
  if (w == kInitialWrite) return passed_.empty();
  return !before(r, w) && std::ranges::none_of(passed_, [&](VscId other) { return before(w, other); });
}

// The rules (1) to (4) for the read r.
bool VscClosure::apply(VscId r) {
  const VscInstance& x = *x_;
  left_.clear();
  passed_.clear();
  for (const VscId w : x.accesses(x[r].var)) {
    if (x[w].writes && before(w, r)) passed_.push_back(w);
  }
  for (const VscId w : x.good(r)) {
    if (sees(r, w)) left_.push_back(w);
  }
  if (left_.empty()) return false;
  const auto at_most = [&](VscId a, VscId b) {
    return a == b || a == kInitialWrite || (b != kInitialWrite && before(a, b));
  };
  VscId least = kNoVscEvent;
  VscId greatest = kNoVscEvent;
  for (const VscId w : left_) {
    if (std::ranges::all_of(left_, [&](VscId other) { return at_most(w, other); })) least = w;
    if (std::ranges::all_of(left_, [&](VscId other) { return at_most(other, w); })) greatest = w;
  }
  if (least != kNoVscEvent && !order(least, r)) return false;
  for (const VscId bad : x.accesses(x[r].var)) {
    if (!x[bad].writes || bad == r || is_good(x, r, bad)) continue;
    if (greatest != kNoVscEvent && before(bad, r) && !order(bad, greatest)) return false;
    const bool follows_all = std::ranges::all_of(left_, [&](VscId w) { return w == kInitialWrite || before(w, bad); });
    if (follows_all && !order(r, bad)) return false;
  }
  return true;
}

// The states.

void VscStates::clear() {
  states_.clear();
  table_.assign(64, kEmptySlot);
  count_ = 0;
}

std::size_t VscStates::slot_of(std::size_t i) const {
  std::size_t slot = hash_of(state(i)) & (table_.size() - 1);
  while (table_[slot] != kEmptySlot && !std::ranges::equal(state(table_[slot]), state(i))) {
    slot = (slot + 1) & (table_.size() - 1);
  }
  return slot;
}

bool VscStates::add(std::span<const uint32_t> positions, std::span<const VscId> active) {
  HEDDLE_ASSERT(count_ == 0 || width_ == positions.size() + active.size());  // all of one instance
  width_ = positions.size() + active.size();
  states_.resize(count_ * width_);
  states_.insert(states_.end(), positions.begin(), positions.end());
  states_.insert(states_.end(), active.begin(), active.end());
  const std::size_t slot = slot_of(count_);
  if (table_[slot] != kEmptySlot) return false;
  table_[slot] = static_cast<uint32_t>(count_++);
  if (2 * count_ > table_.size()) {
    table_.assign(2 * table_.size(), kEmptySlot);
    for (std::size_t i = 0; i < count_; ++i) table_[slot_of(i)] = static_cast<uint32_t>(i);
  }
  return true;
}

// The search.

bool VerifySc::operator()(const VscInstance& x, std::span<const VscId> auxiliary, const VscOptions& options,
                          std::vector<VscId>& witness) {
  x_ = &x;
  options_ = options;
  for (VscId e = 0; e < x.size(); ++e) {
    if (x[e].reads && x.good(e).empty()) return false;
  }
  if (options.auxiliary && insert_last(auxiliary, witness)) {
    HEDDLE_ASSERT_WHOLE(witness_problem(x, witness));
    return true;
  }
  if (options.closure && !closure_(x)) return false;
  start(auxiliary);
  if (!search()) return false;
  witness.clear();
  for (const Done& d : done_) witness.push_back(d.event);
  HEDDLE_ASSERT_WHOLE(witness_problem(x, witness));
  return true;
}

// The auxiliary trace is right but for the last event e, on which nothing depends: tries to put e where it finds a good
// write, from the end on. What e writes must be overwritten before an event reads it.
bool VerifySc::insert_last(std::span<const VscId> auxiliary, std::vector<VscId>& witness) {
  const VscInstance& x = *x_;
  const auto e = static_cast<VscId>(x.size() - 1);
  if (auxiliary.size() + 1 != x.size() || x[e].final) return false;
  bool free_place = true;  // for a write
  const auto write_before = [&](std::size_t end) {
    while (end-- > 0) {
      if (x[auxiliary[end]].var == x[e].var && x[auxiliary[end]].writes) return auxiliary[end];
    }
    return kInitialWrite;
  };
  VscId active = x[e].reads ? write_before(auxiliary.size()) : kNoVscEvent;
  for (std::size_t at = auxiliary.size();; --at) {
    if ((!x[e].reads || is_good(x, e, active)) && (!x[e].writes || free_place)) {
      witness.assign(auxiliary.begin(), auxiliary.end());
      witness.insert(witness.begin() + static_cast<std::ptrdiff_t>(at), e);
      return true;
    }
    if (at == 0) return false;
    const VscId passed = auxiliary[at - 1];
    if (x.before(passed, e)) return false;
    if (x[passed].var != x[e].var || x[e].var == kNoVar) continue;
    free_place = x[passed].writes && !x[passed].reads;
    if (x[e].reads && x[passed].writes) active = write_before(at - 1);
  }
}

void VerifySc::start(std::span<const VscId> auxiliary) {
  const VscInstance& x = *x_;
  const std::size_t n = x.size();
  positions_.assign(x.threads(), 0);
  active_.assign(x.vars(), kInitialWrite);
  held_.assign(x.vars(), 0);
  remaining_.assign(n, 0);
  uses_.assign(n, 0);
  initial_uses_.assign(x.vars(), 0);
  done_.clear();
  rank_.assign(n, static_cast<uint32_t>(n));
  if (options_.auxiliary) {
    for (std::size_t i = 0; i < auxiliary.size(); ++i) rank_[auxiliary[i]] = static_cast<uint32_t>(i);
  }
  for (VscId r = 0; r < n; ++r) {
    for (const VscId w : x.good(r)) {
      if (w == kInitialWrite) {
        ++initial_uses_[x[r].var];
      } else {
        ++uses_[w];
        ++remaining_[r];
      }
    }
    if (x[r].reads && remaining_[r] == 0) ++held_[x[r].var];
  }
  readers_begin_.assign(n + 1, 0);
  for (std::size_t w = 0; w < n; ++w) readers_begin_[w + 1] = readers_begin_[w] + uses_[w];
  readers_.resize(readers_begin_[n]);
  for (VscId r = 0; r < n; ++r) {
    for (const VscId w : x.good(r)) {
      if (w != kInitialWrite) readers_[readers_begin_[w]++] = r;
    }
  }
  for (std::size_t w = n; w > 0; --w) readers_begin_[w] = readers_begin_[w - 1];
  readers_begin_[0] = 0;
  visited_.clear();
}

VscId VerifySc::next_of(uint32_t t) const {
  const auto events = x_->thread(t);
  return positions_[t] < events.size() ? events[positions_[t]] : kNoVscEvent;
}

// Whether all that comes before e in the partial order is executed.
bool VerifySc::ready(VscId e) const {
  for (uint32_t t = 0; t < positions_.size(); ++t) {
    const uint32_t before = options_.closure ? closure_.clock(e, t) : x_->before(e)[t];
    if (t != (*x_)[e].thread && before > positions_[t]) return false;
  }
  return true;
}

bool VerifySc::executable(VscId e) const {
  const VscEvent& event = (*x_)[e];
  if (!ready(e)) return false;
  if (event.reads && !is_good(*x_, e, active_[event.var])) return false;
  return !event.writes || held_[event.var] == (event.reads && remaining_[e] == 0 ? 1 : 0);
}

void VerifySc::execute(VscId e) {
  const VscEvent& event = (*x_)[e];
  HEDDLE_ASSERT(next_of(event.thread) == e);
  HEDDLE_ASSERT(!event.reads || remaining_[e] != 0 || held_[event.var] > 0);
  ++positions_[event.thread];
  done_.push_back({e, event.var == kNoVar ? kNoVscEvent : active_[event.var]});
  if (event.reads) {
    for (const VscId w : x_->good(e)) {
      HEDDLE_ASSERT(is_wanted(w, event.var));
      --(w == kInitialWrite ? initial_uses_[event.var] : uses_[w]);
    }
    held_[event.var] -= remaining_[e] == 0;
  }
  if (!event.writes) return;
  active_[event.var] = e;
  for (const VscId r : readers(e)) {
    HEDDLE_ASSERT(remaining_[r] > 0);
    if (--remaining_[r] == 0 && !is_executed(r)) ++held_[event.var];
  }
}

// Back to the first n events.
void VerifySc::undo(std::size_t n) {
  while (done_.size() > n) {
    const auto [e, replaced] = done_.back();
    done_.pop_back();
    const VscEvent& event = (*x_)[e];
    if (event.writes) {
      for (const VscId r : readers(e)) {
        if (remaining_[r]++ == 0 && !is_executed(r)) --held_[event.var];
      }
      active_[event.var] = replaced;
    }
    if (event.reads) {
      held_[event.var] += remaining_[e] == 0;
      for (const VscId w : x_->good(e)) ++(w == kInitialWrite ? initial_uses_[event.var] : uses_[w]);
    }
    --positions_[event.thread];
  }
}

// Executes what need not be tried in another order. False if nothing was.
bool VerifySc::go_greedily() {
  for (uint32_t t = 0; t < positions_.size(); ++t) {
    const VscId e = next_of(t);
    if (e == kNoVscEvent) continue;
    const VscEvent& event = (*x_)[e];
    const bool is_access = event.var != kNoVar;
    if (is_access && !options_.greedy) continue;
    if (event.reads && event.writes) continue;
    if (event.writes && (is_wanted(e, event.var) || is_wanted(active_[event.var], event.var))) continue;
    if (!executable(e)) continue;
    execute(e);
    return true;
  }
  return false;
}

bool VerifySc::search() {
  while (go_greedily()) {
  }
  if (done_.size() == x_->size()) return true;
  if (!visited_.add(positions_, active_)) return false;
  return visit_next();
}

// Line 5: each executable event, in the order of the auxiliary trace.
bool VerifySc::visit_next() {
  std::vector<VscId> next;
  for (uint32_t t = 0; t < positions_.size(); ++t) {
    if (const VscId e = next_of(t); e != kNoVscEvent && executable(e)) next.push_back(e);
  }
  if (options_.auxiliary) std::ranges::sort(next, {}, [&](VscId e) { return rank_[e]; });
  const std::size_t size = done_.size();
  for (const VscId e : next) {
    execute(e);
    if (search()) return true;
    undo(size);
  }
  return false;
}

}  // namespace heddle
