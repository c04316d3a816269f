#include "explore/explore.hpp"

#include "core/assert.hpp"
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
  return (request.jobs > 1 || request.queue != nullptr) && !request.estimate && !request.keep_going &&
         request.max_executions == 0 && request.observer == nullptr && !request.rcmc.count_duplicates;
}

// Under what the machine assumes.
Result alone_or_together(Machine& machine, const Request& request) {
  const ExploreOnce explore_once = [&](const Request& r) { return run_algorithm(machine, r); };
  return can_share(request) ? explore_together(machine, request, explore_once, work_tree(request.algorithm))
                            : explore_once(request);
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

Result run_algorithm(Machine& machine, const Request& request) {
  switch (request.algorithm) {
    case Algorithm::spore: return explore_spore(machine, request);
    case Algorithm::rcmc: return explore_rcmc(machine, request);
    case Algorithm::await: return explore_await(machine, request);
    case Algorithm::rvf: return explore_rvf(machine, request);
  }
  __builtin_unreachable();
}

Result explore(Machine& machine, const Request& request) {
  HEDDLE_ASSERT(!request.is_part());  // run_algorithm does that
  require(why_not(request.algorithm, request.model));
  if (request.rcmc.count_duplicates) require(why_not(request.algorithm, request.model, Feature::count_duplicates));
  if (request.estimate) require(why_not(request.algorithm, request.model, Feature::estimate));
  if (!request.rcmc.psc) require(why_not(request.algorithm, request.model, Feature::psc));
  if (request.spore.insist_on_symmetry && machine.reads_clocks())
    throw UserError("--symmetry: the program reads a clock, which tells threads apart that do the same; leave it out");
  if (request.spore.insist_on_helping && machine.reads_clocks())
    throw UserError("--helping: the program reads a clock, which may tell whether a thread has helped; leave it out");
  const ExploreOnce explore_once = [&](const Request& r) { return alone_or_together(machine, r); };
  Result result = explore_until_it_holds(machine, request, explore_once);
  result.suppressed = machine.suppressed();
  return result;
}

}  // namespace heddle
