// One step of a trace as one short text, and which steps of a long trace are worth showing.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/thread_name.hpp"
#include "report/values.hpp"

namespace heddle {

// How a report may look where it is printed.
struct Style {
  bool colour = false;
  bool unicode = false;
  unsigned width = 110;
  bool all_steps = false;  // show long traces in full

  const char* from() const { return unicode ? "←" : "<-"; }
  const char* to() const { return unicode ? "→" : "->"; }
  const char* cross() const { return unicode ? "✗" : "!!"; }
  const char* dots() const { return unicode ? "…" : "..."; }
};

// "main", "T1 producer", …
std::string long_name(const TraceThread& thread);

// A step in parts: what is done, to what and with which values, and whose value was read. "read(acq)", "flag = 1",
// "<- T1 line 15".
struct StepParts {
  std::string what;
  std::string on;
  std::string from;
};

// Tells each step of one finding.
class StepTeller {
 public:
  StepTeller(const Finding& finding, const SiteTable& sites, const Style& style);

  // "12  write(rel) flag = 1"
  std::string tell(const TraceStep& step) const;
  // The same without the line.
  std::string action(const TraceStep& step) const;
  StepParts parts(const TraceStep& step) const;
  // Of a thread that goes no further than this step: "waits for ever", "waits", …; else empty.
  std::string waiting(const TraceStep& step) const;
  // Whether the error is that threads wait for ever.
  bool stuck() const;
  // Where the step is: "12", or "queue.h:12" in another file than most of the trace begins in.
  std::string line(SiteId id) const;
  // The call that leads to another file: " 41  push". Empty if the place is in the file of the user's that it began in.
  std::string call(SiteId id) const;
  // "line 12", or "queue.h:12"; empty if it is not known.
  std::string place(SiteId id) const;
  // "T1 line 12"
  std::string who(ThreadId thread, SiteId site) const;
  // What the failing thread does at the end: "21  ✗ assertion failed".
  std::string failure() const;
  // A value of what the step accesses.
  std::string value(Value v, const TraceStep& step) const { return values_.show(v, step.action.size, step.type); }

 private:
  std::string line(const Site& site) const;
  // The line, and what is there.
  std::string at(SiteId id, const std::string& what) const;
  StepParts access(const TraceStep& step) const;
  StepParts object(const TraceStep& step) const;
  std::string source(const TraceStep& step) const;

  const Finding& finding_;
  const SiteTable& sites_;
  const Style& style_;
  Values values_;
  std::string main_file_;  // in which most begins, or the error does
};

struct ShownStep {
  std::size_t step;
  std::size_t left_out;  // steps before this one that are not shown
};

// The steps to show, in order: of a long trace those that the failure depends on.
std::vector<ShownStep> interesting_steps(const Finding& finding, const SiteTable& sites, const Style& style);

}  // namespace heddle
