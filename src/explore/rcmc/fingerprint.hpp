// Executions by a hash of 128 bits: the probability that two different ones have the same is negligible.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "graph/graph.hpp"

namespace heddle {

struct Fingerprint {
  uint64_t low = 0x9e3779b97f4a7c15u, high = 0xc2b2ae3d27d4eb4fu;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

struct FingerprintHash {
  std::size_t operator()(const Fingerprint& f) const { return f.low; }
};

using FingerprintSet = std::unordered_set<Fingerprint, FingerprintHash>;

// Of rf, the choices, and co if it has a meaning. Events are named by the path of their thread and the position there,
// so that neither the order of addition nor the process matters; what else they are follows, since the program is
// deterministic.
Fingerprint fingerprint(const Graph& g, const ThreadPaths& paths, bool with_co);

}  // namespace heddle
