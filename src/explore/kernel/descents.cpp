#include "explore/kernel/descents.hpp"

#include <algorithm>
#include <cmath>

#include "core/add_once.hpp"
#include "core/assert.hpp"
#include "core/stop.hpp"

namespace heddle {
namespace {

// Mean and variance of what descents say, one after the other (Welford).
class Mean {
 public:
  void add(double x) {
    ++n_;
    const double d = x - mean_;
    mean_ += d / static_cast<double>(n_);
    squares_ += d * (x - mean_);
  }
  double mean() const { return mean_; }
  // The standard error of the mean, as a part of it.
  double relative_error() const {
    if (n_ < 2 || mean_ == 0) return 0;
    return std::sqrt(squares_ / static_cast<double>(n_ - 1) / static_cast<double>(n_)) / mean_;
  }

 private:
  uint64_t n_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

constexpr uint64_t kFewest = 500;  // descents, before an estimate counts as good
constexpr double kGood = 0.01;     // relative error
constexpr double kDeviations = 2;  // of the interval: 95 %, if the errors were normal

// What the explorations of several descents have found. Counts mean nothing.
void join(Result& all, Result& one) {
  all.events += one.events;
  for (Broken& b : one.broken) add_once(all.broken, std::move(b));
  for (const Promise& p : one.promises) add_once(all.promises, p);
  if (all.findings.empty()) all.findings = std::move(one.findings);
  for (const FollowedLoop& f : one.followed) add_followed(all.followed, f);
  if (all.limits.empty()) all.limits = std::move(one.limits);
}

}  // namespace

Result estimate(const Request& request, const std::function<Descent(Random&)>& descend) {
  const auto start = SteadyClock::now();
  Random random(1);  // the same answer each time, as far as time allows
  Result all;
  Estimate e;
  Mean executions, blocked, runs;
  uint64_t all_runs = 0;
  double spent = 0;
  for (;;) {
    Descent d = descend(random);
    const bool failed = !d.result.findings.empty();
    join(all, d.result);
    if (d.stopped) break;  // the caller starts again, or the time is over
    ++e.descents;
    e.with_errors += failed;
    executions.add(d.executions);
    blocked.add(d.blocked);
    runs.add(d.runs);
    all_runs += d.own_runs;
    const bool good = e.descents >= kFewest && std::max(executions.relative_error(), blocked.relative_error()) < kGood;
    spent = seconds_since(start);
    if (good || e.descents == request.max_descents || (request.time_limit > 0 && spent > request.time_limit)) break;
  }
  const double factor = std::exp(kDeviations * executions.relative_error());
  e.executions = executions.mean();
  e.low = e.executions / factor;
  e.high = e.executions * factor;
  HEDDLE_ASSERT(e.low <= e.executions && e.executions <= e.high && e.with_errors <= e.descents);
  e.blocked = blocked.mean();
  // Runs last about equally long. To weigh the time of each would make much of the moments when another process had its
  // turn.
  e.seconds = runs.mean() * spent / static_cast<double>(std::max<uint64_t>(all_runs, 1));
  all.estimate = e;
  all.verdict = Verdict::incomplete;
  return all;
}

}  // namespace heddle
