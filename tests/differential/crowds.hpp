// Scripts in which many threads wait for one location: too large for the brute force, and where explorers that let
// awaits wait have most ways to go wrong. They are held against each other.
#pragma once

#include <optional>
#include <string>

#include "core/model_kind.hpp"
#include "machine/script/script.hpp"

namespace heddle::differential {

// The same script for the same seed.
Script generate_crowd(uint64_t seed);

struct CrowdTally {
  uint64_t executions = 0;
  bool deadlock = false;
};

// Whether spore finds each complete execution once, the same ones as await (sc) and rcmc (rc11), and with symmetry one
// of each class. Nothing if there are more than `limit`.
std::optional<std::string> crowd_disagreement(const Script&, ModelKind, uint64_t limit, CrowdTally* = nullptr);

}  // namespace heddle::differential
