// Hand-made results for the report tests.
#pragma once

#include <string>
#include <utility>

#include "core/result.hpp"
#include "report/run.hpp"

namespace heddle::samples {

inline constexpr Address kFlag = 0x200000000010;

inline RunInfo run() {
  RunInfo r;
  r.version = "1.2.3";
  r.files = {"mp.c"};
  r.model = "rc11";
  r.algorithm = "spore";
  r.command = "heddle check mp.c";
  r.compile_seconds = 0.04;
  r.explore_seconds = 0.01;
  r.total_seconds = 0.06;
  r.peak_rss_kib = 50 * 1024;
  return r;
}

inline SiteId at(SiteTable& sites, unsigned line, unsigned column = 3, std::string file = "mp.c") {
  return sites.add({.file = std::move(file), .line = line, .column = column, .function = "f"});
}

inline TraceStep thread_step(ThreadId by, ActionKind kind, ThreadId child, SiteId site) {
  TraceStep s;
  s.thread = by;
  s.action.kind = kind;
  s.action.child = child;
  s.action.site = site;
  return s;
}

inline TraceStep write(ThreadId by, const std::string& location, Address addr, uint64_t value, Mode mode, SiteId site) {
  TraceStep s;
  s.thread = by;
  s.action = {.kind = ActionKind::store, .mode = mode, .size = 4, .site = site, .addr = addr, .operand = {value, 0}};
  s.location = location;
  s.written = Value{value, 0};
  s.released = is_release(mode);
  return s;
}

inline TraceStep read(ThreadId by, const std::string& location, Address addr, uint64_t value, Mode mode, SiteId site,
                      int rf = -1) {
  TraceStep s;
  s.thread = by;
  s.action = {.kind = ActionKind::load, .mode = mode, .size = 4, .site = site, .addr = addr};
  s.location = location;
  s.read = Value{value, 0};
  s.rf = rf;
  s.acquired = is_acquire(mode);
  return s;
}

// Locking reads `from`; -1 is the initial, unlocked state.
inline TraceStep lock(ThreadId by, const std::string& location, Address addr, SiteId site, int from, bool blocked) {
  TraceStep s;
  s.thread = by;
  s.action = {.kind = ActionKind::cas,
              .mode = Mode::acq,
              .await = Await::equal,
              .purpose = Purpose::mutex_lock,
              .size = 4,
              .site = site,
              .addr = addr};
  s.location = location;
  s.read = Value{blocked ? 1u : 0u, 0};
  if (!blocked) s.written = Value{1, 0};
  s.rf = from;
  s.blocked = blocked;
  return s;
}

inline std::vector<TraceThread> three_threads() {
  return {{kMain, kNoThread, "main"}, {ThreadId(1), kMain, "producer"}, {ThreadId(2), kMain, "consumer"}};
}

// Message passing over a relaxed flag: the consumer reads `data` while nothing orders the producer's write before it.
inline Result race(SiteTable& sites) {
  Finding f;
  f.trace.threads = three_threads();
  f.trace.steps = {
      thread_step(kMain, ActionKind::create, ThreadId(1), at(sites, 22)),
      thread_step(kMain, ActionKind::create, ThreadId(2), at(sites, 23)),
      write(ThreadId(1), "flag", kFlag, 1, Mode::rlx, at(sites, 9)),
      read(ThreadId(2), "flag", kFlag, 1, Mode::acq, at(sites, 14), 2),
  };
  f.trace.steps[2].position = 1;  // after the write of data, which is no event
  f.error = {.kind = ErrorKind::race,
             .message = "data race on data",
             .thread = ThreadId(2),
             .site = at(sites, 15),
             .other_thread = ThreadId(1),
             .other_site = at(sites, 8)};
  f.trace.output = "hello\nworld\n";
  Result r;
  r.verdict = Verdict::error;
  r.executions = 3;
  r.events = 40;
  r.findings.push_back(std::move(f));
  return r;
}

// T1 holds a and waits for b, T2 holds b and waits for a, main waits for T1.
inline Result deadlock(SiteTable& sites) {
  Finding f;
  f.trace.threads = {{kMain, kNoThread, "main"}, {ThreadId(1), kMain, "left"}, {ThreadId(2), kMain, "right"}};
  f.trace.steps = {
      lock(ThreadId(1), "a", 0x10, at(sites, 7), -1, false),
      lock(ThreadId(2), "b", 0x20, at(sites, 15), -1, false),
      lock(ThreadId(1), "b", 0x20, at(sites, 8), 1, true),
      lock(ThreadId(2), "a", 0x10, at(sites, 16), 0, true),
      thread_step(kMain, ActionKind::join, ThreadId(1), at(sites, 25)),
  };
  f.trace.steps.back().blocked = true;
  f.error = {.kind = ErrorKind::deadlock,
             .message = "deadlock: 3 threads wait for ever",
             .thread = ThreadId(1),
             .site = f.trace.steps[2].action.site};
  Result r;
  r.verdict = Verdict::error;
  r.findings.push_back(std::move(f));
  return r;
}

}  // namespace heddle::samples
