// What an exploration found, free of graphs and machines, ready to be told to a person.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/action.hpp"
#include "core/assumption.hpp"
#include "core/error.hpp"
#include "core/promise.hpp"
#include "core/site.hpp"
#include "core/stop.hpp"
#include "core/suppression.hpp"
#include "core/value_type.hpp"

namespace heddle {

// Which thread holds a lock, and where it was taken.
struct Holder {
  ThreadId thread = kNoThread;
  SiteId site = kNoSite;
};

// One action of a shown execution. Steps are listed in an order that respects po and rf.
struct TraceStep {
  ThreadId thread = kNoThread;
  Action action;
  std::string location;           // of an access: "x", "head->next", "node 0x…"
  std::optional<Value> read;      // the value read
  std::optional<Value> written;   // the value written
  ValueType type{};               // of these two
  int rf = -1;                    // step whose value was read; -1: the initial value, or no read
  bool blocked = false;           // the thread waits here for ever
  std::vector<Holder> holders{};  // of the lock that it waits for
  bool performed = true;          // else the thread only stands before it
  Value result;                   // that the machine was given, if it is performed
  // Of the execution's own relations: the number of its thread's events up to this step, the same of each thread for
  // what happens before it or is it, and what is missing between a write and its reader.
  uint32_t position = 0;
  std::vector<uint32_t> hb;
  uint32_t co = 0;        // write: its position in the coherence order of its place, from 1; 0: the model has none
  bool released = false;  // write: an acquire of it synchronises
  bool acquired = false;  // read: it acquires, or an acquire fence follows
};

inline bool happens_before(const TraceStep& a, const TraceStep& b) {
  return index(a.thread) < b.hb.size() && a.position <= b.hb[index(a.thread)] && &a != &b;
}

struct TraceThread {
  ThreadId id = kNoThread;
  ThreadId parent = kNoThread;
  std::string name;  // "main", or the function it runs
};

struct Trace {
  std::vector<TraceThread> threads;
  std::vector<TraceStep> steps;
  std::map<Address, std::string> objects;  // what the pointers among the values point to
  std::string output;                      // what the program printed in this execution
  std::string settings;                    // of the machine that ran it (Machine::settings)
};

// A memory order that would have to be another, or a fence that would have to be there.
struct OrderAdvice {
  SiteId site;
  std::string what;      // "store", "compare-exchange"
  std::string variable;  // that it accesses
  Mode order;            // that it should have
  bool fence = false;    // instead: a seq_cst fence before it
};

// A notification that is to blame for a thread that waits for ever: if it did the other thing, no execution of the test
// would go wrong.
struct NoticeAdvice {
  int step = -1;           // of the trace; -1: none is known
  bool too_early = false;  // no thread waits yet, and it is lost; else: it wakes one of several that wait, and not all
};

// What is known of memory orders that would help, and of notifications.
struct Advice {
  enum class Kind : uint8_t { unknown, none_helps, helps } kind = Kind::unknown;
  std::vector<OrderAdvice> orders;  // with all of these no execution of the test goes wrong
  NoticeAdvice notice{};
};

struct Finding {
  Error error;
  Trace trace;
  Advice advice{};
};

enum class Verdict : uint8_t { verified, error, incomplete };

// Why an exploration did not see everything.
enum class Limit : uint8_t {
  executions,
  time,
  unroll,
  loop,
  steps,
  silent,
  memory,
  interrupted,
  killed,
  unchecked,
  inputs,      // an input may have other values than those that were tried
  assumption,  // no execution is complete: in each of them an assumption is false
};
inline constexpr Limit kLastLimit = Limit::assumption;

constexpr std::string_view name(Limit l) {
  constexpr std::string_view names[] = {"executions", "time",        "unroll", "loop",      "steps",  "silent",
                                        "memory",     "interrupted", "killed", "unchecked", "inputs", "assumption"};
  static_assert(std::size(names) == static_cast<int>(kLastLimit) + 1);
  return names[static_cast<int>(l)];
}

// Of a run that was asked to stop. Stop::none: its own time limit.
constexpr Limit limit_of(Stop asked) {
  switch (asked) {
    case Stop::none:
    case Stop::time: return Limit::time;
    case Stop::memory: return Limit::memory;
    case Stop::interrupted: return Limit::interrupted;
  }
  __builtin_unreachable();
}

// A waiting loop of which some round has changed something: it goes round once more.
struct FollowedLoop {
  SiteId loop = kNoSite;
  SiteId change = kNoSite;  // the access, of one such round
  bool operator==(const FollowedLoop&) const = default;
};

struct LimitHit {
  Limit limit;
  SiteId site = kNoSite;  // unroll, loop, steps, silent: the loop; inputs, assumption: the call
  uint32_t tried = 0;     // loop: up to so many rounds, all executions; inputs: the values 0 to tried - 1
  bool operator==(const LimitHit&) const = default;

  // All executions were seen, of the inputs that were tried.
  bool leaves_none_out() const { return limit == Limit::inputs || limit == Limit::assumption; }
};

constexpr bool is_assumption(const LimitHit& hit) { return hit.limit == Limit::assumption; }

// Whether executions were not looked at because of it.
constexpr bool ends_early(const LimitHit& hit) {
  switch (hit.limit) {
    case Limit::executions:
    case Limit::time:
    case Limit::steps:
    case Limit::memory:
    case Limit::interrupted:
    case Limit::killed: return true;
    default: return false;
  }
}

// That assumptions stop every execution is known only when all have been looked at and none is complete.
inline void settle_assumptions(std::vector<LimitHit>& limits, uint64_t executions) {
  if (executions != 0 || std::ranges::any_of(limits, ends_early)) std::erase_if(limits, is_assumption);
}

// What a user may not have meant, in the first complete execution.
struct Unusual {
  std::size_t threads = 0;            // besides main
  std::vector<std::string> unjoined;  // the names of those that are neither joined nor detached
  uint64_t leaked_blocks = 0;         // memory that was not freed
  uint64_t leaked_bytes = 0;
  SiteId leaked_at = kNoSite;  // where the first of it was allocated
  uint64_t alignment = 0;      // that was asked for and is none, if not 0: there was no memory for it
  SiteId aligned_at = kNoSite;
};

// How large an exploration would be (explore/kernel/descents.hpp).
struct Estimate {
  uint64_t descents = 0;
  double executions = 0;
  double low = 0, high = 0;  // an interval for it
  double blocked = 0;
  double seconds = 0;        // to explore all
  uint64_t with_errors = 0;  // descents that met an error
};

struct Result {
  Verdict verdict = Verdict::verified;
  uint64_t executions = 0;
  uint64_t blocked = 0;
  uint64_t duplicates = 0;
  uint64_t events = 0;  // actions performed in all executions together, replays included
  std::vector<Finding> findings;
  std::vector<Broken> broken;              // what the exploration took for granted, and does not hold
  std::vector<Promise> promises;           // that were made or broken, see Assumption::looks
  std::vector<LimitHit> limits;            // why the verdict is incomplete
  std::vector<FollowedLoop> followed;      // by place
  std::vector<SuppressedRace> suppressed;  // that are no errors
  std::optional<Unusual> unusual;          // if an execution is complete
  std::optional<Estimate> estimate;        // if it was asked for
  std::vector<std::string> notes;          // what was done on the way that a curious user may want to know
};

// Each loop once.
inline void add_followed(std::vector<FollowedLoop>& all, const FollowedLoop& f) {
  const auto at = std::ranges::lower_bound(all, f.loop, {}, &FollowedLoop::loop);
  if (at == all.end() || at->loop != f.loop) all.insert(at, f);
}

inline bool saw_all(const Result& result) { return std::ranges::all_of(result.limits, &LimitHit::leaves_none_out); }
// No execution goes wrong, and there are some.
inline bool goes_right(const Result& result) {
  return result.findings.empty() && saw_all(result) && result.executions != 0;
}

inline bool is_broken(const Result& result, Assumption what) {
  return std::ranges::find(result.broken, what, &Broken::what) != result.broken.end();
}

}  // namespace heddle
