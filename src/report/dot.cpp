#include "report/dot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/assert.hpp"
#include "report/junit.hpp"
#include "report/places.hpp"
#include "report/relations.hpp"
#include "report/steps.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

// A string of Graphviz. Bytes that are no characters would stop it, and so would a backslash that it knows.
std::string dot_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : replaced_characters(text)) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c != '\r') {
      out += c;
    }
  }
  return out + "\"";
}

class DotFinding {
 public:
  DotFinding(const RunInfo& run, const Finding& finding, const SiteTable& sites, std::size_t number)
      : finding_(finding),
        teller_(finding, sites, style_),
        relations_(relations_of(finding.trace, has_coherence(run.model))),
        prefix_(fmt::format("e{}_", number)) {}

  std::string text() const {
    std::string out;
    for (const TraceThread& thread : finding_.trace.threads) out += cluster(thread);
    if (reads_initial_values()) out += fmt::format("  {}init [label=\"initial values\", shape=plaintext];\n", prefix_);
    for (const Edge& e : relations_.po) out += edge(e, "po", "color=gray60, fontcolor=gray60, weight=10");
    if (const int last = last_of(finding_.error.thread); fails() && last >= 0)
      out += fmt::format("  {} -> {}failure [color=gray60, weight=10];\n", node(last), prefix_);
    for (const Edge& e : relations_.rf)
      out += edge(e, "rf", "color=forestgreen, fontcolor=forestgreen, constraint=false");
    for (std::size_t i = 0; i < steps().size(); ++i)
      if (reads_initial_value(steps()[i]))
        out += fmt::format(
            "  {}init -> {} [label=\"rf\", color=forestgreen, fontcolor=forestgreen, style=dashed, "
            "constraint=false];\n",
            prefix_, node(i));
    for (const Edge& e : relations_.co) out += edge(e, "co", "color=chocolate, fontcolor=chocolate, constraint=false");
    return out;
  }

 private:
  const std::vector<TraceStep>& steps() const { return finding_.trace.steps; }
  std::string node(std::size_t i) const { return fmt::format("{}{}", prefix_, i); }
  std::string edge(const Edge& e, const char* label, const char* attributes) const {
    HEDDLE_ASSERT(e.from < steps().size() && e.to < steps().size());
    return fmt::format("  {} -> {} [label=\"{}\", {}];\n", node(e.from), node(e.to), label, attributes);
  }

  static bool reads_initial_value(const TraceStep& s) { return is_read(s.action.kind) && s.read && s.rf < 0; }
  bool reads_initial_values() const { return std::ranges::any_of(steps(), reads_initial_value); }

  // Whether the failing thread does something in the end that is no step.
  bool fails() const { return !teller_.stuck(); }
  int last_of(ThreadId thread) const {
    for (std::size_t i = steps().size(); i-- > 0;)
      if (steps()[i].thread == thread) return static_cast<int>(i);
    return -1;
  }

  std::string cluster(const TraceThread& thread) const {
    std::string out = fmt::format("  subgraph cluster_{}t{} {{\n    label={};\n    color=gray80;\n", prefix_,
                                  index(thread.id), dot_quoted(long_name(thread)));
    bool any = false;
    for (std::size_t i = 0; i < steps().size(); ++i) {
      if (steps()[i].thread != thread.id) continue;
      any = true;
      out += fmt::format("    {} [label={}{}];\n", node(i), dot_quoted(label(steps()[i])),
                         steps()[i].blocked && teller_.stuck() ? ", color=red3, fontcolor=red3" : "");
    }
    if (fails() && finding_.error.thread == thread.id) {
      any = true;
      out += fmt::format("    {}failure [label={}, color=red3, fontcolor=red3];\n", prefix_,
                         dot_quoted(trimmed(teller_.failure())));
    }
    // A cluster without a node is not drawn.
    if (!any) out += fmt::format("    {}t{} [label=\"\", shape=point];\n", prefix_, index(thread.id));
    return out + "  }\n";
  }

  std::string label(const TraceStep& step) const {
    const StepParts parts = teller_.parts(step);
    const std::string line = teller_.line(step.action.site);
    std::string out = line.empty() ? "" : line + "  ";
    out += parts.what;
    if (!parts.on.empty()) out += " " + parts.on;
    const std::string waiting = teller_.waiting(step);
    return waiting.empty() ? out : out + "\n" + waiting;
  }
  static std::string trimmed(const std::string& text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
  }

  const Finding& finding_;
  const Style style_{.unicode = true};
  const StepTeller teller_;
  const Relations relations_;
  const std::string prefix_;  // of the names of its nodes
};

std::string dot_graph(const std::string& label, const std::string& body) {
  return fmt::format(
      "digraph heddle {{\n  charset=\"UTF-8\";\n  label={};\n  labelloc=t;\n  labeljust=l;\n  "
      "fontname=\"sans-serif\";\n"
      "  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11, color=gray50];\n"
      "  edge [fontname=\"sans-serif\", fontsize=10];\n{}}}\n",
      dot_quoted(label), body);
}

}  // namespace

std::string dot_report(const RunInfo& run, const Result& result, const SiteTable& sites) {
  const std::string verdict = verdict_line(run, result, {});
  if (result.findings.empty()) return dot_graph(verdict, "");
  std::string body;
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const Error& error = result.findings[i].error;
    body += fmt::format(
        "  subgraph cluster_e{} {{\n  label={};\n", i,
        dot_quoted(fmt::format("{}: {}", shown_place(user_site(sites, error.site)), message_of(error, sites))));
    body += DotFinding(run, result.findings[i], sites, i).text() + "  }\n";
  }
  return dot_graph(verdict, body);
}

std::string dot_failure(const RunInfo& run, std::string_view verdict, const std::string& message) {
  return dot_graph(fmt::format("{}: {} ({}, {})", verdict, message, run.model, run.algorithm), "");
}

}  // namespace heddle
