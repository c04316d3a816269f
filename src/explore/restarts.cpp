#include "explore/restarts.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "core/add_once.hpp"
#include "core/assert.hpp"
#include "explore/judge/tally.hpp"

namespace heddle {
namespace {

constexpr uint32_t kMany = 32;

// Adds what an earlier exploration has found and seen, if the later one was ended before it came so far again.
void keep(Result& later, Result& earlier) {
  later.events += earlier.events;
  if (later.executions < earlier.executions) {
    later.executions = earlier.executions;
    later.blocked = earlier.blocked;
    later.duplicates = earlier.duplicates;
  }
  for (const FollowedLoop& f : earlier.followed) add_followed(later.followed, f);
  for (std::string& note : earlier.notes) add_once(later.notes, std::move(note));
  for (Finding& finding : earlier.findings) {
    const auto same = [&](const Finding& known) { return same_error(known.error, finding.error); };
    const auto known = std::ranges::find_if(later.findings, same);
    if (known == later.findings.end()) {
      later.findings.push_back(std::move(finding));
    } else if (is_made_up(*known)) {
      *known = std::move(finding);
    }
  }
  if (!later.findings.empty()) later.verdict = Verdict::error;
}

void forget_counts(Result& result) { result.executions = result.blocked = result.duplicates = 0; }

// Whether every execution was seen in which no loop goes round more often than the user allows.
bool is_whole(const Result& result) {
  return std::ranges::all_of(result.limits,
                             [](const LimitHit& hit) { return hit.leaves_none_out() || hit.limit == Limit::unroll; });
}

class Restarts {
 public:
  Restarts(Machine& machine, const Request& request, const ExploreOnce& explore_once)
      : machine_(machine), request_(request), explore_once_(explore_once) {
    held_.twins = explores_graphs(request.algorithm);
    held_.plain = request.algorithm != Algorithm::rvf;  // rvf: plain accesses are always events (rvf/rvf.hpp)
    held_.arrivals = request.arrivals && request.algorithm != Algorithm::rvf;  // rvf knows interleavings of accesses
    if (request.algorithm != Algorithm::spore) held_.looks = Looks::open;
    held_.taken_back = request.algorithm != Algorithm::rvf && request.model != ModelKind::wrc11;
    held_.left_out = request.model == ModelKind::ra ? LeftOut::harmless : LeftOut::ordered;  // in ra, porf is hb
    held_.rounds = first_rounds();
  }

  Result run() {
    for (;;) {
      machine_.assume(held_);
      HEDDLE_ASSERT((held_.twins || !machine_.assumed().twins) && (held_.plain || !machine_.assumed().plain));
      Result result = explore_once_(again(request_, start_));
      const Passing passing = held_.passing;
      if (!drop(result)) return finished(std::move(result));
      keep_worth(result, passing);
      HEDDLE_ASSERT(std::ranges::none_of(result.findings, is_made_up));
      keep(result, earlier_);
      earlier_ = std::move(result);
      if (request_.observer != nullptr) request_.observer->start_again();
    }
  }

 private:
  // The first error is the answer, if it is one.
  bool is_done(const Result& result) const {
    return !request_.keep_going && std::ranges::any_of(result.findings, std::not_fn(is_made_up));
  }

  // The executions will be others than those in which loops have been cut.
  void forget_rounds() {
    held_.rounds = first_rounds();
    explored_.clear();
  }
  Assumptions::Rounds first_rounds() const { return {.most = kMany, .ends = !request_.estimate}; }

  // What an exploration was worth that has to start again: the table in restarts.hpp.
  static void keep_worth(Result& result, Passing passing) {
    if (is_broken(result, Assumption::twins) || is_broken(result, Assumption::plain)) {
      result = {.events = result.events, .notes = std::move(result.notes)};
      return;
    }
    const bool at_will = passing == Passing::may_be_seen;  // trylocks fail for no reason
    if (at_will) std::erase_if(result.findings, is_made_up);
    if (at_will || is_broken(result, Assumption::suppressed) || is_broken(result, Assumption::arrivals))
      forget_counts(result);
  }

  // Whether the exploration has to start again: something is dropped then.
  bool drop(const Result& result) {
    if (is_broken(result, Assumption::twins) || is_broken(result, Assumption::plain)) {
      drop_reductions(result);
      return true;
    }
    if (is_done(result)) return false;
    if (is_broken(result, Assumption::undone)) {
      HEDDLE_ASSERT(held_.undone);
      held_.undone = false;
      add_note(kSeen);
      forget_rounds();
      return true;
    }
    if (follow_taken_back(result)) return true;
    if (is_broken(result, Assumption::spins) || is_broken(result, Assumption::suppressed)) {
      // The machine knows which spins and places these are.
      if (is_broken(result, Assumption::spins)) add_note(kFollowed);
      if (is_broken(result, Assumption::suppressed)) add_note(kShown);
      return true;
    }
    if (is_broken(result, Assumption::own)) {
      HEDDLE_ASSERT(held_.own);
      held_.own = false;
      forget_rounds();
      add_note(kOrdered);
      return true;
    }
    if (show_rounds(result)) return true;
    if (is_broken(result, Assumption::arrivals)) {
      held_.arrivals = false;
      forget_rounds();
      add_note(kCounted);
      return true;
    }
    if (open_looks(result)) return true;
    if (raise_passing(result)) return true;
    return !request_.estimate && is_broken(result, Assumption::rounds) && raise_rounds(result);
  }

  void drop_reductions(const Result& result) {
    HEDDLE_ASSERT(held_.twins || !is_broken(result, Assumption::twins));
    HEDDLE_ASSERT(held_.plain || !is_broken(result, Assumption::plain));
    for (const Broken& b : result.broken) {
      if (b.what == Assumption::twins) {
        held_.twins = false;
        add_note("no symmetry but what is declared: " + b.why);
      } else if (b.what == Assumption::plain) {
        held_.plain = false;
        add_note("plain accesses become events: an execution breaks the SC axiom");
      }
    }
  }

  // Rounds write to places and take it back: such places are known from now on, or it is of no use there.
  bool follow_taken_back(const Result& result) {
    using What = Promise::What;
    bool again = false;
    const auto add_to = [&](auto& all, const auto& place) {
      const auto at = std::ranges::lower_bound(all, place);
      if (at != all.end() && *at == place) return false;
      all.insert(at, place);
      return again = true;
    };
    for (const Promise& p : broken_promises(result.promises)) {
      const uint32_t rest = (p.code & RestingPlace::kRest) != 0 ? p.code : 0;
      if (p.what == What::passing && add_to(held_.kept, RestingPlace{p.start, rest})) add_note(kPassing);
      if (p.what == What::place) add_to(held_.met, p.start);
    }
    for (const Promise& p : result.promises) {
      if (p.what == What::place && !p.broken) add_to(held_.taken, p.start);
    }
    if (!again && !is_broken(result, Assumption::taken_back)) return false;
    HEDDLE_ASSERT(again);
    if (!again) held_.taken_back = false;
    forget_rounds();
    return true;
  }

  // A race may be lost with a round that is left out.
  bool show_rounds(const Result& result) {
    using What = Promise::What;
    if (held_.left_out == LeftOut::ordered && is_broken(result, Assumption::left_out)) {
      held_.left_out = LeftOut::watched;
      forget_rounds();
      return true;
    }
    const std::vector<Promise> broken = broken_promises(result.promises);
    if (std::ranges::none_of(broken, [](const Promise& p) { return p.what == What::unread; })) return false;
    HEDDLE_ASSERT(held_.left_out == LeftOut::watched);
    held_.left_out = LeftOut::shown;
    forget_rounds();
    add_note(kGoesRound);
    return true;
  }

  // Places that are written again are excepted, while they are few.
  bool open_looks(const Result& result) {
    constexpr std::size_t kMostRewritten = 32;
    std::vector<Promise> broken = broken_promises(result.promises);
    std::erase_if(broken, [](const Promise& p) {
      using What = Promise::What;
      return p.what == What::unread || p.what == What::passing || p.what == What::place;
    });
    HEDDLE_ASSERT(!broken.empty() || !is_broken(result, Assumption::looks));
    if (broken.empty()) return false;
    HEDDLE_ASSERT(held_.looks != Looks::open);
    using What = Promise::What;
    const auto is_excepted = [](const Promise& p) { return p.what == What::last || p.what == What::never; };
    if (!std::ranges::all_of(broken, is_excepted)) {
      held_.looks = Looks::open;
      add_note(kComesBack);
    } else {
      for (const Promise& p : broken) add_once(held_.rewritten, p.start);
      std::ranges::sort(held_.rewritten);
      if (held_.rewritten.size() > kMostRewritten) held_.looks = Looks::hold;
    }
    forget_rounds();
    return true;
  }

  // Level by level. At may_be_seen the machine may meet more mutexes: then that level starts again.
  bool raise_passing(const Result& result) {
    const bool broken = is_broken(result, Assumption::passing);
    switch (held_.passing) {
      case Passing::unseen:
        if (!broken) return false;
        held_.passing = Passing::may_be_seen;
        break;
      case Passing::may_be_seen:
        if (!broken && !has_to_be_confirmed(result)) return false;
        if (!broken) held_.passing = Passing::seen;
        break;
      case Passing::seen: HEDDLE_ASSERT(!broken); return false;
    }
    forget_rounds();
    return true;
  }

  // At may_be_seen: an error may be none of the program's, and what was not explored may be nothing that it can do.
  bool has_to_be_confirmed(const Result& result) const {
    if (request_.estimate) return false;
    if (std::ranges::any_of(result.findings, is_made_up)) return true;
    const bool cut = is_broken(result, Assumption::rounds);
    const bool goes_on = cut && (held_.rounds.ends || is_whole(result));  // with more rounds
    return !goes_on && result.findings.empty() && (cut || !saw_all(result));
  }

  // Whether loops that were cut may go round more often.
  bool raise_rounds(const Result& result) {
    if (held_.rounds.ends) {
      held_.rounds = {.most = 1};
      return true;
    }
    const bool whole = is_whole(result);
    if (whole) explored_.clear();
    for (const Broken& b : result.broken) {
      if (b.what != Assumption::rounds) continue;
      uint32_t& most = held_.rounds.at.try_emplace(b.site, held_.rounds.most).first->second;
      explored_.try_emplace(b.site, whole ? most : 0);
      most = most > UINT32_MAX / 2 ? UINT32_MAX : 2 * most;
      HEDDLE_ASSERT(most > explored_.at(b.site));
    }
    return whole;
  }

  Result finished(Result result) {
    if (is_done(result)) std::erase_if(result.findings, is_made_up);
    const bool all_rounds = is_whole(result) && !is_broken(result, Assumption::rounds);
    if (!request_.estimate && !all_rounds && !is_done(result)) {
      for (const auto& [loop, n] : explored_) result.limits.push_back({Limit::loop, loop, n});
      if (!explored_.empty() && result.findings.empty()) result.verdict = Verdict::incomplete;
    }
    if (held_.passing == Passing::may_be_seen) add_note(kMayFail);
    if (held_.passing == Passing::seen) add_note(kFails);
    keep(result, earlier_);
    if (!request_.estimate && result.verdict == Verdict::verified && result.executions == 0) {
      result.limits.push_back({Limit::assumption});
      result.verdict = Verdict::incomplete;
    }
    result.notes.insert(result.notes.begin(), notes_.begin(), notes_.end());
    return result;
  }

  void add_note(std::string note) { add_once(notes_, std::move(note)); }

  static constexpr const char* kFollowed =
      "a round of a counted spin has changed something: each of its rounds is followed";
  static constexpr const char* kSeen = "a thread may see what a round adds and takes back: such rounds are followed";
  static constexpr const char* kPassing =
      "a thread does something else because of what a round writes and takes back: such rounds are followed";
  static constexpr const char* kShown = "the accesses of a suppressed race have become actions";
  static constexpr const char* kOrdered =
      "a thread uses what another one stores in each round of a loop, in no order with it: such stores are events";
  static constexpr const char* kGoesRound =
      "what a thread reads while it waits is freed or written by another one, in no order with it: each thread may do "
      "one round of its loops that changes nothing";
  static constexpr const char* kCounted =
      "more threads may arrive at a barrier or latch than it has places, or one looks how many have: the order of "
      "arrivals makes a difference";
  static constexpr const char* kMayFail =
      "a trylock may fail at any time: rounds of a loop that hold a mutex in passing are left out";
  static constexpr const char* kFails =
      "a trylock has failed: rounds of a loop that hold a mutex in passing are followed";

  static constexpr const char* kComesBack =
      "a value comes back, or memory is freed or written anew, between a look and its recheck: rechecks are reads as "
      "any others";

  Machine& machine_;
  const Request& request_;
  const ExploreOnce& explore_once_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  Assumptions held_;
  // Of loops that were cut in the last whole exploration: in all executions that it saw they go round no more often.
  std::map<SiteId, uint32_t> explored_;
  Result earlier_;  // what the explorations before this one are worth
  std::vector<std::string> notes_;
};

}  // namespace

Result explore_until_it_holds(Machine& machine, const Request& request, const ExploreOnce& explore_once) {
  return Restarts(machine, request, explore_once).run();
}

}  // namespace heddle
