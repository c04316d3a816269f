#include "explore/judge/tally.hpp"

#include <algorithm>
#include <functional>

#include "core/add_once.hpp"
#include "core/assert.hpp"

namespace heddle {

// The two parties of a race may come in either order. Threads that wait at the same places may wait for each other in
// different ways: the message says which thread waits for which.
bool same_error(const Error& a, const Error& b) {
  const bool stuck = a.kind == ErrorKind::deadlock || a.kind == ErrorKind::livelock;
  return a.kind == b.kind && std::minmax(a.site, a.other_site) == std::minmax(b.site, b.other_site) &&
         (!stuck || a.message == b.message);
}

bool is_made_up(const Finding& finding) {
  return std::ranges::any_of(finding.trace.steps, [](const TraceStep& step) {
    const Action& a = step.action;
    return a.kind == ActionKind::choose && a.purpose == Purpose::mutex_trylock && step.read != Value{};
  });
}

bool Tally::is_new(const Finding& finding) const {
  return std::ranges::none_of(result.findings, [&](const Finding& known) {
    return same_error(known.error, finding.error) && (!is_made_up(known) || is_made_up(finding));
  });
}

void Tally::found(Finding finding) {
  // Twins that are not declared are heddle's own idea.
  if (finding.error.kind == ErrorKind::symmetry && machine_.assumed().twins && !request_.spore.insist_on_symmetry)
    return broke({.what = Assumption::twins, .why = finding.error.message});
  std::erase_if(result.findings, [&](const Finding& known) { return same_error(known.error, finding.error); });
  if (!is_made_up(finding)) {
    if (!request_.keep_going) stop = true;
    if (request_.on_finding) request_.on_finding(finding);
  }
  result.findings.push_back(std::move(finding));
}

void Tally::stop_as_asked() {
  if (const Stop asked = stop::asked; asked != Stop::none) give_up(limit_of(asked));
}

void Tally::tell(Progress& progress, std::size_t depth) const {
  progress.depth.store(depth, std::memory_order_relaxed);
  progress.executions.store(result.executions, std::memory_order_relaxed);
  progress.blocked.store(result.blocked, std::memory_order_relaxed);
  progress.duplicates.store(result.duplicates, std::memory_order_relaxed);
  progress.events.store(result.events, std::memory_order_relaxed);
  progress.errors.store(result.findings.size(), std::memory_order_relaxed);
}

void Tally::broke(Broken broken) {
  if (broken.ends) stop = true;
  add_once(result.broken, std::move(broken));
}

void Tally::note_limits() {
  for (const ThreadId t : machine_.threads()) {
    const Action& a = machine_.pending(t);
    const bool block = a.kind == ActionKind::block;
    const bool assumption = block ? a.reason == BlockReason::assume : a.assumed;
    if (assumption && result.executions == 0) note({Limit::assumption, a.site});
    if (!block) continue;
    switch (a.reason) {
      case BlockReason::assume:
      case BlockReason::spin:
      case BlockReason::ended:
      case BlockReason::leaves: break;
      case BlockReason::unroll: note({Limit::unroll, a.site}); break;
      case BlockReason::cut:
        broke({.what = Assumption::rounds, .site = a.site, .ends = machine_.assumed().rounds.ends});
        break;
      case BlockReason::mixed: stop = true; break;  // the machine knows which assumption is broken
      case BlockReason::silent: note({Limit::silent, a.site}); break;
      case BlockReason::steps: note({Limit::steps, a.site}); stop = true;
    }
  }
}

void Tally::note(const LimitHit& hit) { add_once(result.limits, hit); }

bool Tally::has_race() const {
  return std::ranges::any_of(result.findings, [](const Finding& f) { return f.error.kind == ErrorKind::race; });
}

#if HEDDLE_CHECKED
std::string Tally::check() const {
  const auto told_twice = [](const auto& list, const auto& same) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (same(list[i], list[j])) return true;
      }
    }
    return false;
  };
  if (told_twice(result.findings, [](const Finding& a, const Finding& b) { return same_error(a.error, b.error); }))
    return "an error is told twice";
  if (told_twice(result.broken, std::equal_to<>())) return "an assumption is broken twice";
  if (told_twice(result.limits,
                 [](const LimitHit& a, const LimitHit& b) { return a.limit == b.limit && a.site == b.site; }))
    return "a limit is hit twice";
  if (result.executions != 0 && !result.unusual) return "the first complete execution was not looked at";
  return {};
}
#endif

Result Tally::finish() {
  for (Broken& broken : machine_.broken()) broke(std::move(broken));
  for (const LimitHit& hit : machine_.left_out()) note(hit);
  result.followed = machine_.followed();
  settle_assumptions(result.limits, result.executions);
  HEDDLE_ASSERT_WHOLE(check());
  if (!result.findings.empty()) {
    result.verdict = Verdict::error;
  } else if (!result.limits.empty()) {
    result.verdict = Verdict::incomplete;
  }
  return std::move(result);
}

}  // namespace heddle
