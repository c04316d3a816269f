// Which memory orders a test needs, and which it lacks: the test is explored again with other orders (OrderedMachine).
#pragma once

#include <vector>

#include "explore/explore.hpp"
#include "explore/replay/ordered_machine.hpp"

namespace heddle {

// What is known of one place.
struct OrderNeed {
  std::size_t place;
  Mode enough;               // the weakest order with which the test is right; rlx for a fence: it can go
  std::optional<Error> bug;  // what goes wrong with a weaker one; nothing if there is no weaker one
  bool known = true;         // false: the limit came before all weaker ones were tried
};

// Of a test that is right. Each place is weakened by itself.
std::vector<OrderNeed> find_needs(OrderedMachine& machine, const Request& request);

// Of a test that goes wrong: the changes with which no execution does. The fewest that were found, the gentlest first.
struct Remedy {
  // none_helps: with the strongest orders and with fences everywhere the same error is there
  enum class Kind : uint8_t { unknown, none_helps, found } kind = Kind::unknown;
  std::vector<OrderChange> changes;  // of which none can be left out
};
// `seconds`: for all of it; 0: no limit.
Remedy find_remedy(OrderedMachine& machine, const Request& request, double seconds);

}  // namespace heddle
