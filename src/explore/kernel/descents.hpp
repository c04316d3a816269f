// How large an exploration will be, from random descents (Knuth, Estimating the efficiency of backtrack programs,
// Mathematics of Computation 29, 1975).
//
// The explorations of the kernel are trees. A node is a run: it begins with a choice that was noted before, goes on
// until no thread can, counts at most one execution, and notes choices on its way, which are its children. A revisit is
// a node, too, whose children are the places that the write may have. A descent begins at the root, adds what each run
// counts, and goes on to one child, chosen at random; what it meets there stands for 1 / probability times as much. The
// expected sum is the number of executions, whatever the probabilities are, as long as none is 0: what comes of a
// choice depends on the graph alone and not on what was explored before.
//
// The probabilities matter for the variance. Of the choices that a run notes, the first ones have the most below them:
// where a step of a run has k choices, they and the rest of the run get the same share. Shares become tiny soon, so
// that half of the probability is spread evenly.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "core/assert.hpp"
#include "core/result.hpp"
#include "explore/request/request.hpp"

namespace heddle {

using Random = std::mt19937_64;

// What one descent says of the whole.
struct Descent {
  Result result;
  double executions = 0;
  double blocked = 0;
  double runs = 0;
  uint64_t own_runs = 0;  // of this descent
  bool stopped = false;   // it did not come to its end
};

// Adds up what the runs of a descent count.
class RunCounter {
 public:
  RunCounter(const Result& result, Descent& descent) : result_(result), descent_(descent) {}
  double weight = 1;

  // The run that has begun after the last call, or after the constructor, has ended.
  void note_run() {
    HEDDLE_ASSERT(result_.executions >= executions_ && result_.blocked >= blocked_);
    HEDDLE_ASSERT(result_.executions + result_.blocked <= executions_ + blocked_ + 1);
    descent_.executions += weight * static_cast<double>(result_.executions - executions_);
    descent_.blocked += weight * static_cast<double>(result_.blocked - blocked_);
    descent_.runs += weight;
    ++descent_.own_runs;
    executions_ = result_.executions;
    blocked_ = result_.blocked;
  }

 private:
  const Result& result_;
  Descent& descent_;
  uint64_t executions_ = 0;
  uint64_t blocked_ = 0;
};

// A choice among those from `first` on, and its probability. Those of one step are neighbours and have the same event.
template <class Item>
std::pair<std::size_t, double> choose(const std::vector<Item>& items, std::size_t first, Random& random) {
  HEDDLE_ASSERT(first < items.size());
  constexpr double kEven = 0.5;  // the part of the probability that is spread evenly
  const std::size_t n = items.size() - first;
  std::vector<double> shares(n);
  double rest = 1;
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i + 1;
    while (end < n && items[first + end].event == items[first + i].event) ++end;
    rest /= static_cast<double>(end - i + 1);
    for (; i < end; ++i) shares[i] = rest;
  }
  const double all = 1 - rest;
  for (double& share : shares) share = kEven / static_cast<double>(n) + (1 - kEven) * share / all;
  HEDDLE_ASSERT(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1) < 1e-6);
  const std::size_t chosen = std::discrete_distribution<std::size_t>(shares.begin(), shares.end())(random);
  return {first + chosen, shares[chosen]};
}

// Makes descents until the estimate is good or the time is over.
Result estimate(const Request& request, const std::function<Descent(Random&)>& descend);

}  // namespace heddle
