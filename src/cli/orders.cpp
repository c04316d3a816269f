#include "cli/orders.hpp"

#include <algorithm>

#include "cli/build.hpp"
#include "cli/failure.hpp"
#include "cli/notices.hpp"
#include "cli/run.hpp"
#include "cli/supervise.hpp"
#include "explore/orders.hpp"
#include "frontend/load/load.hpp"
#include "library/library.hpp"
#include "report/orders.hpp"

namespace heddle::cli {
namespace {

constexpr double kPatience = 1;  // seconds that the advice of a check may take

bool has_help(const Finding& finding) {
  return std::ranges::any_of(finding.trace.steps, [](auto& s) { return s.action.kind == ActionKind::help; });
}

Advice advice_of(OrderedMachine& machine, const Request& request, double seconds) {
  const Remedy remedy = find_remedy(machine, request, seconds);
  Advice advice;
  // A test without weaker orders gets no advice that none helps.
  const auto is_weak = [](const OrderPlace& place) { return !is_sc(place.mode); };
  if (remedy.kind == Remedy::Kind::none_helps && std::ranges::any_of(machine.places(), is_weak))
    advice.kind = Advice::Kind::none_helps;
  if (remedy.kind != Remedy::Kind::found || remedy.changes.empty()) return advice;
  advice.kind = Advice::Kind::helps;
  for (const OrderChange& change : remedy.changes) {
    const OrderPlace& place = machine.places()[change.place];
    advice.orders.push_back(
        {place.site, std::string(name(place.part)), place.variable, change.mode, change.fence_before});
  }
  return advice;
}

std::vector<OrderRow> rows_of(OrderedMachine& machine, const Request& request) {
  std::vector<OrderRow> rows;
  for (OrderNeed& need : find_needs(machine, request)) {
    const OrderPlace& place = machine.places()[need.place];
    rows.push_back({place.site, std::string(name(place.part)), place.variable, place.part == OrderPart::fence,
                    place.mode, need.enough, std::move(need.bug), need.known});
  }
  return rows;
}

class Orders {
 public:
  Orders(const Options& options, const std::string& command) : options_(options), info_(run_info(options, command)) {}

  Answer run() {
    Sources sources = sources_of(options_.build.value_or(""), options_.files, options_.clang_args);
    info_.files = sources.files;
    info_.warnings = sources.warnings;
    say_warnings(info_);
    NativeMachine native(load(compile_files(options_, std::move(sources)), library::resolve), native_options(options_));
    const SiteTable& sites = native.image().sites;
    info_.compile_seconds = seconds_since(start_);
    enter_sandbox(options_);
    begin_exploring(info_.compile_seconds);
    OrderedMachine machine(native, sites);
    const auto request = [&] {
      Request r = explore_request(options_, seconds_since(start_));
      r.jobs = 1;  // the machine must meet each place itself
      return r;
    };
    Result result = explore(machine, request());
    std::vector<OrderRow> rows;
    if (goes_right(result)) {
      rows = rows_of(machine, request());
      std::ranges::stable_sort(rows, {},
                               [&](const OrderRow& r) { return std::pair(sites[r.site].file, sites[r.site].line); });
    } else if (!result.findings.empty()) {
      result.findings[0].advice = advice_of(machine, request(), request().time_limit);
    }
    begin_reporting();
    info_.explore_seconds = seconds_since(start_) - info_.compile_seconds;
    info_.peak_rss_kib = peak_rss_kib();
    info_.total_seconds = seconds_since(start_);
    const std::string text = options_.format == "json"
                                 ? orders_json(info_, result, rows, sites)
                                 : orders_text(info_, result, rows, sites, output_style(options_));
    const bool all_known = std::ranges::all_of(rows, &OrderRow::known);
    return {all_known ? exit_status(result.verdict) : kIncomplete, text};
  }

  RunInfo info() {
    info_.peak_rss_kib = peak_rss_kib();
    info_.total_seconds = seconds_since(start_);
    return info_;
  }

 private:
  const Options& options_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  RunInfo info_;
};

}  // namespace

Answer orders(const Options& options, const std::string& command) {
  Orders orders(options, command);
  return or_failure(options, [&] { return orders.run(); }, [&] { return orders.info(); });
}

void advise(NativeMachine& machine, const Options& options, double spent, Result& result) {
  if (result.findings.empty() || has_help(result.findings[0])) return;
  const ErrorKind kind = result.findings[0].error.kind;
  if (kind == ErrorKind::symmetry || kind == ErrorKind::annotation) return;  // no matter of what the program does
  const Request request = explore_request(options, spent);
  OrderedMachine ordered(machine, machine.image().sites);
  const double seconds = request.time_limit > 0 ? std::min(request.time_limit, kPatience) : kPatience;
  try {
    const NoticeAdvice notice =
        kind == ErrorKind::deadlock ? find_notice(machine, request, result.findings[0].trace, seconds) : NoticeAdvice();
    result.findings[0].advice = advice_of(ordered, request, seconds);
    result.findings[0].advice.notice = notice;
  } catch (const UserError&) {  // the test cannot be run with other orders: there is no advice
  }
}

}  // namespace heddle::cli
