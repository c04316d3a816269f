// Loops: what their rounds change, what they wait for, and how often they go round.
#include "core/stop.hpp"
#include "native/access.hpp"

namespace heddle {
namespace {

// Clocks are state. A round of a waiting loop that changes nothing may be left out, but not what it has learnt of the
// time: it has read from a thread whose clock shows more. So in a program that reads a clock such a round counts as a
// change. An await, which has no such rounds, may have one before it: a choice. One is enough, because of several only
// the one counts that has learnt of the latest time; and it must have learnt something.
inline void note_time() {
  if (rt.image->uses.clocks && learns_time != nullptr && rt.rehearsal == nullptr && learns_time()) change();
}

}  // namespace
}  // namespace heddle

using namespace heddle;

extern "C" {

heddle::abi::Pair heddle::abi::__heddle_round() {
  note_time();
  return {own_clock(*rt.current), rt.current->changed};
}

// An access that is replayed has got what it waits for.
void heddle::abi::__heddle_until(int await, uint64_t expected, uint64_t mask, uint64_t round) {
  const Thread& t = *rt.current;
  const bool assumed = (await & kAssumed) != 0;
  if ((await & kAnew) != 0 && (rt.shows_all || rt.shows_some)) return;
  const bool clocks = rt.image->uses.clocks && learns_time != nullptr;
  if ((await & kFirstTry) != 0 && (rt.follows_first_tries || clocks)) return;
  const bool confirms = (await & kConfirms) != 0 && !clocks;
  await &= ~(kAssumed | kAnew | kFirstTry | kConfirms);
  if (await == static_cast<int>(Await::none) || rt.rehearsal != nullptr) return;
  HEDDLE_ASSERT(round == kNoRound || round <= own_clock(t));
  const uint32_t start = round == kNoRound ? own_clock(t) : static_cast<uint32_t>(round);
  Until until{.await = Await(await), .assumed = assumed, .expected = {expected, mask}, .confirms = confirms};
  if (clocks && rt.concurrent && !assumed) {
    if (round == kNoRound) note_time();  // else the head of the loop has done so: reads before this one count
    until.learns = choose(2, Purpose::earlier_round) == 1;
  }
  until.round = until.learns ? start : own_clock(t) - start;
  if (until.learns) {
    rt.slow_actions |= Runtime::kLearning;
  } else if (t.next != t.end) {
    return;
  }
  rt.until = until;
}

void heddle::abi::__heddle_turn(uint64_t events, uint64_t changed, uint32_t site) {
  note_time();
  if (rt.current->changed != changed) return;
  HEDDLE_ASSERT(events <= own_clock(*rt.current));
  rt.site = SiteId(site);
  leave_out_passing(static_cast<uint32_t>(events));
  block(BlockReason::spin, own_clock(*rt.current) - static_cast<uint32_t>(events));
}

heddle::abi::Pair heddle::abi::__heddle_lap() {
  note_time();
  return {rt.current->taken, rt.current->changed};
}

// A round of one action or none that has changed nothing can be repeated as often as one likes:
// frontend/loops/spins.hpp.
uint32_t heddle::abi::__heddle_skip(uint64_t actions, uint64_t changed, uint32_t still, uint32_t site) {
  HEDDLE_ASSERT(site < rt.spins.size());
  Spinning& spin = rt.spins[site];
  if (spin == Spinning::followed || rt.rehearsal != nullptr) return 0;
  const Thread& t = *rt.current;
  note_time();
  if (still == 0 || t.changed != changed) {
    if (spin == Spinning::unknown) {  // nothing is lost yet
      spin = Spinning::followed;
      return 0;
    }
    spin = Spinning::mixed;
    rt.site = SiteId(site);
    block(BlockReason::mixed);
  }
  HEDDLE_ASSERT(actions <= t.taken);
  if (t.taken - actions > 1) return 0;
  if (spin == Spinning::unknown) spin = Spinning::skipped;
  return 1;
}

void heddle::abi::__heddle_change() { change(); }
void heddle::abi::__heddle_unchange(uint64_t changed) { take_back(changed); }
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
