#include "report/tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/assert.hpp"
#include "report/json.hpp"
#include "report/places.hpp"

namespace heddle {
namespace {

using TestJson = nlohmann::ordered_json;

// From the worst to the best.
constexpr const char* kVerdicts[] = {"error", "failed", "incomplete", "skipped", "verified"};

const char* colour_of(const std::string& verdict) {
  if (verdict == "verified") return "1;32";
  return verdict == "incomplete" || verdict == "skipped" ? "1;33" : "1;31";
}

std::string in_colour(const std::string& text, const std::string& verdict, const Style& style) {
  return style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", colour_of(verdict), text) : text;
}

auto count(std::span<const TestReport> tests, std::string_view verdict) {
  return std::ranges::count_if(tests, [&](const TestReport& t) { return t.verdict == verdict; });
}

double rounded_seconds(double seconds) { return std::round(seconds * 1e6) / 1e6; }

}  // namespace

void read_report(TestReport& report, const std::string* skip_reason) {
  const TestJson json = TestJson::parse(report.json);
  report.verdict = json["verdict"];
  report.executions = json["executions"];
  report.seconds = json["seconds"]["total"];
  if (json.contains("message")) report.message = json["message"];
  for (const TestJson& limit : json["limits"]) {
    report.interrupted = report.interrupted || limit["limit"] == name(Limit::interrupted);
    if (report.message.empty()) report.message = limit["message"];
  }
  if (!json["errors"].empty()) {
    const TestJson& error = json["errors"][0];
    report.kind = error["kind"];
    report.message = error["message"];
    if (const std::string file = error["file"]; !file.empty())
      report.place = fmt::format("{}:{}", file, error["line"].get<unsigned>());
  }
  if (skip_reason != nullptr && report.verdict == "verified") {
    report.verdict = "skipped";
    report.message = *skip_reason;
  }
  HEDDLE_ASSERT(std::ranges::find(kVerdicts, report.verdict) != std::end(kVerdicts));
}

std::string verdict_of(std::span<const TestReport> tests) {
  for (const char* verdict : kVerdicts) {
    if (count(tests, verdict) != 0 && std::string_view(verdict) != "skipped") return verdict;
  }
  return "verified";
}

std::string test_line(const TestReport& test, std::size_t name_width, const Style& style) {
  std::string line = fmt::format("{:<{}}  {}  {:>8} execution{}  {:>7.2f} s", test.name, name_width,
                                 in_colour(fmt::format("{:<10}", test.verdict), test.verdict, style), test.executions,
                                 test.executions == 1 ? " " : "s", test.seconds);
  if (test.verdict == "skipped" && !test.message.empty()) line += "  " + test.message;
  return line + "\n";
}

std::string tests_summary(const RunInfo& run, std::span<const TestReport> tests, const Style& style) {
  std::string counts;
  for (auto verdict = std::rbegin(kVerdicts); verdict != std::rend(kVerdicts); ++verdict) {
    const auto n = count(tests, *verdict);
    if (n == 0) continue;
    const std::string what = std::string_view(*verdict) == "error" ? (n == 1 ? "error" : "errors") : *verdict;
    counts += (counts.empty() ? "" : ", ") + in_colour(fmt::format("{} {}", n, what), *verdict, style);
  }
  return fmt::format("\n{} test{}: {} ({}, {}) in {:.2f} s (compile {:.2f} s)\n", tests.size(),
                     tests.size() == 1 ? "" : "s", counts, run.model, run.algorithm, run.total_seconds,
                     run.compile_seconds);
}

std::string tests_list_json(const RunInfo& run, std::span<const TestPlace> tests) {
  TestJson out;
  out["version"] = run.version;
  out["files"] = run.files;
  out["tests"] = TestJson::array();
  for (const TestPlace& test : tests)
    out["tests"].push_back({{"name", test.name}, {"file", shown_path(test.file)}, {"line", test.line}});
  return out.dump(2, ' ', false, TestJson::error_handler_t::replace) + "\n";
}

std::string tests_json(const RunInfo& run, std::span<const TestReport> tests) {
  TestJson out;
  out["version"] = run.version;
  out["files"] = run.files;
  out["model"] = run.model;
  out["algorithm"] = run.algorithm;
  out["verdict"] = verdict_of(tests);
  out["tests"] = TestJson::array();
  for (const TestReport& test : tests) {
    TestJson one;
    one["name"] = test.name;
    TestJson json = TestJson::parse(test.json);
    for (const char* known : {"version", "files", "model", "algorithm"}) json.erase(known);
    for (auto& [key, value] : json.items()) one[key] = std::move(value);
    one["verdict"] = test.verdict;
    if (test.verdict == "skipped") one["message"] = test.message;
    one["file"] = shown_path(test.file);
    one["line"] = test.line;
    out["tests"].push_back(std::move(one));
  }
  out["seconds"] = {{"total", rounded_seconds(run.total_seconds)}, {"compile", rounded_seconds(run.compile_seconds)}};
  out["peak_rss_kib"] = run.peak_rss_kib;
  return out.dump(2, ' ', false, TestJson::error_handler_t::replace) + "\n";
}

}  // namespace heddle
