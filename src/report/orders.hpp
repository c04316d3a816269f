// `heddle orders`: which memory orders a test needs.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "report/run.hpp"
#include "report/steps.hpp"

namespace heddle {

// One place of the source that has an order.
struct OrderRow {
  SiteId site;
  std::string what;      // "store", "fence"
  std::string variable;  // nothing for a fence
  bool is_fence = false;
  Mode order;
  Mode enough;               // the weakest with which the test is right; rlx for a fence: it can go
  std::optional<Error> bug;  // with a weaker one
  bool known = true;         // false: a limit came first
};

// `result`: of the test as it is. With an error, the advice of the first is what is told.
std::string orders_text(const RunInfo& run, const Result& result, const std::vector<OrderRow>& rows,
                        const SiteTable& sites, const Style& style);
std::string orders_json(const RunInfo& run, const Result& result, const std::vector<OrderRow>& rows,
                        const SiteTable& sites);

}  // namespace heddle
