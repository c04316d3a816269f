// Rounds that write to shared places, take all of it back, and are left out.
//
//   while (!(try_lock(a) && try_lock(b))) …          what has been locked is unlocked
//   flag[i] = 1;  if (flag[j]) { flag[i] = 0; … }     a thread announces itself, sees another one, and takes it back
//
// Terms. Let G be an execution of the program. A *round* of a thread is one of a waiting loop that ends in the state in
// which it began, plain memory included (native/changes.hpp). It writes to *places*, and takes that back: without it
// each place has the same value afterwards. While it is different, that value is there *in passing*. A round that only
// adds, and of which nobody uses a result, may also leave something: it counts. S is a set of rounds in G. A read
// *decides*, unless it is of a read-modify-write whose result is not used.
//
// When a thread comes to the end of a round, the machine stops it. So an execution that is explored has at most one
// round of each thread, its last events.
//
// Claim. Let each read of G outside of S that decides find the value that the last write outside of S has left; let
// each store that takes back write that value; and let no acquire synchronise in G without S with more than in G. Then
// G without S is an execution with the same states of all threads.
//   - A read e that has read from S now reads from the last write w outside of S that is co-before. It is consistent: w
//     comes before rf(e) in co, and what comes after w and outside of S comes after rf(e).
//   - No order is new: that w synchronises with e, where a store of S has cut w's release sequence, is looked for.
//
// So it is enough that no S breaks this. That is assumed, place by place (Assumption::taken_back), and looked for in
// each execution that is explored. Where it does not hold for a place, rounds that write to it are followed.
//
// 1. In the execution itself. A read that decides and is not of a round finds the right value; each round's stores take
//    back the right value; no acquire gains. A read e of a round may find a value in passing. Then its thread is out of
//    step with G without S: it does only the rest of this round there. So after e the round may do nothing but take
//    back. (It must not wait either: else it might wait for ever where without S it would not.)
//
// That is all if no round reads what is there in passing. Let t be a thread out of step, u another one that reads from
// it at e, and let t have left its round before u goes on. No execution that is explored has both t's round and what t
// does later. But others show the parts:
//   - t has come out of step at d, by what some v had put there in passing. Up to there t did what it does in an
//     execution that is explored, and v the same. So one is explored with v's and t's events up to d, in which t goes
//     on alone, to the end of its round: there is a round that has read at d, and has put there what e reads.
//   - Likewise one is explored with t's round up to the write that e reads from, and with e. If u does anything else
//     after e than to take back, that is seen.
//
// 2. So for each place what a round has put there in passing, if the round has read at a place like this what another
//    thread has written, is a promise (Promise::passing) that no thread does anything after it has read that value
//    there but take back, nor writes over it. One execution may make it, another one may break it.
//
// 3. All this is for e that does not depend on what t has done after its round. In models in which it may, and t's
// round
//    is not ordered with e in hb, e may read what has long been taken back. So each execution is searched for an e and
//    a round that may have begun there, as for races (earlier_rounds.hpp). Not if by coherence e comes after an access
//    of t to the place after that round.
//
// Place by place: the first round that writes to a place starts the exploration again, to look at all executions. Where
// a round begins is a choice (frontend/loops/cuts.hpp), and so is which value is there in passing, and which is left:
// if the one is seen, rounds that leave another one may do. Wrc11 and rvf have no order of writes: there such rounds
// are followed.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "core/promise.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

class TakenBack {
 public:
  explicit TakenBack(bool porf_is_hb) : porf_is_hb_(porf_is_hb) {}

  // Looks at a whole execution. Whether the assumption may not hold for a place, as far as is known.
  bool is_seen(const Graph& g, Machine& machine);

  // Threads wait, and nothing that is there ends it. Whether something may that is there in passing. Then such rounds
  // are followed: whether it is a livelock is not known.
  bool may_end_wait(const Graph& g, Machine& machine);

  void list(std::vector<Promise>& all) const;

  // Whether t has stopped at the end of a round that has written something else than it has read.
  static bool takes_back(const Graph& g, Machine& machine, ThreadId t);

 private:
  struct Said {
    Promise::What what;
    Address place;
    uint32_t code;
    friend auto operator<=>(const Said&, const Said&) = default;
  };

  void says(Promise::What what, bool broken, Address place, uint32_t code) {
    (broken ? broken_ : made_).insert({what, place, code});
  }
  // Whether something is made and broken; if that is not known yet.
  bool breaks();

  const bool porf_is_hb_;
  std::set<Said> made_, broken_;
  std::size_t compared_ = 0;

  friend class PassingSearch;
};

}  // namespace heddle
