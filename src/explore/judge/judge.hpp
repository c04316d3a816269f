// The end of an execution: what is wrong with it as a whole, and how it counts. Every explorer asks this judge.
//
//   judge ──► an error: the explorer tells of it
//     │
//     └─────► none: the explorer counts the execution, complete or blocked
//
// A deadlock or livelock comes first, then a hazard pointer that was set too late, then the use of a variable whose
// life has ended.
#pragma once

#include <optional>

#include "explore/judge/earlier_rounds.hpp"
#include "explore/judge/finding.hpp"
#include "explore/judge/hazards.hpp"
#include "explore/judge/literal.hpp"
#include "explore/judge/races.hpp"
#include "explore/judge/standstill.hpp"
#include "explore/judge/taken_back.hpp"
#include "explore/judge/tally.hpp"
#include "explore/judge/undone.hpp"
#include "explore/judge/waiting.hpp"
#include "explore/progress.hpp"
#include "explore/request/request.hpp"

namespace heddle {

class Judge {
 public:
  Judge(Machine& machine, const Request& request, ModelKind model)
      : tally(machine, request), machine_(machine), request_(request), model_(model) {}

  Tally tally;

  // Of an execution in which no thread can go on: whether it is complete. Nothing if there is an error, or an
  // assumption is broken.
  //   waits_for_ever(r)  whether a waiting read would find nothing else if it came later
  //   same(r)            whether a read of the last round of a loop would find the same in the next one
  //   found(error)       is told of an error; false: it is none, because the execution is not consistent
  //   weak               what orders writes, if co means nothing
  template <class WaitsForEver, class Same, class Found>
  std::optional<bool> judge(const Graph& g, const WaitsForEver& waits_for_ever, const Same& same, const Found& found,
                            WeakOrder* weak = nullptr) {
    const auto wait_of = [&](ThreadId t) {
      if (!waits(g, t)) return wait_in_round(g, machine_, t, same);
      return wait_in(g, machine_, g.last(t), waits_for_ever(g.last(t)), same);
    };
    if (sees_rounds(g) || may_lose_race(g)) return std::nullopt;
    const bool complete = all_exited(g) || ended_process(machine_, wait_of);
    if (!complete) {
      tally.note_limits();
      const auto error = find_deadlock(machine_, wait_of);
      if (error && taken_back_.may_end_wait(g, machine_)) {
        tally.broke({.what = Assumption::taken_back});
        return std::nullopt;
      }
      if (error && found(*error)) return std::nullopt;
    }
    if (const auto error = find_late_protect(g, machine_, weak); error && found(*error)) return std::nullopt;
    if (uses_ended(g, found)) return std::nullopt;
    return complete;
  }

  // Whether a thread could have told that rounds are left out. Then the exploration has ended.
  bool sees_rounds(const Graph& g) {
    if (machine_.assumed().undone && sees_undone(g, co_of_)) return tally.broke({.what = Assumption::undone}), true;
    if (!taken_back_.is_seen(g, machine_)) return false;
    tally.broke({.what = Assumption::taken_back});
    return true;
  }

  // Whether a race may be lost with a round that is left out. Then the exploration has ended.
  bool may_lose_race(const Graph& g) {
    if (!earlier_rounds_.may_lose_race(g, machine_)) return false;
    tally.broke({.what = Assumption::left_out});
    return true;
  }
  // To those that are known.
  void add_promises(Result& result) const {
    earlier_rounds_.list(result.promises);
    taken_back_.list(result.promises);
  }

  // Whether a variable is used after the end of its life.
  template <class Found>
  bool uses_ended(const Graph& g, const Found& found) {
    const auto error = find_use_of_ended(g, machine_);
    return error && found(*error);
  }

  // An execution without an error. `psc`: it must obey SC-ACYCLICITY.
  void count(const Graph& g, bool complete, bool psc = true) {
    tally.count(complete);
    if (request_.self_check && !check_literally(g, model_, psc, tally.result.notes)) tally.unchecked();
    if (request_.observer != nullptr) request_.observer->execution(g, machine_, complete);
  }

  // An execution with an error. The same one again is left out. Each that is told obeys the literal axioms.
  template <class AnyError>
  [[gnu::cold, gnu::noinline]] void found(const Graph& g, const AnyError& error) {
    sees_rounds(g);  // it may be the only execution that tells
    Finding finding = make_finding(g, machine_, error);
    if (!tally.is_new(finding)) return;
    check_literally(g, model_, true, tally.result.notes);
    tally.found(std::move(finding));
  }

 private:
  Machine& machine_;
  const Request request_;
  const ModelKind model_;
  EarlierRounds earlier_rounds_;
  TakenBack taken_back_{model_ == ModelKind::sc || model_ == ModelKind::tso || model_ == ModelKind::ra};
  const CoOf co_of_ = model_ == ModelKind::wrc11                                         ? CoOf::none
                      : request_.algorithm == Algorithm::rvf                             ? CoOf::by_values
                      : request_.algorithm == Algorithm::await && request_.await.commute ? CoOf::classes
                                                                                         : CoOf::all;
};

}  // namespace heddle
