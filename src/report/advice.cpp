#include "report/advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "report/places.hpp"

namespace heddle {

std::string_view order_name(Mode mode) {
  constexpr std::string_view names[] = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return names[static_cast<int>(mode)];
}

std::string line_of(const Site* site) { return site == nullptr ? "?" : shown_place(site); }

std::string access_of(const std::string& what, const std::string& variable) {
  return variable.empty() ? what : fmt::format("{} {}", what, variable);
}

std::string advice_text(const OrderAdvice& advice, const SiteTable& sites) {
  const std::string at = line_of(user_site(sites, advice.site));
  const std::string access = access_of(advice.what, advice.variable);
  if (advice.fence) return fmt::format("a seq_cst fence before {} ({})", at, access);
  return fmt::format("{} at {} ({})", order_name(advice.order), at, access);
}

std::string advice_sentence(const Advice& advice, const SiteTable& sites) {
  if (advice.kind != Advice::Kind::helps) return "";
  std::vector<std::string> all;
  for (const OrderAdvice& a : advice.orders) all.push_back(advice_text(a, sites));
  return fmt::format("{}: then no execution of this test goes wrong", fmt::join(all, " and "));
}

}  // namespace heddle
