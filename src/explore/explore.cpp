#include "explore/explore.hpp"

#include <algorithm>
#include <chrono>

#include "core/error.hpp"
#include "explore/await/await.hpp"
#include "explore/await/tree.hpp"
#include "explore/deepening.hpp"
#include "explore/rcmc/rcmc.hpp"
#include "explore/rvf/rvf.hpp"
#include "explore/rvf/tree.hpp"
#include "explore/share/coordinator.hpp"
#include "explore/spore/spore.hpp"

namespace heddle {
namespace {

const std::string kPart = "the exploration has to start again, but this is only a part of it: ";

// Whether the work may be done by several processes: of an exploration that ends at its first error, and of which
// nobody wants to see each execution.
bool can_share(const Request& request) {
  return (request.jobs > 1 || request.queue != nullptr) && !request.estimate && !request.is_part() &&
         !request.keep_going && request.max_executions == 0 && request.observer == nullptr &&
         !request.rcmc.count_duplicates;
}

// Once, alone or together; see explore_part.
std::optional<Result> explore_all(Machine& machine, const Request& request) {
  const auto explore_one = [&](const Request& r) { return explore_part(machine, r); };
  return can_share(request) ? explore_together(machine, request, explore_one, work_tree(request.algorithm))
                            : explore_one(request);
}

// Twins that nobody declared are heddle's own idea. Where it turns out that they cannot be exchanged, all executions
// are looked at.
Result by_spore(Machine& machine, const Request& request) {
  const auto start = SteadyClock::now();
  Result result = explore_all(machine, request).value();
  const auto refused = std::ranges::find(result.findings, ErrorKind::symmetry, [](auto& f) { return f.error.kind; });
  if (refused == result.findings.end() || request.spore.insist_on_symmetry) return result;
  if (request.is_part()) throw UserError(kPart + refused->error.message);
  if (request.observer != nullptr) request.observer->start_again();
  const std::string note = "no symmetry but what is declared: " + refused->error.message;
  machine.find_no_twins();
  result = explore_all(machine, again(request, start)).value();
  result.notes.insert(result.notes.begin(), note);
  return result;
}

// In an execution that breaks the SC axiom, plain accesses may race although they never do in fact, and then what they
// read depends on the schedule. Where rcmc meets one, they become events, which have no such problem.
Result by_rcmc(Machine& machine, const Request& request) {
  const auto start = SteadyClock::now();
  std::optional<Result> first = explore_all(machine, request);
  if (first) return std::move(*first);
  if (request.is_part()) throw UserError(kPart + "an execution breaks the SC axiom, so plain accesses must be events");
  if (request.observer != nullptr) request.observer->start_again();
  machine.show_plain_accesses();
  Result result = explore_all(machine, again(request, start)).value();
  result.notes.insert(result.notes.begin(), "plain accesses become events: an execution breaks the SC axiom");
  return result;
}

// Of await and rvf.
Result by_interleavings(Machine& machine, const Request& request) {
  if (request.is_part()) {
    throw UserError("--algorithm " + std::string(name(request.algorithm)) +
                    ": its parts are not independent; use --algorithm spore");
  }
  return explore_all(machine, request).value();
}

void require(const std::string& why_not) {
  if (!why_not.empty()) throw UserError(why_not);
}

}  // namespace

std::unique_ptr<WorkTree> work_tree(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::spore:
    case Algorithm::rcmc: return nullptr;
    case Algorithm::await: return std::make_unique<AwaitTree>();
    case Algorithm::rvf: return std::make_unique<RvfTree>();
  }
  __builtin_unreachable();
}

std::optional<Result> explore_part(Machine& machine, const Request& request) {
  switch (request.algorithm) {
    case Algorithm::spore: return explore_spore(machine, request);
    case Algorithm::rcmc: return explore_rcmc(machine, request);
    case Algorithm::await: return explore_await(machine, request);
    case Algorithm::rvf: return explore_rvf(machine, request);
  }
  __builtin_unreachable();
}

Result explore(Machine& machine, const Request& request) {
  require(why_not(request.algorithm, request.model));
  if (request.rcmc.count_duplicates) {
    require(why_not(request.algorithm, request.model, Feature::count_duplicates));
    if (request.is_part()) throw UserError("duplicates cannot be counted in parts");
  }
  if (request.estimate && request.algorithm != Algorithm::spore)
    throw UserError("only an exploration by spore can be estimated; use --algorithm spore");
  if (!request.rcmc.psc) require(why_not(request.algorithm, request.model, Feature::psc));
  Result result = deepen(machine, request, [&](const Request& r) {
    switch (request.algorithm) {
      case Algorithm::spore: return by_spore(machine, r);
      case Algorithm::rcmc: return by_rcmc(machine, r);
      case Algorithm::await:
      case Algorithm::rvf: return by_interleavings(machine, r);
    }
    __builtin_unreachable();
  });
  result.suppressed = machine.suppressed();
  return result;
}

}  // namespace heddle
