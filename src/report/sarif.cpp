#include "report/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/assert.hpp"
#include "report/advice.hpp"
#include "report/explain.hpp"
#include "report/json.hpp"
#include "report/places.hpp"
#include "report/steps.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

using SarifJson = nlohmann::ordered_json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* kRoot = "%SRCROOT%";  // the folder that heddle was started in
constexpr std::size_t kMostFlow = 2000;     // steps of a flow: of a longer execution its end

struct Rule {
  ErrorKind kind;
  const char* meaning;
};
constexpr Rule kRules[] = {
    {ErrorKind::assertion, "An assertion fails in some execution."},
    {ErrorKind::race, "Two accesses, one of them a write, that nothing orders: undefined behaviour."},
    {ErrorKind::memory, "Memory is used that is not there, no longer there or not initialised, or freed wrongly."},
    {ErrorKind::deadlock, "Threads wait for each other, or for something that never comes."},
    {ErrorKind::livelock, "A thread goes round a loop for ever, waiting for a value that no thread writes."},
    {ErrorKind::mutex, "A mutex, condition variable, semaphore or the like is used as it must not be."},
    {ErrorKind::exception, "A C++ exception is not caught."},
    {ErrorKind::crash, "The program receives a signal that ends it."},
    {ErrorKind::exit, "The program ends with a status other than 0."},
    {ErrorKind::annotation, "What the program tells heddle is not true."},
    {ErrorKind::thread, "A thread is joined or detached as it must not be."},
    {ErrorKind::symmetry, "Threads that were to be exchanged cannot be."},
};
static_assert(std::size(kRules) == static_cast<std::size_t>(ErrorKind::symmetry) + 1);

// A path as (part of) a URI: RFC 3986.
std::string uri_path(const std::string& path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string out;
  for (const char c : path) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kPlain.find(c) != kPlain.npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string uri_of_folder() {
  std::error_code ignored;
  const std::string here = std::filesystem::current_path(ignored).string();
  return "file://" + uri_path(here.ends_with('/') ? here : here + "/");
}

SarifJson message(const std::string& text) { return {{"text", text}}; }

// Places, with the list of the files that they are in.
class SarifPlaces {
 public:
  SarifJson artifact(const std::string& file) {
    std::error_code ignored;
    const std::string shown = shown_path(std::filesystem::absolute(file, ignored).lexically_normal().string());
    const auto [it, is_new] = numbers_.try_emplace(shown, artifacts_.size());
    SarifJson out;
    if (std::filesystem::path(shown).is_absolute()) {
      out["uri"] = "file://" + uri_path(shown);
    } else {
      out["uri"] = uri_path(shown);
      out["uriBaseId"] = kRoot;
    }
    if (is_new) artifacts_.push_back({{"location", out}});
    out["index"] = it->second;
    HEDDLE_ASSERT(artifacts_.size() == numbers_.size());
    return out;
  }

  // Only what is known.
  SarifJson location(const Site* site) {
    SarifJson out = SarifJson::object();
    if (site == nullptr || site->line == 0 || site->file.empty()) return out;
    out["physicalLocation"] = {{"artifactLocation", artifact(site->file)}, {"region", region(*site)}};
    if (!site->function.empty()) out["logicalLocations"].push_back({{"name", site->function}, {"kind", "function"}});
    return out;
  }

  // The calls that led to a place, the innermost first; empty if there are none.
  SarifJson stack(const SiteTable& sites, SiteId id) {
    const std::vector<const Site*> all = frames(sites, id);
    if (all.size() < 2) return {};
    SarifJson out;
    for (std::size_t i = all.size(); i-- > 0;) out["frames"].push_back({{"location", location(all[i])}});
    return out;
  }

  const SarifJson& artifacts() const { return artifacts_; }

 private:
  // clang counts bytes, SARIF characters.
  SarifJson region(const Site& site) {
    SarifJson out = {{"startLine", site.line}};
    const std::string line = sources_.line(site.file, site.line);
    if (site.column > 0 && site.column <= line.size() + 1)
      out["startColumn"] =
          1 + std::count_if(line.begin(), line.begin() + site.column - 1, [](char c) { return (c & 0xc0) != 0x80; });
    if (!line.empty()) out["snippet"] = message(line);
    return out;
  }

  std::map<std::string, std::size_t> numbers_;
  SarifJson artifacts_ = SarifJson::array();
  Sources sources_;
};

class SarifResult {
 public:
  SarifResult(const RunInfo& run, const Finding& finding, const SiteTable& sites, SarifPlaces& places)
      : run_(run), finding_(finding), sites_(sites), places_(places), teller_(finding, sites, style_) {}

  SarifJson json() {
    const Error& e = finding_.error;
    SarifJson out;
    out["ruleId"] = name(e.kind);
    out["ruleIndex"] = static_cast<int>(e.kind);
    HEDDLE_ASSERT(kRules[static_cast<int>(e.kind)].kind == e.kind);
    out["level"] = "error";
    out["message"] = message(said());
    out["locations"] = SarifJson::array();
    if (SarifJson at = places_.location(user_site(sites_, e.site)); !at.empty()) out["locations"].push_back(at);
    if (SarifJson other = places_.location(user_site(sites_, e.other_site)); !other.empty()) {
      const char* const what = e.kind == ErrorKind::race ? "the other access" : "the other place";
      other["id"] = 1;
      other["message"] =
          message(e.other_thread == kNoThread ? what : fmt::format("{}, by {}", what, name_of(e.other_thread)));
      out["relatedLocations"].push_back(std::move(other));
    }
    if (SarifJson stack = places_.stack(sites_, e.site); !stack.empty()) out["stacks"].push_back(std::move(stack));
    if (SarifJson flows = thread_flows(); !flows.empty()) {
      out["codeFlows"].push_back({{"message", message("one execution that fails")}, {"threadFlows", std::move(flows)}});
    }
    if (!finding_.trace.output.empty()) out["properties"]["output"] = finding_.trace.output;
    return out;
  }

 private:
  // A sentence for each thing that is known.
  std::string said() const {
    std::string text = message_of(finding_.error, sites_) + ".";
    for (const std::string& why : explain(finding_, teller_, run_.model)) text += fmt::format("\nWhy: {}.", why);
    if (const std::string fix = advice_sentence(finding_.advice, sites_); !fix.empty())
      text += fmt::format("\nFix: {}.", fix);
    return text;
  }

  SarifJson thread_flows() {
    const std::vector<TraceStep>& steps = finding_.trace.steps;
    const std::size_t first = steps.size() > kMostFlow ? steps.size() - kMostFlow : 0;
    SarifJson flows = SarifJson::array();
    for (const TraceThread& thread : finding_.trace.threads) {
      SarifJson locations = SarifJson::array();
      for (std::size_t i = first; i < steps.size(); ++i)
        if (steps[i].thread == thread.id) locations.push_back(step(steps[i], i - first + 1));
      if (finding_.error.thread == thread.id) locations.push_back(failure(steps.size() - first + 1));
      if (locations.empty()) continue;
      flows.push_back({{"id", name_of(thread.id)}, {"message", message(long_name(thread))}, {"locations", locations}});
    }
    return flows;
  }

  SarifJson step(const TraceStep& s, std::size_t order) {
    SarifJson out;
    out["location"] = places_.location(user_site(sites_, s.action.site));
    out["location"]["message"] =
        message(s.blocked ? fmt::format("{}; {}", teller_.action(s), teller_.waiting(s)) : teller_.action(s));
    if (SarifJson stack = places_.stack(sites_, s.action.site); !stack.empty()) out["stack"] = std::move(stack);
    out["executionOrder"] = order;
    out["importance"] = s.action.kind == ActionKind::exit ? "unimportant" : "important";
    if (is_access(s.action.kind) && !s.location.empty())
      if (const std::optional<Value> value = s.written ? s.written : s.read)
        out["state"][s.location] = message(teller_.value(*value, s));
    return out;
  }

  SarifJson failure(std::size_t order) {
    SarifJson out;
    out["location"] = places_.location(user_site(sites_, finding_.error.site));
    out["location"]["message"] = message(message_of(finding_.error, sites_));
    out["executionOrder"] = order;
    out["importance"] = "essential";
    return out;
  }

  const RunInfo& run_;
  const Finding& finding_;
  const SiteTable& sites_;
  SarifPlaces& places_;
  const Style style_{.unicode = true};
  const StepTeller teller_;
};

SarifJson rules() {
  SarifJson out = SarifJson::array();
  for (const Rule& rule : kRules)
    out.push_back({{"id", name(rule.kind)},
                   {"shortDescription", message(std::string(title(rule.kind)))},
                   {"fullDescription", message(rule.meaning)},
                   {"defaultConfiguration", {{"level", "error"}}}});
  return out;
}

// What went wrong with the run itself. `id` is the name of a limit, or "failed".
SarifJson notification(std::string_view id, const char* level, const std::string& text) {
  return {{"descriptor", {{"id", id}}}, {"level", level}, {"message", message(text)}};
}

int exit_code(std::string_view verdict) {
  return verdict == "verified" ? 0 : verdict == "error" ? 1 : verdict == "incomplete" ? 3 : 2;
}

SarifJson invocation(const RunInfo& run, std::string_view verdict, SarifJson notifications) {
  SarifJson out;
  if (!run.command.empty()) out["commandLine"] = run.command;
  out["executionSuccessful"] = verdict == "verified" || verdict == "error";
  out["exitCode"] = exit_code(verdict);
  out["exitCodeDescription"] = verdict;
  out["workingDirectory"] = {{"uri", uri_of_folder()}};
  if (!notifications.empty()) out["toolExecutionNotifications"] = std::move(notifications);
  return out;
}

// File names, messages and the program's own output may hold any bytes.
std::string sarif_text(const RunInfo& run, std::string_view verdict, const Result& result, SarifJson notifications,
                       SarifJson results, SarifPlaces& places) {
  for (const std::string& file : run.files) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) places.artifact(file);
  }
  SarifJson out;
  out["tool"]["driver"] = {{"name", "heddle"}, {"version", run.version}, {"rules", rules()}};
  out["invocations"].push_back(invocation(run, verdict, std::move(notifications)));
  out["columnKind"] = "unicodeCodePoints";
  out["originalUriBaseIds"][kRoot] = {{"uri", uri_of_folder()}};
  out["artifacts"] = places.artifacts();
  out["results"] = std::move(results);
  out["properties"] = {{"verdict", verdict},
                       {"model", run.model},
                       {"algorithm", run.algorithm},
                       {"executions", result.executions},
                       {"blocked", result.blocked},
                       {"duplicates", result.duplicates},
                       {"suppressedRaces", result.suppressed.size()}};
  SarifJson log = {{"$schema", kSchema}, {"version", "2.1.0"}};
  log["runs"].push_back(std::move(out));
  return log.dump(2, ' ', false, SarifJson::error_handler_t::replace) + "\n";
}

}  // namespace

std::string sarif_report(const RunInfo& run, const Result& result, const SiteTable& sites) {
  SarifPlaces places;
  SarifJson notifications = SarifJson::array();
  for (const std::string& warning : run.warnings)
    notifications.push_back(notification("assertions", "warning", warning));
  for (const LimitHit& hit : result.limits)
    notifications.push_back(notification(name(hit.limit), "error", shown_limit(hit, result, sites)));
  SarifJson results = SarifJson::array();
  for (const Finding& finding : result.findings) results.push_back(SarifResult(run, finding, sites, places).json());
  return sarif_text(run, name(result.verdict), result, std::move(notifications), std::move(results), places);
}

std::string sarif_failure(const RunInfo& run, std::string_view verdict, const std::string& message) {
  SarifPlaces places;
  SarifJson notifications = SarifJson::array();
  notifications.push_back(notification(verdict, "error", message.empty() ? "the program does not compile" : message));
  return sarif_text(run, verdict, {}, std::move(notifications), SarifJson::array(), places);
}

}  // namespace heddle
