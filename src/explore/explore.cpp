#include "explore/explore.hpp"

#include "core/error.hpp"
#include "explore/await/await.hpp"
#include "explore/await/tree.hpp"
#include "explore/rcmc/rcmc.hpp"
#include "explore/restarts.hpp"
#include "explore/rvf/rvf.hpp"
#include "explore/rvf/tree.hpp"
#include "explore/share/coordinator.hpp"
#include "explore/spore/spore.hpp"

namespace heddle {
namespace {

// Whether the work may be done by several processes: of an exploration that ends at its first error, and of which each
// execution is only counted.
bool can_share(const Request& request) {
  return (request.jobs > 1 || request.queue != nullptr) && !request.estimate && !request.is_part() &&
         !request.keep_going && request.max_executions == 0 && request.observer == nullptr &&
         !request.rcmc.count_duplicates;
}

// Under what the machine assumes, alone or together.
Result explore_once(Machine& machine, const Request& request) {
  const auto explore_one = [&](const Request& r) { return explore_part(machine, r); };
  return can_share(request) ? explore_together(machine, request, explore_one, work_tree(request.algorithm))
                            : explore_one(request);
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

Result explore_part(Machine& machine, const Request& request) {
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
  if (request.is_part() && work_tree(request.algorithm) != nullptr) {
    throw UserError("--algorithm " + std::string(name(request.algorithm)) +
                    ": its parts are not independent; use --algorithm spore");
  }
  Result result = explore_until_it_holds(machine, request, [&](const Request& r) { return explore_once(machine, r); });
  result.suppressed = machine.suppressed();
  return result;
}

}  // namespace heddle
