#include "explore/deepening.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "core/error.hpp"
#include "explore/judge/tally.hpp"

namespace heddle {
namespace {

constexpr uint32_t kMany = 32;

// What an earlier exploration has found and seen, if the later one was ended before it came so far again.
void keep(Result& later, Result& earlier) {
  later.events += earlier.events;
  if (later.executions < earlier.executions) {
    later.executions = earlier.executions;
    later.blocked = earlier.blocked;
  }
  for (std::string& note : earlier.notes) {
    if (std::ranges::find(later.notes, note) == later.notes.end()) later.notes.push_back(std::move(note));
  }
  for (Finding& finding : earlier.findings) {
    const auto same = [&](const Finding& known) { return same_error(known.error, finding.error); };
    const auto known = std::ranges::find_if(later.findings, same);
    if (known == later.findings.end()) {
      later.findings.push_back(std::move(finding));
    } else if (is_made_up(*known)) {
      *known = std::move(finding);
    }
  }
  if (!later.findings.empty()) later.verdict = Verdict::error;
}

// Whether every execution was seen in which no loop goes round more often than it may.
bool is_whole(const Result& result) {
  return std::ranges::all_of(result.limits, [](const LimitHit& hit) { return hit.limit == Limit::unroll; });
}

bool is_done(const Request& request, const Result& result) { return !result.findings.empty() && !request.keep_going; }

// Rounds of counted spins are skipped until some other round turns out to change something, and plain accesses are no
// actions until they turn out to have a part in a suppressed race.
Result with_spins(Machine& machine, const Request& request, const ExploreOnce& explore_once) {
  const auto start = SteadyClock::now();
  Result result = explore_once(request);
  for (;;) {
    const bool mixed = machine.follow_mixed();
    const bool shown = machine.show_suppressed();
    if ((!mixed && !shown) || is_done(request, result)) break;
    if (request.observer != nullptr) request.observer->start_again();
    Result next = explore_once(again(request, start));
    if (mixed)
      next.notes.emplace_back("a round of a counted spin has changed something: each of its rounds is followed");
    if (shown) {
      next.notes.emplace_back("the accesses of a suppressed race have become actions");
      result.executions = result.blocked = 0;  // of other executions
    }
    keep(next, result);
    result = std::move(next);
  }
  return result;
}

Result with_bounds(Machine& machine, Request request, const ExploreOnce& explore_once) {
  const auto start = SteadyClock::now();
  machine.bound_loops(kMany);
  request.stop_when_cut = true;
  Result result = with_spins(machine, request, explore_once);
  if (result.cut.empty() || machine.sees_passing() || is_done(request, result)) return result;

  request.stop_when_cut = false;
  machine.bound_loops(1);
  std::map<SiteId, uint32_t> bound;     // of loops that were cut; of the others: 1
  std::map<SiteId, uint32_t> explored;  // of loops that were cut last: all executions in which they go round so often
  for (;;) {
    if (request.observer != nullptr) request.observer->start_again();
    Result next = with_spins(machine, again(request, start), explore_once);
    keep(next, result);
    result = std::move(next);
    const bool whole = is_whole(result);
    if (whole) explored.clear();
    for (const SiteId loop : result.cut) explored.try_emplace(loop, 0);
    if (!whole || result.cut.empty() || machine.sees_passing() || is_done(request, result)) break;
    for (const SiteId loop : result.cut) {
      uint32_t& n = bound.try_emplace(loop, 1).first->second;
      explored[loop] = n;
      n = n > UINT32_MAX / 2 ? UINT32_MAX : 2 * n;
      machine.bound_loop(loop, n);
    }
  }
  if (is_whole(result) && result.cut.empty()) return result;
  if (is_done(request, result)) return result;  // the error is the answer
  for (const auto& [loop, n] : explored) result.limits.push_back({Limit::loop, loop, n});
  if (result.findings.empty()) result.verdict = Verdict::incomplete;
  return result;
}

}  // namespace

Result deepen(Machine& machine, const Request& request, const ExploreOnce& explore_once) {
  const auto start = SteadyClock::now();
  const bool part = request.is_part();
  machine.skip_rounds(!part);
  machine.show_passing(Passing::unseen);
  if (request.estimate) {
    machine.bound_loops(kMany);
    return with_spins(machine, request, explore_once);
  }
  Result result = part ? explore_once(request) : with_bounds(machine, request, explore_once);
  if (part && machine.show_suppressed())
    throw UserError("with --suppress, a program that has such a race cannot be explored in parts");
  if (!machine.sees_passing() || is_done(request, result)) return result;
  if (part)
    throw UserError(
        "a trylock fails where a waiting loop holds the mutex in passing; such a program cannot be explored in parts");

  const auto anew = [&](Passing passing) {
    if (request.observer != nullptr) request.observer->start_again();
    machine.show_passing(passing);
    return with_bounds(machine, again(request, start), explore_once);
  };
  Result more = anew(Passing::may_be_seen);
  while (machine.sees_passing()) more = anew(Passing::may_be_seen);
  if (!request.keep_going && std::ranges::any_of(more.findings, std::not_fn(is_made_up)))
    std::erase_if(more.findings, is_made_up);
  if (more.verdict != Verdict::incomplete && std::ranges::none_of(more.findings, is_made_up)) {
    keep(more, result);
    more.notes.emplace_back(
        "a trylock may fail at any time: rounds of a loop that hold a mutex in passing are left out");
    return more;
  }
  std::erase_if(more.findings, is_made_up);
  more.executions = more.blocked = 0;  // of other executions
  keep(result, more);
  Result next = anew(Passing::seen);
  next.notes.emplace_back("a trylock has failed: rounds of a loop that hold a mutex in passing are followed");
  keep(next, result);
  return next;
}

}  // namespace heddle
