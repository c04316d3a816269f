// Where the work of an exploration is kept while processes, here or on other machines, explore it.
//
// A bundle is a list of work items (share/work_item.hpp), the oldest first. Each worker has one, which it has claimed:
//
//   queued ──claim──► leased ──report with nothing left──► gone
//     ▲                 │  └─report: the rest is what the lease is about now, and what is given away is queued; or
//     │                 │    something is told of parts that are not independent (share/work_tree.hpp)
//     └──give_back──────┘     the worker has died, or (in Redis) was silent for too long
//
// A report is one atomic step: the counts are added, the rest replaces the bundle, what was given away is queued.
// Until then the bundle counts as unexplored. So at each moment the counts, and the bundles that are queued or leased,
// are the whole exploration: a worker that dies loses what it has done since its last report, and nothing is counted
// twice. The exploration is done when no bundle is left.
//
// What machines learn (Machine::settings) is a part of what an item means. A report whose slice has learnt something is
// heard only if the settings are still those that it began with; they are replaced then. Otherwise it is as if the
// worker had died: the bundle is explored again with what is known now. One that has learnt nothing has met nothing
// that the others can have learnt since. So all is as if one process had explored the slices one after the other.
//
// Whatever is not just counted (an error, a loop that must be followed in another way) is trouble: the exploration
// ends, and the process that began it looks at the bundle in which it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace heddle {

// What a slice adds to the result.
struct Part {
  uint64_t executions = 0, blocked = 0, duplicates = 0, events = 0;
  std::vector<std::string> marks;  // what is broken, limits, notes: each once, as bytes
  std::string unusual;             // Result::unusual as bytes; the first one counts
};
Part part_of(const Result& result);
// Counts are added, marks that are new appended.
void add(Part& all, const Part& part);
// What `now` has more than `before`, which it began with.
Part difference(const Part& now, const Part& before);
// An error if there are any findings. Throws std::runtime_error if the bytes are not those of a part.
Result result_of(const Part& part, std::vector<Finding> findings = {});

using Bundle = std::vector<std::string>;
std::string bytes_of(const Bundle& bundle);
Bundle bundle_of(std::string_view bytes);

struct Work {
  std::string token;     // of the lease
  std::string bundle;    // as bytes
  std::string settings;  // to explore it with
  uint64_t version = 0;  // of the settings
};

struct Report {
  std::string token;
  uint64_t number = 0;  // of the report, from 1; one that comes twice is heard once
  Part part;
  std::string rest;                // as bytes; empty: nothing is left
  std::vector<std::string> given;  // bundles for others, as bytes
  std::string told;                // of parts that are not independent; empty: nothing
  std::string learnt;              // the new settings; empty: nothing
  uint64_t version = 0;            // of the settings that the slice began with
};

// How far it has come.
struct Look {
  enum class Phase : uint8_t {
    none,     // there is no exploration now
    working,  //
    done,     // no bundle is left
    trouble,
    paused,  // no worker gets work
  } phase = Phase::none;
  Part part;
  uint64_t queued = 0, leased = 0;  // bundles
  uint64_t hungry = 0;              // processes that wait, more than bundles are queued
  uint64_t losses = 0;              // leases that ended by give_back
};

// The bundle in which a worker has met trouble.
struct Trouble {
  std::string bundle;
  std::string settings;
  std::string message;
};

// How dear a look at the queue is, or a report.
struct Pace {
  double alone = 0.04;  // seconds before there are others
  double look = 0.01;   // seconds between two looks
  int64_t worth = 10;   // milliseconds of work between two reports because another worker has none
};

// What a process that explores sees of the queue.
class WorkSource {
 public:
  virtual ~WorkSource() = default;
  // Nothing if no bundle is queued, or no worker gets work.
  virtual std::optional<Work> claim() = 0;
  // Whether it was heard. If not, the lease is over.
  virtual bool report(const Report& report) = 0;
  virtual void tell_trouble(const std::string& token, const std::string& message) = 0;
};

// What the process sees, too, that starts others and speaks to the queue for them (share/team.hpp).
class WorkQueue : public WorkSource {
 public:
  virtual void give_back(const std::string& token) = 0;
  // `waiting`: how many processes of the caller wait for work.
  virtual Look look(unsigned waiting) = 0;
  virtual Pace pace() const { return {}; }
};

// What the process that has begun the exploration sees, too. A run is several explorations, one after the other
// (restarts.hpp); each has a number, from 0. What has come of those that are over is remembered, as bytes.
class OwnQueue : public WorkQueue {
 public:
  // Whether this exploration, with these settings of the machine before it, has begun in a run before this one; it goes
  // on then.
  virtual bool has_begun(uint64_t number, const std::string& before) = 0;
  struct Beginning {
    uint64_t number = 0;
    std::string before;    // the settings before it
    std::string settings;  // and now
    std::string bundle;    // all that is left to do
    Part part;             // that is done
  };
  virtual void begin(const Beginning& beginning) = 0;
  virtual std::string settings() = 0;
  virtual Trouble trouble() = 0;
  virtual void pause() = 0;

  virtual std::optional<std::string> remembered(uint64_t number, const std::string& before) = 0;
  virtual void remember(uint64_t number, const std::string& before, const std::string& what) = 0;

  // Called now and then, and at last: a queue that is lost with its process may be saved to a file.
  virtual void save(bool /*now*/) {}

  uint64_t next_number = 0;
};

// The losses of one bundle, without a report between them, after which it is not tried again.
inline constexpr uint64_t kMostLosses = 20;

}  // namespace heddle
