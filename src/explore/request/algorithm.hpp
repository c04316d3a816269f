// The algorithms, by the names that the command line has for them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

enum class Algorithm : uint8_t { spore, rcmc, await, rvf };

inline constexpr std::array kAlgorithms = {Algorithm::spore, Algorithm::rcmc, Algorithm::await, Algorithm::rvf};

// Works on execution graphs (kernel/kernel.hpp), where what comes of a choice does not depend on the others. The other
// algorithms work on interleavings, under sc.
constexpr bool explores_graphs(Algorithm a) { return a == Algorithm::spore || a == Algorithm::rcmc; }

constexpr std::string_view name(Algorithm a) {
  constexpr std::string_view names[] = {"spore", "rcmc", "await", "rvf"};
  return names[static_cast<int>(a)];
}

constexpr std::optional<Algorithm> algorithm_named(std::string_view text) {
  for (const Algorithm a : kAlgorithms) {
    if (name(a) == text) return a;
  }
  return std::nullopt;
}

}  // namespace heddle
