#include "differential/jobs.hpp"

#include <fmt/format.h>

#include "differential/collect.hpp"
#include "explore/explore.hpp"
#include "explore/share/memory_queue.hpp"
#include "machine/script/script_machine.hpp"

namespace heddle::differential {
namespace {

// Others get work as soon as there is any, and some reports are lost with those who made them.
class EagerQueue : public MemoryQueue {
 public:
  using MemoryQueue::MemoryQueue;

  Pace pace() const override { return {.alone = 0, .look = 0.001, .worth = 0}; }
  std::optional<Work> claim() override {
    std::optional<Work> work = MemoryQueue::claim();
    bundles += work.has_value();
    return work;
  }

  bool report(const Report& report) override {
    constexpr uint64_t kLost = 5;
    if (++reports % kLost != 0) return MemoryQueue::report(report);
    give_back(report.token);
    return false;
  }

  uint64_t bundles = 0;
  uint64_t reports = 0;
};

std::string told(const Result& r) {
  std::string text =
      fmt::format("verdict {}, {} executions, {} blocked", static_cast<int>(r.verdict), r.executions, r.blocked);
  for (const Finding& f : r.findings) text += fmt::format(", {}: {}", static_cast<int>(f.error.kind), f.error.message);
  return text;
}

}  // namespace

std::optional<std::string> jobs_disagreement(const Script& script, axioms::Model model, Algorithm algorithm,
                                             bool symmetry, uint64_t limit, JobsTally* tally) {
  Request request;
  request.algorithm = algorithm;
  request.model = model;
  request.spore.insist_on_symmetry = true;  // a script declares its twins
  request.max_executions = limit;
  const auto explored = [&] {
    ScriptMachine machine(script, symmetry);
    return explore(machine, request);
  };
  const Result one = explored();
  if (!saw_all(one)) return std::nullopt;
  request.max_executions = 0;
  JobsTally sum{one.executions, !one.findings.empty(), 0};
  std::string text;
  for (const unsigned jobs : {2u, 3u, 8u}) {
    EagerQueue queue(work_tree(algorithm));
    request.jobs = jobs;
    request.queue = &queue;
    const Result several = explored();
    sum.bundles += queue.bundles;
    if (told(one) != told(several)) text += fmt::format("one: {}\n{}: {}\n", told(one), jobs, told(several));
  }
  if (tally != nullptr) *tally = sum;
  return text;
}

}  // namespace heddle::differential
