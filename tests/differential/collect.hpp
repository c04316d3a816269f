// What an explorer finds, brought into the form of the brute force.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/result.hpp"
#include "differential/candidate.hpp"
#include "explore/explore.hpp"

namespace heddle::differential {

axioms::Execution to_execution(const Graph&, const Script&);

struct Explored {
  std::map<std::string, unsigned> complete;  // canonical form, and how often it was explored
  std::map<std::string, unsigned> blocked;
  Result result;
};

// Explores a script and calls `on_full`, if given, for each execution that the explorer reports. What it has reported
// does not count any more when `on_again` is called.
using OnAgain = std::function<void()>;
Explored collect(const Script&, Request, const OnFull& on_full = {}, bool symmetry = false,
                 const OnAgain& on_again = {});

}  // namespace heddle::differential
