#include "report/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/advice.hpp"
#include "report/explain.hpp"
#include "report/places.hpp"
#include "report/steps.hpp"
#include "report/unusual.hpp"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

void put_place(Json& out, const Site* site) {
  out["file"] = site ? shown_path(site->file) : "";
  out["line"] = site ? site->line : 0;
  out["column"] = site ? site->column : 0;
  out["function"] = site ? site->function : "";
}

// How it came there, the place itself last; only if there is a call.
void put_calls(Json& out, const SiteTable& sites, SiteId id) {
  const std::vector<const Site*> all = frames(sites, id);
  if (all.size() < 2) return;
  for (const Site* site : all)
    out["calls"].push_back({{"file", shown_path(site->file)}, {"line", site->line}, {"function", site->function}});
}

// A number while JSON readers agree on it, a string beyond.
Json number(Value v, const TraceStep& step, const std::string& shown) {
  const uint8_t size = step.action.size;
  if (step.type.kind == ValueType::Kind::floating) {
    const double d = floating_value(v, size);
    return std::isfinite(d) ? Json(d) : Json(shown);
  }
  const bool is_unsigned = step.type.is_unsigned || size > 8;
  const int64_t n = signed_value(v, size);
  const bool is_small = -static_cast<int64_t>(kReadable) < n && n < static_cast<int64_t>(kReadable);
  if (v.hi != 0 || (is_unsigned ? v.lo >= kReadable : !is_small)) return shown;
  return is_unsigned ? Json(v.lo) : Json(n);
}

// As a number, and as the report for a person has it if that is something else.
void put_value(Json& out, const std::string& name, Value v, const TraceStep& step, const StepTeller& teller) {
  const std::string shown = teller.value(v, step);
  const Json value = number(v, step, shown);
  out[name] = value;
  if (value != shown && value.dump() != shown) out[name + "_as"] = shown;
}

Json step_json(const TraceStep& step, const SiteTable& sites, const StepTeller& teller) {
  const Action& a = step.action;
  Json out;
  out["thread"] = name_of(step.thread);
  out["action"] = name(a.kind);
  if (a.purpose != Purpose::access) {
    out["purpose"] = name(a.purpose);
  }
  if (is_atomic(a.mode)) out["order"] = name(a.mode);
  if (!step.location.empty()) out["location"] = step.location;
  if (step.read) put_value(out, "read", *step.read, step, teller);
  if (step.written) put_value(out, "written", *step.written, step, teller);
  if (step.read) out["reads_from"] = step.rf < 0 ? Json("initial") : Json(step.rf);
  if (a.kind == ActionKind::create || a.kind == ActionKind::join) out["child"] = name_of(a.child);
  if (step.blocked) out["blocked"] = true;
  const Site* site = user_site(sites, a.site);
  out["file"] = site ? shown_path(site->file) : "";
  out["line"] = site ? site->line : 0;
  put_calls(out, sites, a.site);
  return out;
}

Json error_json(const Finding& finding, const SiteTable& sites, const std::string& model) {
  const Style style;
  const StepTeller teller(finding, sites, style);
  const Error& e = finding.error;
  Json out;
  out["kind"] = name(e.kind);
  out["message"] = message_of(e, sites);
  put_place(out, user_site(sites, e.site));
  put_calls(out, sites, e.site);
  if (e.thread != kNoThread) out["thread"] = name_of(e.thread);
  if (const Site* other = user_site(sites, e.other_site)) {
    put_place(out["other"], other);
    put_calls(out["other"], sites, e.other_site);
    if (e.other_thread != kNoThread) out["other"]["thread"] = name_of(e.other_thread);
  }
  out["why"] = explain(finding, teller, model);
  if (const std::string fix = advice_sentence(finding.advice, sites); !fix.empty()) out["fix"] = fix;
  for (const OrderAdvice& advice : finding.advice.orders) {
    Json order;
    put_place(order, user_site(sites, advice.site));
    order["access"] = advice.what;
    order["variable"] = advice.variable;
    if (advice.fence) order["fence_before"] = true;
    if (!advice.fence) order["order"] = order_name(advice.order);
    out["fix_orders"].push_back(order);
  }
  out["threads"] = Json::array();
  for (const TraceThread& thread : finding.trace.threads)
    out["threads"].push_back({{"thread", name_of(thread.id)}, {"name", thread.name}});
  out["trace"] = Json::array();
  for (const TraceStep& step : finding.trace.steps) out["trace"].push_back(step_json(step, sites, teller));
  out["output"] = finding.trace.output;
  return out;
}

Json limit_json(const LimitHit& hit, const Result& result, const SiteTable& sites) {
  Json out;
  out["limit"] = name(hit.limit);
  out["message"] = shown_limit(hit, result, sites);
  if (hit.site != kNoSite) put_place(out, user_site(sites, hit.site));
  return out;
}

Json followed_json(const FollowedLoop& f, const SiteTable& sites) {
  Json out;
  put_place(out, user_site(sites, f.loop));
  put_place(out["change"], user_site(sites, f.change));
  return out;
}

Json suppressed_json(const SuppressedRace& race, const SiteTable& sites) {
  Json out;
  out["pattern"] = "race:" + race.by.pattern;
  out["suppressed_at"] = {{"file", race.by.file}, {"line", race.by.line}};
  out["variable"] = race.variable;
  out["count"] = race.count;
  put_place(out, user_site(sites, race.site));
  put_place(out["other"], user_site(sites, race.other_site));
  return out;
}

// Seconds with microseconds: more digits are noise.
double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr std::string_view names[] = {"verified", "error", "incomplete"};
  return names[static_cast<int>(verdict)];
}

namespace {

Json head(const RunInfo& run, std::string_view verdict, const Result& result) {
  Json out;
  out["version"] = run.version;
  out["files"] = run.files;
  out["model"] = run.model;
  out["algorithm"] = run.algorithm;
  out["verdict"] = verdict;
  out["executions"] = result.executions;
  out["blocked"] = result.blocked;
  out["duplicates"] = result.duplicates;
  out["errors"] = Json::array();
  return out;
}

void put_resources(Json& out, const RunInfo& run) {
  out["seconds"] = {{"total", rounded(run.total_seconds)},
                    {"compile", rounded(run.compile_seconds)},
                    {"explore", rounded(run.explore_seconds)}};
  out["peak_rss_kib"] = run.peak_rss_kib;
}

// File names, messages and the program's own output may hold any bytes.
std::string text_of(const Json& out) { return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string json_failure(const RunInfo& run, std::string_view verdict, const std::string& message) {
  Json out = head(run, verdict, {});
  put_resources(out, run);
  out["events"] = 0;
  out["suppressed"] = 0;
  out["suppressed_races"] = Json::array();
  out["limits"] = Json::array();
  out["followed"] = Json::array();
  out["warnings"] = Json::array();
  out["notes"] = Json::array();
  out["message"] = message;
  return text_of(out);
}

std::string json_report(const RunInfo& run, const Result& result, const SiteTable& sites) {
  Json out = head(run, name(result.verdict), result);
  for (const Finding& finding : result.findings) out["errors"].push_back(error_json(finding, sites, run.model));
  put_resources(out, run);
  out["events"] = result.events;
  out["suppressed"] = result.suppressed.size();
  out["suppressed_races"] = Json::array();
  for (const SuppressedRace& race : result.suppressed) out["suppressed_races"].push_back(suppressed_json(race, sites));
  out["limits"] = Json::array();
  for (const LimitHit& hit : result.limits) out["limits"].push_back(limit_json(hit, result, sites));
  out["followed"] = Json::array();
  for (const FollowedLoop& f : result.followed) out["followed"].push_back(followed_json(f, sites));
  out["warnings"] = run.warnings;
  out["notes"] = notes(result, sites);
  if (!run.replay.empty()) out["replay"] = run.replay;
  return text_of(out);
}

}  // namespace heddle
