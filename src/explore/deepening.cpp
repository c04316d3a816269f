#include "explore/deepening.hpp"

#include <algorithm>
#include <map>

#include "explore/tally.hpp"

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
    if (std::ranges::none_of(later.findings, same)) later.findings.push_back(std::move(finding));
  }
  if (!later.findings.empty()) later.verdict = Verdict::error;
}

// Whether every execution was seen in which no loop goes round more often than it may.
bool is_whole(const Result& result) {
  return std::ranges::all_of(result.limits, [](const LimitHit& hit) { return hit.limit == Limit::unroll; });
}

// Rounds of counted spins are skipped until some other round turns out to change something.
Result with_spins(Machine& machine, const Request& request, const ExploreOnce& explore_once) {
  const auto start = SteadyClock::now();
  Result result = explore_once(request);
  while (machine.follow_mixed() && (result.findings.empty() || request.keep_going)) {
    if (request.observer != nullptr) request.observer->start_again();
    Result next = explore_once(again(request, start));
    next.notes.emplace_back("a round of a counted spin has changed something: each of its rounds is followed");
    keep(next, result);
    result = std::move(next);
  }
  return result;
}

}  // namespace

Request again(Request request, SteadyClock::time_point start) {
  const double spent = std::chrono::duration<double>(SteadyClock::now() - start).count();
  if (request.time_limit > 0) request.time_limit = std::max(request.time_limit - spent, 1e-3);
  return request;
}

Result deepen(Machine& machine, Request request, const ExploreOnce& explore_once) {
  machine.skip_rounds(!request.is_part());
  if (request.is_part()) return explore_once(request);
  const auto start = SteadyClock::now();
  machine.bound_loops(kMany);
  request.stop_when_cut = true;
  Result result = with_spins(machine, request, explore_once);
  if (result.cut.empty() || (!result.findings.empty() && !request.keep_going)) return result;

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
    if (!whole || result.cut.empty() || (!result.findings.empty() && !request.keep_going)) break;
    for (const SiteId loop : result.cut) {
      uint32_t& n = bound.try_emplace(loop, 1).first->second;
      explored[loop] = n;
      n = n > UINT32_MAX / 2 ? UINT32_MAX : 2 * n;
      machine.bound_loop(loop, n);
    }
  }
  if (is_whole(result) && result.cut.empty()) return result;
  if (!result.findings.empty() && !request.keep_going) return result;  // the error is the answer
  for (const auto& [loop, n] : explored) result.limits.push_back({Limit::loop, loop, n});
  if (result.findings.empty()) result.verdict = Verdict::incomplete;
  return result;
}

}  // namespace heddle
