// Random consistent graphs, for the tests of the graph.
#pragma once

#include <gtest/gtest.h>

#include "models/rc11.hpp"
#include "unit/models/random_walk.hpp"

namespace heddle {

// visit(graph, its script, number of the graph)
template <class Visit>
void on_random_graphs(uint64_t walks, Visit visit) {
  std::size_t seen = 0;
  for (uint64_t seed = 1; seed <= walks && !testing::Test::HasFatalFailure(); ++seed) {
    const auto check = [&](const Graph& g, const Script& script, bool accepted) {
      if (accepted && !testing::Test::HasFatalFailure()) visit(g, script, ++seen);
    };
    RandomWalk<Rc11, decltype(check)>(seed, check).run();
  }
  EXPECT_GT(seen, walks);
}

}  // namespace heddle
