// What the explorers that work on graphs have in common on the outside.
#pragma once

#include <cstdint>

#include "core/model_kind.hpp"
#include "core/result.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

struct ExploreOptions {
  uint64_t max_executions = 0;    // complete and blocked ones together; 0: no limit
  double time_limit = 0;          // seconds; 0: no limit
  bool keep_going = false;        // after an error
  bool races_ignore = false;      // plain events race on purpose
  bool count_duplicates = false;  // rcmc: remember the executions, count each once
  bool plain_events = true;       // plain accesses are events, not native
  bool psc = true;                // rcmc: leave out executions in which psc has a cycle, even without an error
};

// Told of each execution that ends without an error.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void execution(const Graph&, Machine&, bool complete) = 0;
};

}  // namespace heddle
