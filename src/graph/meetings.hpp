// Meetings: the arrivals of threads at a barrier or latch, which commute.
//
// A meeting is an address and a number of places. An arrival has a phase: the smallest k such that the hb-prefix of the
// arrival does not have all arrivals of phase k. Phase k has so many arrivals as there are places, less one for each
// arrival before phase k that was its thread's last (std::barrier::arrive_and_drop). A leave waits until all arrivals
// of its phase are there, and synchronises with each of them: they happen before it. There is no other order among
// arrivals: no rf, no co. So N threads that arrive and leave make one execution, where N rmws of a counter make N!.
//
// Assumption::arrivals. In no consistent graph does a phase get more arrivals than it has places, and each look (what
// pthread_barrier_destroy and std::latch::try_wait do) is ordered by hb with all arrivals. The first graph that breaks
// it ends the exploration, and the next one has rmws of a counter. Below, C is what the program does with the counter.
// A thread leaves at once if it leaves the phase of its arrival with nothing between the two.
//
// Nothing is lost. Let E be an execution of C.
//   1. The counter orders its rmws in a chain of rf. Let the round of an arrival be its place in the chain, divided by
//      the number of places. Replace rmws by arrivals, and loads that wait for the end of a round by leaves. The result
//      is a graph G, in which less is ordered.
//   2. If G breaks the assumption, so does a full graph that extends G, since the phase of an arrival depends on its
//      prefix alone. The exploration meets it, or another one that breaks it.
//   3. Otherwise phase and round are the same. Let a be the first arrival in the chain of which they differ. The rounds
//      before a are the phases of the arrivals there. All arrivals of a phase k' < phase(a) happen before a, so they
//      are earlier in the chain, and round(a) >= phase(a). If round(a) > phase(a) = k, all places of phase k are taken
//      by earlier ones in the chain, and a is one too many.
//   4. So the threads leave in G when they leave in E, and with the same reads as in E, G is consistent.
// Nothing is added. Let G be a consistent graph that obeys the assumption.
//   5. Let L be a total order of the events that extends hb and, of the model, the order that must have no cycle: ghb
//      of SC, TSO and PSO; psc among the SC fences of RA, RC11 and WRC11. It exists: if an arrival is before a fence F
//      by hb, and a fence F' is before the arrival by hb, then F' is before F by hb, and so by psc.
//   6. Order the rmws of the counter by L. Phases come one after the other, because each arrival of phase k + 1 has all
//      of phase k in its hb-prefix. Each leave reads the counter as it is when the last one of its phase has come.
//   7. What the counter adds to ghb, or to psc among fences, goes along L. (An SC access gets nothing from an access
//      of the counter: that one is not SC, and what it adds to hb is the next point.)
//   8. What it adds to hb goes from arrivals of a phase to what follows another arrival of this phase in its thread.
//      If that thread leaves at once, the leave has it already. So G is an execution of C.
//   9. A thread that arrives and leaves later (arrive, count_down) is ordered with other arrivals by C, if a read of
//      the counter acquires, and not by G. C++ promises no such order ([thread.barrier], [thread.latch]: an arrival
//      strongly happens before the end of the phase), and libstdc++ does not make it: its arrivals are relaxed or
//      releases. So G has what the program can do. SC, TSO and PSO have no hb, and there nothing differs: an arrival is
//      a point at which its thread's buffer is empty, as an rmw is (the set D of axioms/tso.cpp).
//
// Each class once. Graphs with arrivals and leaves are prefix-closed: a leave has all arrivals of its phase in its
// prefix, and a phase depends on a prefix. They are extensible: arrivals can always be added, and leaves like joins:
// once one can be added, it always can, with the same prefix and the same result. So all that SPORE, RCMC and
// Optimal-DPOR need holds for them as it does for joins.
//
// A look has the number of arrivals in its prefix as its result. As it is ordered with all others, the counter has that
// value.
#pragma once

#include <vector>

#include "core/ids.hpp"

namespace heddle {

struct Meeting {
  LocId loc;
  uint64_t places;
  friend bool operator==(const Meeting&, const Meeting&) = default;
};

// The first phase that is not known to be full, and how many are known to have arrived in it.
struct Gathering {
  uint64_t phase = 0;
  uint64_t arrived = 0;
};

// Of a graph, the latest event of each meeting.
class Meetings {
 public:
  bool empty() const { return list_.empty(); }
  void clear() { list_.clear(); }
  EventId last(Meeting m) const {
    for (const Entry& e : list_) {
      if (e.meeting == m) return e.last;
    }
    return kNoEvent;
  }
  void set_last(Meeting m, EventId last) {
    for (Entry& e : list_) {
      if (e.meeting != m) continue;
      e.last = last;
      return;
    }
    list_.push_back({m, last});
  }

 private:
  struct Entry {
    Meeting meeting;
    EventId last;
  };
  std::vector<Entry> list_;  // programs have few
};

}  // namespace heddle
