// WRC11 without an explorer: its incremental checker against the literal axioms on each candidate that the brute force
// meets, and the brute force against the naive one where that is fast enough.
#pragma once

#include <optional>
#include <string>

#include "machine/script/script.hpp"

namespace heddle::differential {

struct WeakTally {
  uint64_t executions = 0;  // complete ones
  uint64_t blocked = 0;
  bool error = false;
  bool naive = false;  // whether the naive one was fast enough
};

// What disagrees, in words; empty if nothing. Nothing at all if the brute force takes more than `limit` candidates.
std::optional<std::string> weak_disagreement(const Script&, uint64_t limit, WeakTally* = nullptr);

}  // namespace heddle::differential
