#include "report/orders.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/advice.hpp"
#include "report/columns.hpp"
#include "report/json.hpp"
#include "report/places.hpp"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

std::string outcome(const OrderRow& row, const SiteTable& sites) {
  const auto with = [&](const char* weaker) {
    return fmt::format("with {}: {}, {}", weaker, name(row.bug->kind), line_of(user_site(sites, row.bug->site)));
  };
  if (!row.known) return "not known: a limit came first";
  if (row.enough == Mode::rlx && row.is_fence) return "not needed by this test";
  if (row.enough == row.order && !row.bug) return "relaxed already";
  if (row.enough == row.order) return "needed; " + with(row.is_fence ? "a weaker one or none" : "a weaker one");
  const std::string enough = fmt::format("{} is enough for this test", order_name(row.enough));
  return row.bug ? enough + "; " + with(row.is_fence ? "less or none" : "less") : enough;
}

Json place_json(SiteId id, const SiteTable& sites) {
  Json out;
  if (const Site* const site = user_site(sites, id)) {
    out["file"] = shown_path(site->file);
    out["line"] = site->line;
    out["column"] = site->column;
  }
  return out;
}

Json row_json(const OrderRow& row, const SiteTable& sites) {
  Json out = place_json(row.site, sites);
  out["access"] = row.what;
  out["variable"] = row.variable;
  out["order"] = order_name(row.order);
  out["known"] = row.known;
  out["needed"] = row.known && row.enough == row.order && row.bug;
  const bool goes = row.is_fence && row.enough == Mode::rlx;
  out["enough"] = goes ? "none" : order_name(row.enough);
  if (row.bug) {
    out["bug"] = place_json(row.bug->site, sites);
    out["bug"]["kind"] = name(row.bug->kind);
    out["bug"]["message"] = row.bug->message;
  }
  return out;
}

}  // namespace

std::string orders_text(const RunInfo& run, const Result& result, const std::vector<OrderRow>& rows,
                        const SiteTable& sites, const Style&) {
  std::string out =
      fmt::format("{}: {} ({}, {})\n", fmt::join(run.files, " "), name(result.verdict), run.model, run.algorithm);
  if (!result.findings.empty()) {
    const Finding& finding = result.findings[0];
    out += fmt::format("  {}: {}: {}\n", line_of(user_site(sites, finding.error.site)), name(finding.error.kind),
                       finding.error.message);
    const std::string advice = advice_sentence(finding.advice, sites);
    if (!advice.empty()) return out + fmt::format("  fix: {}\n", advice);
    return out + (finding.advice.kind == Advice::Kind::none_helps
                      ? "  it is not a matter of memory orders: the same error is there with seq_cst, and with fences, "
                        "everywhere\n"
                      : "  no memory orders that would mend it were found\n");
  }
  if (rows.empty()) return out + "  no atomic access of the user's own code, so there is no order to look at\n";
  std::size_t place = 0, access = 0, order = 0;
  for (const OrderRow& row : rows) {
    place = std::max(place, line_of(user_site(sites, row.site)).size());
    access = std::max(access, shown_width(access_of(row.what, row.variable)));
    order = std::max(order, order_name(row.order).size());
  }
  for (const OrderRow& row : rows)
    out += fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}\n", line_of(user_site(sites, row.site)), place,
                       access_of(row.what, row.variable), access, order_name(row.order), order, outcome(row, sites));
  const auto is_too_strong = [](const OrderRow& row) { return row.known && row.enough != row.order; };
  if (std::ranges::count_if(rows, is_too_strong) < 2) return out;
  return out + "Each order was weakened by itself: two that are not needed may still be needed together.\n";
}

std::string orders_json(const RunInfo& run, const Result& result, const std::vector<OrderRow>& rows,
                        const SiteTable& sites) {
  Json out = Json::parse(json_report(run, result, sites));
  out["orders"] = Json::array();
  for (const OrderRow& row : rows) out["orders"].push_back(row_json(row, sites));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle
