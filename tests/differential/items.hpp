// Work items: an exploration gives parts of its work away at random moments, as bytes. Each part is explored by a
// machine of its own, which gives parts away in turn. All together find the same executions as one exploration alone,
// each as often.
#pragma once

#include <optional>
#include <string>

#include "differential/collect.hpp"

namespace heddle::differential {

// What all parts find together. `items`: how many there were.
Explored collect_by_items(const Script&, const Request&, uint64_t seed, bool symmetry, uint64_t& items);

struct ItemsTally {
  uint64_t items = 0;
  uint64_t executions = 0;
};

// Where the parts differ from the whole; empty if nowhere. Nothing if there are more than `limit` executions.
std::optional<std::string> items_disagreement(const Script&, axioms::Model, Algorithm, bool symmetry, uint64_t seed,
                                              uint64_t limit, ItemsTally* = nullptr);

}  // namespace heddle::differential
