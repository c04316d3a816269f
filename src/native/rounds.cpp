// Loops: what their rounds change, what they wait for, and how often they go round.
#include <algorithm>
#include <utility>

#include "core/stop.hpp"
#include "native/access.hpp"
#include "native/changes.hpp"

namespace heddle {
namespace {

// Clocks are state. A round of a waiting loop that changes nothing may be left out, but not what it has learnt of the
// time: it has read from a thread whose clock shows more. So in a program that reads a clock such a round counts as a
// change. So does one that has told others of a later time, by a mutex that it has given back or by writing the value
// that is there. An await, which has no such rounds, may have one before it: a choice. One is enough, because of
// several only the one counts that has learnt of the latest time; and it must have learnt or told something.
inline void note_time() {
  if (rt.image->uses.clocks && learns_time != nullptr && rt.rehearsal == nullptr && learns_time()) change();
}

bool is_used_by_actions(Address a, uint64_t n) {
  if (!cell::covered(a)) return false;
  const uint64_t* const c = cell::at(a);
  return std::any_of(c, c + n, [](uint64_t v) { return (v & cell::kTracked) != 0; });
}

// Whether some of these stores are actions.
bool are_actions(const WillStore& will) {
  return std::any_of(will.places, will.places + will.count,
                     [](const WillStore::Place& p) { return is_used_by_actions(p.address, p.size); });
}

// A round of a waiting loop begins, or has begun when the thread had done so many events.
void note_begin(uint32_t events) {
  Thread& t = *rt.current;
  if (!rt.watches_rounds || !rt.concurrent || rt.rehearsal != nullptr) return;
  if (!t.begun.empty() && t.begun.back() >= events) return;
  undo::keep_size(t.begun);
  t.begun.push_back(events);
}

// The thread may wait here, in a round that has begun when it had done so many events.
void note_wait(uint32_t events) {
  Thread& t = *rt.current;
  if (!rt.watches_waits || !rt.concurrent || rt.rehearsal != nullptr) return;
  const WaitRound round{events, own_clock(t)};
  if (!t.waited.empty() && t.waited.back() == round) return;
  undo::keep_size(t.waited);
  t.waited.push_back(round);
}

// Where a round or lap began: how many events or actions the thread had done, and how many notes of its changes it had
// taken.
struct Begin {
  uint32_t events, noted;

  Begin(uint32_t of_events, uint32_t of_notes) : events(of_events), noted(of_notes) {}
  explicit Begin(uint64_t packed) : events(static_cast<uint32_t>(packed)), noted(static_cast<uint32_t>(packed >> 32)) {}
  uint64_t packed() const { return uint64_t{noted} << 32 | events; }
};

// Whether the round of a waiting loop has changed nothing, or taken it back.
bool is_idle(Begin begin, uint64_t changed, SiteId loop) {
  const Thread& t = *rt.current;
  SiteId last = t.changed_at;
  if (t.changed == changed && changes::are_undone(begin.noted, rt.taken_back, last)) return true;
  HEDDLE_ASSERT(index(loop) < rt.followed.size());
  if (SiteId& at = rt.followed[index(loop)]; at == kNoSite && rt.rehearsal == nullptr) at = last;
  return false;
}

// What the thread has changed since its last lap counts for nothing.
void take_back_lap(uint64_t changed) {
  take_back(changed);
  changes::forget(rt.current->lapped);
}

// Whether the thread does a round that could be left out, if it has not done one before.
bool goes_round() {
  Thread& t = *rt.current;
  if (!rt.shows_rounds || !rt.concurrent || t.goes_round || rt.rehearsal != nullptr) return false;
  return choose(2, Purpose::earlier_round) == 1;
}

// An access that is replayed has got what it waits for.
template <class Set>
void wait_for(int await, const Set& set, uint64_t events, uint64_t changed) {
  using namespace abi;
  const Thread& t = *rt.current;
  const bool assumed = (await & kAssumed) != 0;
  const bool stores = (await & kAnew) != 0;
  if (stores && (rt.shows_all || rt.shows_some || ((await & kOwnStores) != 0 && !rt.own))) return;
  if (stores && (t.will_store.count > WillStore::kMost || are_actions(t.will_store))) return;
  const bool clocks = rt.image->uses.clocks && learns_time != nullptr;
  if ((await & kFirstTry) != 0 && (rt.follows_first_tries || clocks)) return;
  const bool undone = (await & kUndone) != 0;
  if (undone && (rt.follows_undone || clocks)) return;
  const bool confirms = (await & kConfirms) != 0 && !clocks;
  const bool rechecks = (await & kRechecks) != 0 && !clocks;
  const bool own = (await & kOwnStores) != 0;
  const bool only_waits = (await & kOnlyWaits) != 0;
  await &= ~(kAssumed | kAnew | kFirstTry | kConfirms | kRechecks | kUndone | kOnlyWaits | kOwnStores);
  if (await == static_cast<int>(Await::none) || rt.rehearsal != nullptr) return;
  const Begin begin = events == kNoRound ? Begin(own_clock(t), t.noted) : Begin(events);
  const uint32_t start = begin.events;
  HEDDLE_ASSERT(start <= own_clock(t));
  if (!assumed) note_begin(start);
  SiteId last = kNoSite;
  if (events != kNoRound && (t.changed != changed || !changes::are_undone(begin.noted, false, last))) return;
  Until until{.await = Await(await), .assumed = assumed, .confirms = confirms, .rechecks = rechecks, .stores = stores};
  until.result_unused = only_waits;
  until.undone = undone;
  if (clocks && rt.concurrent && !assumed) {
    if (events == kNoRound) note_time();  // else the start of the round has done so: reads before this one count
    until.learns = choose(2, Purpose::earlier_round) == 1;
  } else if (!assumed) {
    until.learns = goes_round();
  }
  if (!assumed && !until.learns) note_wait(start);
  until.round = until.learns ? start : own_clock(t) - start;
  if (until.learns) {
    rt.slow_actions |= Runtime::kLearning;
  } else if (t.next != t.end) {
    return;
  }
  if (stores) rt.current->will_store.own = own;
  set(until);
  rt.until = until;
}

}  // namespace
}  // namespace heddle

using namespace heddle;

extern "C" {

heddle::abi::Pair heddle::abi::__heddle_round() {
  note_time();
  const Begin begin(own_clock(*rt.current), changes::begin_round());
  note_begin(begin.events);
  return {begin.packed(), rt.current->changed};
}

void heddle::abi::__heddle_until(int await, uint64_t expected, uint64_t events, uint64_t changed) {
  wait_for(await, [&](Until& until) { until.expected = {expected, 0}; }, events, changed);
}
void heddle::abi::__heddle_compares(uint64_t value) {
  if (rt.current->next != rt.current->end || rt.rehearsal != nullptr) return;
  if (rt.until.await != Await::none && rt.until.await != Await::holds) return;
  rt.until.compared = true;
  rt.until.expected = {value, 0};
}
void heddle::abi::__heddle_know(uint64_t value) {
  HEDDLE_ASSERT(rt.known_count < Condition::kMostKnown);
  rt.known[rt.known_count++] = value;
}
void heddle::abi::__heddle_until_holds(int await, int condition, uint64_t events, uint64_t changed) {
  const auto number = static_cast<uint32_t>(condition);
  uint64_t known[Condition::kMostKnown];  // other threads may run before it is used
  const uint32_t count = std::exchange(rt.known_count, 0);
  HEDDLE_ASSERT(count == rt.conditions.known(number));
  std::copy_n(rt.known, count, known);
  const auto set = [&](Until& until) {
    HostScope scope;
    until.condition = rt.conditions.of(number, {known, count});
  };
  wait_for(await, set, events, changed);
}

void heddle::abi::__heddle_will_store(const void* p, uint64_t size, uint32_t number) {
  WillStore& will = rt.current->will_store;
  HEDDLE_ASSERT(number == 0 || (number == will.count && will.taken == rt.current->taken));
  will.taken = rt.current->taken;
  will.count = number + 1;
  if (number < WillStore::kMost) will.places[number] = {address(p), size};
}

// The next round does it anew. If it was an action, others may see it all the same.
void heddle::abi::__heddle_anew(uint64_t changed, const void* p, uint64_t size, int apart) {
  if (apart != 0 && !rt.shows_all && !rt.shows_some && !is_used_by_actions(address(p), size)) take_back_lap(changed);
}

void heddle::abi::__heddle_turn(uint64_t begin, uint64_t changed, uint32_t site) {
  note_time();
  if (!is_idle(Begin(begin), changed, SiteId(site))) return;
  const uint32_t events = Begin(begin).events;
  HEDDLE_ASSERT(events <= own_clock(*rt.current));
  rt.site = SiteId(site);
  note_wait(events);
  if (goes_round()) {
    rt.current->goes_round = true;
    return change();
  }
  leave_out_passing(events);
  block(BlockReason::spin, own_clock(*rt.current) - events);
}

heddle::abi::Pair heddle::abi::__heddle_lap() {
  note_time();
  rt.current->lapped = rt.current->noted;
  return {Begin(static_cast<uint32_t>(rt.current->taken), rt.current->noted).packed(), rt.current->changed};
}

// A round of one action or none that has changed nothing can be repeated as often as one likes:
// frontend/loops/spins.hpp.
uint32_t heddle::abi::__heddle_skip(uint64_t lap, uint64_t changed, uint32_t still, uint32_t site) {
  HEDDLE_ASSERT(site < rt.spins.size());
  Spinning& spin = rt.spins[site];
  if (spin == Spinning::followed || rt.rehearsal != nullptr) return 0;
  const Thread& t = *rt.current;
  note_time();
  const auto [actions, noted] = Begin(lap);
  SiteId last = kNoSite;
  if (still == 0 || t.changed != changed || !changes::are_undone(noted, false, last)) {
    if (spin == Spinning::unknown) {  // nothing is lost yet
      spin = Spinning::followed;
      return 0;
    }
    spin = Spinning::mixed;
    rt.site = SiteId(site);
    block(BlockReason::mixed);
  }
  HEDDLE_ASSERT(actions <= static_cast<uint32_t>(t.taken));
  if (static_cast<uint32_t>(t.taken) - actions > 1) return 0;
  if (spin == Spinning::unknown) spin = Spinning::skipped;
  return 1;
}

void heddle::abi::__heddle_change() { change(); }
void heddle::abi::__heddle_unchange(uint64_t changed) { take_back_lap(changed); }
// The program's own functions tell their changes.
void heddle::abi::__heddle_enter(const void* function) {
  if (!region::in_image(address(function))) change();
}

void heddle::abi::__heddle_spin(uint32_t site) {
  rt.site = SiteId(site);
  if (stop::asked != Stop::none) leave_stopped();
  block(BlockReason::silent);
}

// The rounds, and the clock in the last one: one without a visible action does not count, since it leads nowhere else.
uint64_t heddle::abi::__heddle_again(uint64_t before, uint32_t site) {
  const uint64_t now = uint64_t{own_clock(*rt.current)} + 1;
  if (static_cast<uint32_t>(before) == now || rt.rehearsal != nullptr) return before;
  HEDDLE_ASSERT(site < rt.rounds.size() && static_cast<uint32_t>(before) < now);
  const uint64_t rounds = (before >> 32) + 1;
  if (rounds > rt.rounds[site]) {
    rt.site = SiteId(site);
    block(BlockReason::cut);
  }
  return rounds << 32 | now;
}

void heddle::abi::__heddle_cut(uint32_t site) {
  rt.site = SiteId(site);
  block(BlockReason::unroll);
}
}
