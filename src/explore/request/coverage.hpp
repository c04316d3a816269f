// What the theory covers: which algorithm explores which model, and with which features.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/model_kind.hpp"
#include "explore/request/algorithm.hpp"

namespace heddle {

// What an algorithm may have besides the exploration itself.
enum class Feature : uint8_t {
  symmetry,
  helping,
  psc,
  count_duplicates,
  commute,
  signals,
  closure,
  auxiliary,
  greedy,
  queue,
  estimate,
};

// Those that are options; the others are commands.
inline constexpr std::array kFeatures = {
    Feature::symmetry, Feature::helping, Feature::psc,       Feature::count_duplicates, Feature::commute,
    Feature::signals,  Feature::closure, Feature::auxiliary, Feature::greedy,           Feature::queue};

// As on the command line.
constexpr std::string_view name(Feature f) {
  constexpr std::string_view names[] = {"symmetry",  "helping",    "psc",        "count-duplicates",
                                        "commute",   "no-signals", "no-closure", "no-auxiliary",
                                        "no-greedy", "queue",      "estimate"};
  return names[static_cast<int>(f)];
}

// Why the theory does not cover the pair, or the feature with the pair, and what to do instead; empty if it does.
std::string why_not(Algorithm, ModelKind);
std::string why_not(Algorithm, ModelKind, Feature);

}  // namespace heddle
