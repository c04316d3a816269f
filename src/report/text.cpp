#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/assert.hpp"
#include "report/advice.hpp"
#include "report/columns.hpp"
#include "report/explain.hpp"
#include "report/json.hpp"
#include "report/places.hpp"
#include "report/short_number.hpp"
#include "report/unusual.hpp"

namespace heddle {
namespace {

std::string counted(uint64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string rate(uint64_t n, double seconds) { return short_number(static_cast<double>(n) / std::max(seconds, 1e-9)); }

std::string coloured(const std::string& text, const char* code, const Style& style) {
  return style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string counts(const RunInfo& run, const Result& result) {
  std::string out = "  " + counted(result.executions, "execution");
  if (result.blocked) out += fmt::format(", {} blocked", result.blocked);
  if (result.duplicates) out += fmt::format(", {} duplicate", result.duplicates);
  out += fmt::format(" in {:.2f} s (compile {:.2f} s, explore {:.2f} s)\n", run.total_seconds, run.compile_seconds,
                     run.explore_seconds);
  // Of a handful of executions a speed would say nothing.
  if (run.explore_seconds < 0.005) return out;
  out += fmt::format("  {} executions/s, {} events/s, {} MiB\n",
                     rate(result.executions + result.blocked, run.explore_seconds),
                     rate(result.events, run.explore_seconds), run.peak_rss_kib / 1024);
  return out;
}

// "   12 |   data = 42;" and a caret under the column.
std::string line_with_caret(Sources& sources, const Site* site, const Style& style) {
  if (!site) return "";
  std::string text = sources.line(site->file, site->line);
  if (text.empty()) return "";
  std::string out = fmt::format("{:>5} | {}\n", site->line, text);
  if (site->column == 0) return out;
  std::string pad = text.substr(0, site->column - 1);
  for (char& c : pad)
    if (c != '\t') c = ' ';
  return out + fmt::format("{:>5} | {}{}\n", "", pad, coloured("^", "1;32", style));
}

// With the calls that lead there from another file.
std::string snippet(Sources& sources, const SiteTable& sites, SiteId id, const Style& style) {
  const std::string calls = shown_calls(sites, id, style.to());
  return line_with_caret(sources, user_site(sites, id), style) +
         (calls.empty() ? "" : fmt::format("{:>5} = {}\n", "", calls));
}

std::vector<Row> trace_rows(const Finding& finding, const SiteTable& sites, const StepTeller& teller,
                            const Style& style) {
  const Trace& trace = finding.trace;
  const auto column = [&](ThreadId id) {
    const auto it = std::find_if(trace.threads.begin(), trace.threads.end(), [&](auto& t) { return t.id == id; });
    return static_cast<std::size_t>(it - trace.threads.begin());
  };
  std::vector<Row> rows;
  std::map<std::size_t, std::string> calls;  // in which the steps of a column are
  const auto enter = [&](std::size_t column, SiteId site) {
    const std::string call = teller.call(site);
    if (std::exchange(calls[column], call) != call && !call.empty()) rows.push_back({.column = column, .text = call});
  };
  for (const auto [i, left_out] : interesting_steps(finding, sites, style)) {
    const TraceStep& step = trace.steps[i];
    HEDDLE_ASSERT(column(step.thread) < trace.threads.size());
    if (left_out) rows.push_back({.left_out = left_out});
    enter(column(step.thread), step.action.site);
    rows.push_back({.column = column(step.thread), .text = teller.tell(step), .bad = step.blocked});
  }
  const bool told = finding.error.kind == ErrorKind::deadlock || finding.error.kind == ErrorKind::livelock;
  if (!told && column(finding.error.thread) < trace.threads.size()) {
    enter(column(finding.error.thread), finding.error.site);
    rows.push_back({.column = column(finding.error.thread), .text = teller.failure(), .bad = true});
  }
  return rows;
}

std::string indented(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += "  | " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

// A sentence, in several lines if it is long.
std::string labelled(const std::string& label, const std::string& sentence, const Style& style) {
  std::string out;
  for (const std::string& line : wrapped(label + sentence, style.width, label.size())) out += line + "\n";
  return out;
}

// Without saying "deadlock: deadlock: …".
std::string kind_and_message(const Error& e, const SiteTable& sites, const Style& style) {
  const std::string kind(name(e.kind));
  const std::string message = message_of(e, sites);
  const std::string shown = coloured(kind, "1;31", style);
  return message.starts_with(kind + ":") ? shown + message.substr(kind.size()) : shown + ": " + message;
}

std::string finding_text(const RunInfo& run, const Finding& finding, const SiteTable& sites, const Style& style) {
  Sources sources;
  const Error& e = finding.error;
  const Site* site = user_site(sites, e.site);
  std::string out = "\n";
  if (site) out += shown_place(site) + ": ";
  out += kind_and_message(e, sites, style) + "\n";
  out += snippet(sources, sites, e.site, style);
  if (const Site* other = user_site(sites, e.other_site)) {
    const std::string by = e.other_thread == kNoThread ? "" : ", by " + name_of(e.other_thread);
    const char* what = e.kind == ErrorKind::race ? "the other access" : "the other place";
    out += fmt::format("{}: {}{}\n", shown_place(other), what, by);
    out += snippet(sources, sites, e.other_site, style);
  }

  const StepTeller teller(finding, sites, style);
  for (const std::string& sentence : explain(finding, teller, run.model)) out += labelled("  why: ", sentence, style);
  if (const std::string fix = advice_sentence(finding.advice, sites); !fix.empty())
    out += labelled("  fix: ", fix, style);

  if (!finding.trace.threads.empty()) {
    std::vector<std::string> headers;
    for (const TraceThread& thread : finding.trace.threads) headers.push_back(long_name(thread));
    const std::vector<Row> rows = trace_rows(finding, sites, teller, style);
    out += "\nThe execution, line numbers first:\n";
    out += lay_out(headers, style.all_steps ? rows : without_repetitions(rows), style);
  }
  if (!finding.trace.output.empty()) out += "\nThe program printed:\n" + indented(finding.trace.output);
  return out;
}

}  // namespace

std::string_view title(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::assertion: return "assertion failed";
    case ErrorKind::race: return "data race";
    case ErrorKind::memory: return "memory error";
    case ErrorKind::deadlock: return "deadlock";
    case ErrorKind::livelock: return "livelock";
    case ErrorKind::mutex: return "misuse of a mutex or the like";
    case ErrorKind::exception: return "uncaught exception";
    case ErrorKind::crash: return "crash";
    case ErrorKind::exit: return "exit with a status other than 0";
    case ErrorKind::annotation: return "wrong annotation";
    case ErrorKind::thread: return "misuse of a thread";
    case ErrorKind::symmetry: return "symmetry reduction is not applicable";
  }
  return "error";
}

std::string verdict_line(const RunInfo& run, const Result& result, const Style& style) {
  const std::string how = fmt::format(" ({}, {})", run.model, run.algorithm);
  if (result.verdict == Verdict::verified) {
    const std::string all =
        result.executions == 1 ? "the only execution" : fmt::format("any of {} executions", result.executions);
    const std::string but = result.suppressed.empty()
                                ? ""
                                : fmt::format(", but for {}", counted(result.suppressed.size(), "suppressed race"));
    return coloured("verified", "1;32", style) + ": no error in " + all + but + how;
  }
  if (result.verdict == Verdict::incomplete && result.executions == 0 &&
      std::ranges::all_of(result.limits, is_assumption))
    return fmt::format("{}: no error found, but no execution is complete{}", coloured("incomplete", "1;33", style),
                       how);
  if (result.verdict == Verdict::incomplete)
    return fmt::format("{}: no error found in {}, but not everything was explored{}",
                       coloured("incomplete", "1;33", style), counted(result.executions, "execution"), how);
  if (result.findings.size() == 1)
    return fmt::format("{}: {}{}", coloured("error", "1;31", style), title(result.findings[0].error.kind), how);
  return fmt::format("{}: {}{}", coloured("error", "1;31", style), counted(result.findings.size(), "error"), how);
}

std::string suppressed_line(const SuppressedRace& race, const SiteTable& sites) {
  const auto place = [&](SiteId site) {
    const Site* const s = user_site(sites, site);
    return s == nullptr ? std::string("unknown place") : shown_place(s);
  };
  return fmt::format("data race on {}, {} and {}, met {} ({}:{}: race:{})", race.variable, place(race.site),
                     place(race.other_site), counted(race.count, "time"), race.by.file, race.by.line, race.by.pattern);
}

std::string text_report(const RunInfo& run, const Result& result, const SiteTable& sites, const Style& style) {
  std::string out;
  for (const std::string& warning : run.warnings)
    out += fmt::format("{}: {}\n", coloured("warning", "1;35", style), warning);
  out += verdict_line(run, result, style) + "\n";
  for (const LimitHit& hit : result.limits) out += "  limit: " + shown_limit(hit, result, sites) + "\n";
  if (result.verdict == Verdict::incomplete) {
    for (const FollowedLoop& f : result.followed) out += "  followed: " + shown_followed(f, sites) + "\n";
  }
  out += counts(run, result);
  for (const SuppressedRace& race : result.suppressed)
    out += fmt::format("  suppressed: {}\n", suppressed_line(race, sites));
  for (const std::string& note : notes(result, sites)) out += "  note: " + note + "\n";
  for (const Finding& finding : result.findings) out += finding_text(run, finding, sites, style);
  if (!result.findings.empty() && !run.command.empty())
    out += "\nTo run it again: " + (run.replay.empty() ? run.command : run.replay) + "\n";
  return out;
}

}  // namespace heddle
