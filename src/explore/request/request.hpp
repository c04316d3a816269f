// What is to be explored, and how.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>

#include "core/model_kind.hpp"
#include "core/result.hpp"
#include "core/steady_clock.hpp"
#include "explore/request/algorithm.hpp"
#include "explore/request/observer.hpp"
#include "explore/request/sharing.hpp"

namespace heddle {

class OwnQueue;

struct SporeOptions {
  bool insist_on_symmetry = false;  // twins that the machine has found, and that cannot be exchanged, are an error
  bool insist_on_helping = false;   // a program in which help cannot be left out is an error
};

struct RcmcOptions {
  bool count_duplicates = false;  // remember the executions, count each once
  bool psc = true;                // leave out executions in which psc has a cycle, even without an error
};

struct AwaitOptions {
  bool commute = true;  // rmws whose results are unused are independent where their operations commute
};

// The techniques of RVF-SMC, for comparison without one of them: the executions are the same.
struct RvfOptions {
  bool signals = true;  // backtrack signals
  bool closure = true;  // of VerifySC, as are the next
  bool auxiliary = true;
  bool greedy = true;
};

struct Request {
  Algorithm algorithm = Algorithm::spore;
  ModelKind model = ModelKind::rc11;
  uint64_t max_executions = 0;  // complete, blocked and failed ones together; 0: no limit
  double time_limit = 0;        // seconds; 0: no limit
  bool keep_going = false;      // after an error
  bool races_ignore = false;    // plain events race on purpose
  unsigned jobs = 1;            // processes
  bool any_error = false;       // of several processes: the error that is found first is the answer
  OwnQueue* queue = nullptr;    // where the work is kept, so that nothing of it is lost (share/coordinator.hpp)
  bool self_check = false;      // hold each execution against the literal axioms
  bool arrivals = true;         // arrivals at a barrier or latch commute (Assumption::arrivals)
  bool estimate = false;        // random descents instead of an exploration; needs a time limit or the next
  uint64_t max_descents = 0;    // 0: no limit
  SporeOptions spore{};
  RcmcOptions rcmc{};
  AwaitOptions await{};
  RvfOptions rvf{};
  Observer* observer = nullptr;
  std::function<void(const Finding&)> on_finding = {};  // of each error at once; it may be the same as one before
  // A part of the work. The limits are for this part; what is left when one is hit is lost.
  Sharing* sharing = nullptr;
  std::string_view work = {};  // an item that another exploration has given away: explore only that

  bool is_part() const { return sharing != nullptr || !work.empty(); }
};

using ExploreOnce = std::function<Result(const Request&)>;  // under what the machine assumes now: all, or request.work

// The request for another look. The time limit is for all looks since `start`; at least one execution is always tried.
inline Request again(Request request, SteadyClock::time_point start) {
  if (request.time_limit > 0) request.time_limit = std::max(request.time_limit - seconds_since(start), 1e-3);
  return request;
}

}  // namespace heddle
