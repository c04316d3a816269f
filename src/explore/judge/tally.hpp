// What an exploration has found so far, and whether it should stop.
#pragma once

#include "core/assert.hpp"
#include "core/error.hpp"
#include "core/stop.hpp"
#include "explore/request/request.hpp"

namespace heddle {

// Whether a report needs only one of them.
bool same_error(const Error& a, const Error& b);
// Whether its execution has a trylock that fails for no reason (Passing::may_be_seen). The program may not be able to
// do it, so such a finding does not end the search.
bool is_made_up(const Finding& finding);

class Tally {
 public:
  Tally(Machine& machine, const Request& request) : machine_(machine), request_(request) {}

  Result result;
  bool stop = false;
  bool out_of_time = false;  // or memory, or interrupted: the run ends
  uint64_t failed = 0;       // executions that ended in an error

  // Whether this error has not been found yet.
  bool is_new(const Finding& finding) const;
  // Adds it, or notes that an assumption does not hold of which the error is a sign.
  void found(Finding finding);
  // Of an execution that is not complete: threads that were stopped by a limit.
  void note_limits();
  // An assumption does not hold.
  void broke(Broken broken);
  // Whether the number of executions is used up; a limit is only hit if something is left to explore.
  bool out_of_executions() const {
    return request_.max_executions != 0 && result.executions + result.blocked + failed >= request_.max_executions;
  }
  void limit(Limit limit, SiteId site = kNoSite) {
    note({limit, site});
    stop = true;
  }
  // An execution was too long for --self-check.
  void unchecked() { note({Limit::unchecked}); }
  // Looks whether the exploration was asked to end, and now and then at the clock.
  void check_time() {
    if (stop::asked.load(std::memory_order_relaxed) != Stop::none) [[unlikely]]
      stop_as_asked();
    if (request_.time_limit > 0 && ++checks_ % 256 == 0 && seconds_since(start_) > request_.time_limit)
      give_up(Limit::time);
  }
  // Tells the watching process how far it has come. depth: how many revisits follow from each other, if that is known.
  void tell(std::size_t depth = 0) const {
    if (stop::progress != nullptr) tell(*stop::progress, depth);
  }
  // Counts an execution.
  void count(bool complete) {
    ++(complete ? result.executions : result.blocked);
    if (complete && !result.unusual) [[unlikely]]
      result.unusual = machine_.unusual();
  }

  // Explores. After a data race what the program does may depend on the schedule, and a replay may fail: then the race
  // is the answer.
  template <class Explore>
  Result run(const Explore& explore) {
    try {
      explore();
    } catch (const Stopped&) {
      stop_as_asked();
    } catch (const UserError&) {
      if (!has_race()) throw;
    }
    return finish();
  }

 private:
  [[gnu::cold]] void stop_as_asked();
  [[gnu::cold]] void give_up(Limit why) {
    out_of_time = true;
    limit(why);
  }
  void tell(Progress& progress, std::size_t depth) const;
  bool has_race() const;
  Result finish();
#if HEDDLE_CHECKED
  std::string check() const;
#endif

  void note(const LimitHit& hit);

  Machine& machine_;
  const Request request_;
  uint64_t checks_ = 0;
  const SteadyClock::time_point start_ = SteadyClock::now();
};

}  // namespace heddle
