#include "report/orders.hpp"

#include <gtest/gtest.h>

#include "unit/report/samples.hpp"

namespace heddle {
namespace {

OrderRow row(SiteTable& sites, Mode enough) {
  return {.site = samples::at(sites, 5), .what = "store", .variable = "flag", .order = Mode::sc, .enough = enough};
}

// The warning is about orders that are too strong, each by itself.
TEST(Orders, TwoThatAreNotNeededMayBeNeededTogether) {
  SiteTable sites;
  const auto warns = [&](std::vector<OrderRow> rows) {
    return orders_text(samples::run(), {}, rows, sites, {}).find("needed together") != std::string::npos;
  };
  EXPECT_TRUE(warns({row(sites, Mode::rlx), row(sites, Mode::rel)}));
  EXPECT_FALSE(warns({row(sites, Mode::rlx), row(sites, Mode::sc)}));
  EXPECT_FALSE(warns({row(sites, Mode::sc), row(sites, Mode::sc)}));
}

}  // namespace
}  // namespace heddle
