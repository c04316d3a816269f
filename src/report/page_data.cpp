#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/advice.hpp"
#include "report/explain.hpp"
#include "report/json.hpp"
#include "report/places.hpp"
#include "report/relations.hpp"
#include "report/steps.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

using PageJson = nlohmann::ordered_json;

constexpr std::size_t kMostSteps = 2000;  // of a longer execution the page has the end
constexpr std::size_t kWholeFile = 400;   // lines: of a longer file the page has what is near
constexpr std::size_t kNear = 12;         // lines before and after

// The source files that the page shows, and the lines of them that matter.
class SourceFiles {
 public:
  // The number of the file, -1 if the place is unknown.
  int use(const Site* site) {
    if (site == nullptr || site->line == 0 || site->file.empty()) return -1;
    const auto [it, is_new] = numbers_.try_emplace(site->file, static_cast<int>(files_.size()));
    if (is_new) files_.push_back({site->file, {}});
    files_[it->second].used.insert(site->line);
    return it->second;
  }

  PageJson json() {
    PageJson out = PageJson::array();
    for (const File& file : files_)
      out.push_back({{"path", shown_path(file.path)}, {"parts", parts(file, sources_.lines(file.path))}});
    return out;
  }

 private:
  struct File {
    std::string path;
    std::set<std::size_t> used;
  };

  // Stretches of lines, from 1 on.
  static PageJson parts(const File& file, const std::vector<std::string>& lines) {
    PageJson out = PageJson::array();
    const bool whole = lines.size() <= kWholeFile;
    std::size_t last = 0;
    for (const std::size_t line : file.used) {
      if (line > lines.size()) continue;
      const std::size_t from = whole ? 1 : line > kNear ? line - kNear : 1;
      const std::size_t to = whole ? lines.size() : std::min(lines.size(), line + kNear);
      if (to <= last) continue;
      if (out.empty() || from > last + 1) out.push_back({{"from", from}, {"lines", PageJson::array()}});
      for (std::size_t i = std::max(from, last + 1); i <= to; ++i) out.back()["lines"].push_back(lines[i - 1]);
      last = to;
    }
    return out;
  }

  std::vector<File> files_;
  std::map<std::string, int> numbers_;
  Sources sources_;
};

const char* kind_of(const TraceStep& step) {
  switch (step.action.kind) {
    case ActionKind::load: return "read";
    case ActionKind::store: return "write";
    case ActionKind::rmw:
    case ActionKind::cas: return step.written ? "update" : "read";
    case ActionKind::exit: return "end";
    default: return "other";
  }
}

class FindingData {
 public:
  FindingData(const RunInfo& run, const Finding& finding, const SiteTable& sites, SourceFiles& files)
      : run_(run), finding_(finding), sites_(sites), files_(files), teller_(finding, sites, style_) {
    const std::size_t steps = finding.trace.steps.size();
    first_ = steps > kMostSteps ? steps - kMostSteps : 0;
    for (std::size_t i = 0; i < finding.trace.threads.size(); ++i) lanes_[finding.trace.threads[i].id] = i;
  }

  PageJson json() {
    const Error& e = finding_.error;
    PageJson out;
    out["kind"] = name(e.kind);
    out["title"] = title(e.kind);
    out["stuck"] = teller_.stuck();
    out["message"] = message_of(e, sites_);
    out["at"] = place(e.site, e.thread);
    if (e.other_site != kNoSite) out["other"] = place(e.other_site, e.other_thread);
    out["why"] = explain(finding_, teller_, run_.model);
    out["fix"] = advice_sentence(finding_.advice, sites_);
    out["threads"] = PageJson::array();
    for (const TraceThread& thread : finding_.trace.threads) {
      const std::string id = name_of(thread.id);
      out["threads"].push_back({{"name", id}, {"function", thread.name == id ? "" : thread.name}});
    }
    out["left_out"] = first_;
    out["steps"] = PageJson::array();
    for (std::size_t i = first_; i < finding_.trace.steps.size(); ++i) out["steps"].push_back(step(i));
    add_failure(out["steps"]);
    out["edges"] = edges();
    if (fails_) {
      const std::size_t last = last_of_failing_thread();
      if (last != kNone) out["edges"]["po"].push_back({last - first_, out["steps"].size() - 1});
    }
    out["locations"] = std::move(locations_);
    out["output"] = finding_.trace.output;
    return out;
  }

 private:
  PageJson place(SiteId id, ThreadId thread) {
    const Site* const site = user_site(sites_, id);
    PageJson out;
    out["text"] = site ? shown_place(site) : "";
    out["thread"] = thread == kNoThread ? "" : name_of(thread);
    put_place(out, id);
    return out;
  }

  void put_place(PageJson& out, SiteId id) {
    const Site* const site = user_site(sites_, id);
    out["file"] = files_.use(site);
    out["line"] = site ? site->line : 0;
    out["column"] = site ? site->column : 0;
    out["function"] = site ? site->function : "";
    if (const std::string calls = shown_calls(sites_, id, style_.to()); !calls.empty()) out["calls"] = calls;
  }

  PageJson step(std::size_t i) {
    const TraceStep& s = finding_.trace.steps[i];
    const StepParts parts = teller_.parts(s);
    PageJson out;
    out["thread"] = lanes_.at(s.thread);
    out["kind"] = kind_of(s);
    out["what"] = parts.what;
    out["on"] = parts.on;
    out["from"] = parts.from;
    put_place(out, s.action.site);
    if (is_access(s.action.kind)) {
      out["location"] = location(s);
      if (s.read) out["read"] = teller_.value(*s.read, s);
      if (s.written) out["written"] = teller_.value(*s.written, s);
      if (s.read) out["rf"] = s.rf < 0 ? -1 : s.rf < static_cast<int>(first_) ? -2 : s.rf - static_cast<int>(first_);
      if (has_coherence(run_.model) && s.co != 0) out["co"] = s.co;
      put_synchronisation(out, s);
    }
    if (const std::string waiting = teller_.waiting(s); !waiting.empty()) out["waiting"] = waiting;
    return out;
  }

  // Of a read of another thread's atomic write.
  void put_synchronisation(PageJson& out, const TraceStep& s) const {
    if (s.rf < 0 || s.blocked) return;
    const TraceStep& write = finding_.trace.steps[s.rf];
    if (write.thread == s.thread || !is_atomic(s.action.mode) || !is_atomic(write.action.mode)) return;
    out["synchronises"] = s.acquired && write.released;
  }

  // The number of the place that a step uses. The initial value is known once a step has read it.
  std::size_t location(const TraceStep& s) {
    const auto [it, is_new] = places_.try_emplace(s.action.addr, locations_.size());
    if (is_new) locations_.push_back({{"name", s.location}});
    if (s.read && s.rf < 0) locations_[it->second]["initial"] = teller_.value(*s.read, s);
    return it->second;
  }

  // What the failing thread does in the end is no step of the trace.
  void add_failure(PageJson& steps) {
    const Error& e = finding_.error;
    const auto lane = lanes_.find(e.thread);
    fails_ = !teller_.stuck() && lane != lanes_.end();
    if (!fails_) return;
    PageJson out;
    out["thread"] = lane->second;
    out["kind"] = "failure";
    out["what"] = fmt::format("{} {}", style_.cross(), name(e.kind));
    out["on"] = "";
    out["from"] = "";
    put_place(out, e.site);
    steps.push_back(std::move(out));
  }

  std::size_t last_of_failing_thread() const {
    for (std::size_t i = finding_.trace.steps.size(); i-- > first_;)
      if (finding_.trace.steps[i].thread == finding_.error.thread) return i;
    return kNone;
  }

  PageJson edges() const {
    const Relations all = relations_of(finding_.trace, has_coherence(run_.model));
    const auto shown = [&](const std::vector<Edge>& relation) {
      PageJson out = PageJson::array();
      for (const Edge& e : relation)
        if (e.from >= first_ && e.to >= first_) out.push_back({e.from - first_, e.to - first_});
      return out;
    };
    return {{"po", shown(all.po)},
            {"rf", shown(all.rf)},
            {"co", shown(all.co)},
            {"fr", shown(all.fr)},
            {"hb", shown(all.hb)}};
  }

  static constexpr std::size_t kNone = SIZE_MAX;

  const RunInfo& run_;
  const Finding& finding_;
  const SiteTable& sites_;
  SourceFiles& files_;
  const Style style_{.unicode = true};
  const StepTeller teller_;
  std::size_t first_ = 0;                  // step that is shown
  bool fails_ = false;                     // the last step is the failure
  std::map<ThreadId, std::size_t> lanes_;  // by thread
  std::map<Address, std::size_t> places_;  // numbers of locations_
  PageJson locations_ = PageJson::array();
};

PageJson run_json(const RunInfo& run, std::string_view verdict, const std::string& sentence) {
  PageJson out;
  out["version"] = run.version;
  out["files"] = PageJson::array();
  for (const std::string& file : run.files) out["files"].push_back(shown_path(file));
  out["model"] = run.model;
  out["algorithm"] = run.algorithm;
  out["command"] = run.replay.empty() ? run.command : run.replay;
  out["verdict"] = verdict;
  out["headline"] = sentence;
  return out;
}

// File names, messages and the program's own output may hold any bytes.
std::string page_text(const PageJson& out) { return out.dump(-1, ' ', false, PageJson::error_handler_t::replace); }

// The verdict as a sentence, without its first word and the model, which the page shows elsewhere.
std::string headline(const RunInfo& run, const Result& result) {
  std::string line = verdict_line(run, result, {});
  const std::string how = fmt::format(" ({}, {})", run.model, run.algorithm);
  if (line.ends_with(how)) line.erase(line.size() - how.size());
  const std::size_t colon = line.find(": ");
  return colon == line.npos ? line : line.substr(colon + 2);
}

}  // namespace

std::string page_data(const RunInfo& run, const Result& result, const SiteTable& sites) {
  SourceFiles files;
  PageJson out = run_json(run, name(result.verdict), headline(run, result));
  out["executions"] = result.executions;
  out["blocked"] = result.blocked;
  out["duplicates"] = result.duplicates;
  out["events"] = result.events;
  out["seconds"] = {{"total", run.total_seconds}, {"compile", run.compile_seconds}, {"explore", run.explore_seconds}};
  out["peak_rss_kib"] = run.peak_rss_kib;
  out["warnings"] = run.warnings;
  out["limits"] = PageJson::array();
  for (const LimitHit& hit : result.limits) out["limits"].push_back(shown_limit(hit, result, sites));
  out["suppressed"] = PageJson::array();
  for (const SuppressedRace& race : result.suppressed) out["suppressed"].push_back(suppressed_line(race, sites));
  out["findings"] = PageJson::array();
  for (const Finding& finding : result.findings)
    out["findings"].push_back(FindingData(run, finding, sites, files).json());
  out["sources"] = files.json();
  return page_text(out);
}

std::string page_failure_data(const RunInfo& run, std::string_view verdict, const std::string& message) {
  PageJson out = run_json(run, verdict, message);
  for (const char* list : {"warnings", "limits", "suppressed", "findings", "sources"}) out[list] = PageJson::array();
  return page_text(out);
}

}  // namespace heddle
