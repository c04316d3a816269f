// The one way to explore a program: explore(machine, request) runs every execution that the memory model allows, up to
// the equivalence of the algorithm, and tells what it found.
//
// A pair of algorithm and model that the theory does not cover is refused, and so is a feature with it; `why_not` says
// so beforehand.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model_kind.hpp"
#include "core/result.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

enum class Algorithm : uint8_t { spore, rcmc, await, rvf };

inline constexpr std::array kAlgorithms = {Algorithm::spore, Algorithm::rcmc, Algorithm::await, Algorithm::rvf};

constexpr std::string_view name(Algorithm a) {
  constexpr std::string_view names[] = {"spore", "rcmc", "await", "rvf"};
  return names[static_cast<int>(a)];
}

constexpr std::optional<Algorithm> algorithm_named(std::string_view text) {
  for (const Algorithm a : kAlgorithms) {
    if (name(a) == text) return a;
  }
  return std::nullopt;
}

// What an algorithm may have besides the exploration itself.
enum class Feature : uint8_t {
  symmetry,
  helping,
  psc,
  count_duplicates,
  commute,
  signals,
  closure,
  auxiliary,
  greedy,
  queue,
};

inline constexpr std::array kFeatures = {
    Feature::symmetry, Feature::helping, Feature::psc,       Feature::count_duplicates, Feature::commute,
    Feature::signals,  Feature::closure, Feature::auxiliary, Feature::greedy,           Feature::queue};

// As on the command line.
constexpr std::string_view name(Feature f) {
  constexpr std::string_view names[] = {"symmetry",   "helping",    "psc",          "count-duplicates", "commute",
                                        "no-signals", "no-closure", "no-auxiliary", "no-greedy",        "queue"};
  return names[static_cast<int>(f)];
}

// Why the theory does not cover the pair, or the feature with the pair, and what to do instead; empty if it does.
std::string why_not(Algorithm, ModelKind);
std::string why_not(Algorithm, ModelKind, Feature);

// Told of each execution that ends without an error.
class Observer {
 public:
  virtual ~Observer() = default;
  // The exploration begins anew: what was told before does not count.
  virtual void start_again() {}
  virtual void execution(const Graph&, Machine&, bool complete) = 0;
};

// Takes over a part of the work: each item is what is not yet explored, as bytes that any process can read
// (work_item.hpp).
class Sharing {
 public:
  virtual ~Sharing() = default;
  // Asked before each new choice.
  virtual bool wants_item() = 0;
  // The exploration has given this part of its work away.
  virtual void give(std::string item) = 0;

  // Asked at the same moments: whether somebody wants to see all that is left.
  virtual bool wants_all() { return false; }
  // What was counted so far, and all that is not yet explored, the oldest first. Whoever looks says of each whether it
  // takes it over; those after the last one of which it says something stay.
  virtual std::vector<bool> look(const Result& /*so_far*/, std::vector<std::string> /*rest*/) { return {}; }

  // For parts that are not independent (work_tree.hpp). It is told before each `look`, which shows one item then that
  // is not taken over, and at the end.
  virtual void tell(std::string /*what*/) {}
  // Whether somebody has no work.
  virtual bool others_wait() { return false; }
};

class OwnQueue;

struct SporeOptions {
  bool insist_on_symmetry = false;  // twins that the machine has found, and that cannot be exchanged, are an error
};

struct RcmcOptions {
  bool count_duplicates = false;  // remember the executions, count each once
  bool psc = true;                // leave out executions in which psc has a cycle, even without an error
};

struct AwaitOptions {
  bool commute = true;  // rmws whose results nobody uses are independent where their operations commute
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
  uint64_t max_executions = 0;  // complete and blocked ones together; 0: no limit
  double time_limit = 0;        // seconds; 0: no limit
  bool keep_going = false;      // after an error
  bool races_ignore = false;    // plain events race on purpose
  bool stop_when_cut = false;   // a loop has gone round as often as it may
  unsigned jobs = 1;            // processes
  bool any_error = false;       // of several processes: the error that is found first is the answer
  OwnQueue* queue = nullptr;    // where the work is kept, so that nothing of it is lost (coordinator.hpp)
  bool self_check = false;      // hold each execution against the literal axioms
  bool estimate = false;        // random descents instead of an exploration; needs a time limit or the next
  uint64_t max_descents = 0;    // 0: no limit
  SporeOptions spore{};
  RcmcOptions rcmc{};
  AwaitOptions await{};
  RvfOptions rvf{};
  Observer* observer = nullptr;
  // A part of the work. The limits are for this part; what is left when one is hit is lost.
  Sharing* sharing = nullptr;
  std::string_view work = {};  // an item that another exploration has given away: explore only that
  bool own_work = false;       // it is of this very run, so that its seal is enough

  bool is_part() const { return sharing != nullptr || !work.empty(); }
};

// Throws UserError for what the theory does not cover and for a damaged work item, std::logic_error if heddle has found
// a mistake of its own.
Result explore(Machine&, const Request&);

// Explores `request.work` once, as it is done within an exploration: with the machine as it is. Nothing if the
// exploration that it is a part of must be done in another way.
std::optional<Result> explore_part(Machine& machine, const Request& request);

}  // namespace heddle
