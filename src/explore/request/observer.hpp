// What sees each execution of an exploration.
#pragma once

#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// Told of each execution that ends without an error.
class Observer {
 public:
  virtual ~Observer() = default;
  // The exploration begins anew: what was told before does not count.
  virtual void start_again() {}
  virtual void execution(const Graph&, Machine&, bool complete) = 0;
};

}  // namespace heddle
