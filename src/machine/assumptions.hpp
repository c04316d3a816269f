// What a run takes for granted, and how it is told that something does not hold.
//
// Some executions need not be explored if something holds of the program that only the exploration itself can tell. So
// it is assumed, and watched. The first execution that breaks an assumption ends the exploration, or is noted in it
// (Result::broken). explore/restarts.hpp drops the assumption, or raises its level, and starts again.
//
//   twins       Threads that are created alike can be exchanged, although the program does not declare it.
//               Dropped: only declared twins are twins.
//   plain       No plain access need be an action.
//               Dropped: each one to memory that can be shared is an action.
//   spins       In counted spins, rounds that change nothing can be skipped (frontend/loops/spins.hpp).
//               Dropped: the machine knows the spin in question, and follows all its rounds from the next start on.
//   suppressed  No access of a suppressed race need be an action (native/suppress.hpp).
//               Dropped: the machine knows the places in question, and shows their accesses from the next start on.
//   passing     No trylock sees a lock that is held in passing (library/passing.hpp). It has three levels. At the
//               second one the machine may do more than the program can: an error has to be confirmed at the third.
//   own         What a round stores anew with an atomic store (frontend/loops/retries.hpp, 4.), no other thread uses in
//               no order with it. So the store need be no action.
//               Dropped: it is one.
//   looks       A value that has been replaced does not come back; what a thread has read between a look and the
//               recheck is not freed, nor replaced by a plain write; what is written once is written once
//               (explore/spore/rechecks.hpp). It has three levels; at the first one, places that are written again are
//               excepted.
//   left_out    No race is lost with a round of a waiting loop that is left out (explore/judge/earlier_rounds.hpp).
//               At the first level no round need be known, at the second one what they read is watched.
//               Dropped: each thread may do one.
//   arrivals    Arrivals at a barrier or latch commute (graph/meetings.hpp): in no phase do more threads arrive than it
//               has places, and no thread looks how many have arrived while others may arrive.
//               Dropped: each is a read-modify-write of a counter.
//   undone      No other thread sees what a round of a loop adds and takes back (explore/judge/undone.hpp).
//               Dropped: each such round is followed.
//   taken_back  No other thread does anything else because of what a round of a loop writes and takes back
//               (explore/judge/taken_back.hpp). Such places become known one by one; then all executions are looked at.
//               Dropped place by place: rounds that write there are followed, or those that leave a certain value.
//   rounds      Loops whose bound is not known go round no more often than this. Its levels have no end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/assumption.hpp"
#include "core/promise.hpp"
#include "core/ranges.hpp"
#include "core/result.hpp"

namespace heddle {

struct Assumptions {
  struct Rounds {
    uint32_t most = UINT32_MAX;          // of each loop
    std::map<SiteId, uint32_t> at = {};  // but of these
    bool ends = false;                   // the exploration is given up at the first loop that goes round more often
  };

  bool twins = true;
  bool plain = true;
  bool spins = true;
  Passing passing = Passing::unseen;
  Looks looks = Looks::last;
  std::vector<Address> rewritten{};  // at Looks::last: these are not relied upon to be written once, or never
  bool own = true;
  LeftOut left_out = LeftOut::harmless;
  bool arrivals = true;
  bool undone = true;
  bool taken_back = true;
  std::vector<Address> taken{};      // sorted: places to which such rounds write (Assuming::common_place)
  std::vector<Address> met{};        // of these: where a round may read what another thread's round writes
  std::vector<RestingPlace> kept{};  // sorted: such rounds are followed
  Rounds rounds{};
  // Not broken but known beforehand: the explorer takes the memory orders of the source. Failed first tries of retry
  // loops (frontend/loops/retries.hpp) are left out only then.
  bool orders = true;
};

// A machine that runs under assumptions.
class Assuming {
 public:
  virtual ~Assuming() = default;

  const Assumptions& assumed() const { return assumed_; }

  // From the next restart on. Spins and suppressed places of which broken() has told are dropped now, whatever is
  // asked. A machine that has no use for an assumption does not make it.
  virtual void assume(const Assumptions& asked) {
    assumed_ = asked;
    assumed_.plain = assumed_.own = assumed_.undone = assumed_.taken_back = false;
  }
  // What the machine itself has seen to be broken since.
  virtual std::vector<Broken> broken() const { return {}; }
  // Looks: memory that has been freed since, whose life has ended, or whose value a plain write has replaced while
  // there were other threads.
  virtual const Ranges& lost() const {
    static const Ranges none;
    return none;
  }
  // An exploration begins: what was lost in another one is forgotten.
  virtual void forget_losses() {}
  // The same number for the places of memory that belong to threads, if the threads have done the same.
  virtual Address common_place(Address a) const { return a; }
  // Waiting loops that went round once more, by place, since the program was loaded.
  virtual std::vector<FollowedLoop> followed() const { return {}; }
  // What it has left out since.
  virtual std::vector<LimitHit> left_out() const { return {}; }

  // A number for the program and the rules by which it runs. Machines of which it differs must not share their work.
  virtual uint64_t rules() const = 0;

  // What is assumed, and what the machine has learnt, as bytes. With the same settings the same results make the same
  // execution. set_settings: from the next restart on; throws std::runtime_error if they are none of this program.
  virtual std::string settings() const { return {}; }
  virtual void set_settings(std::string_view) {}

 protected:
  Assumptions assumed_{.plain = false, .own = false, .undone = false, .taken_back = false};
};

}  // namespace heddle
