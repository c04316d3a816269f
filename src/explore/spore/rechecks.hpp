// Looks and rechecks: a thread reads a place, then others, and makes sure that the first one has not changed since.
//
//   t = tail;  n = t->next;  if (t != tail) retry;  if (n == NULL && cas(&t->next, NULL, node)) done;
//
// Terms. Let r be a load of location l, the look, and c a later load or compare-exchange of l in the same thread that
// waits for the value of r (Action::rechecks). If it is another one, the thread stops, or begins a round anew with r.
// Between the two the thread only reads. Otherwise they are no look and recheck for us, and c is an await as any other.
//
// What is taken for granted (Assumption::looks), and watched:
//   distinct  No value comes back to l: its writes in one graph, the base among them, have different values.
//   kept      What the thread reads between r and c is not freed, does not end its life, and no plain write replaces
//   its
//             value (Assuming::lost).
// Then c goes on if and only if it reads from rf(r). So it is no choice:
//   - c reads from rf(r). No write revisits c, and it counts as maximal (Def. 2.1): there is no other way to add it.
//   - If that is not consistent, or another rmw has taken the place after rf(r), c is dead. It reads the last write,
//   and
//     its thread waits. (A compare-exchange whose place is taken may still take the place of the other one by a
//     revisit: that is noted first.)
//   - A thread that has just read, and is about to read, goes first. So c is added directly after r where r was added
//     by the scheduler, and can then read from rf(r), since that is the last write. c is dead only where r reads an
//     older write, or after a revisit.
//   - A twin's event is after the recheck that belongs to a look, as it is after the write that belongs to the read of
//     an rmw (Graph::end_of_rmw).
// An execution in which c reads another write of the same value has two such writes of l. Without the events from r on,
// which no other thread can tell, it is explored, and breaks `distinct`. An error of the round itself is found: what is
// read between r and c is read before c is there, but for the later end of what it reads: `kept`.
//
// Doomed threads. Let thread t stand still: at a dead c, at an assumption that is false or at the end of a round that
// has changed nothing. Its last events are reads. Go back over them:
//   - A recheck reads what its look has read.
//   - A read from the only write of its location always reads from it (`last`, which is assumed likewise), and one of
//     the base value if there is no write (`never`).
//   - Let r be the first other one. It is stale if a write that is later in co than rf(r) was added before r, or if it
//     has read late. Then r is never added maximally, so it is never deleted by a revisit, nor revisited; and so is
//     nothing before it in its thread. Nothing that descends from this graph lets t go on.
// The others do the same where r reads something else: t has only read since. So the graph is given up, and not
// counted. Not if t has used plain memory since r (Action::loud), for then others may race with it; nor if a later twin
// of t may be alike up to r: then r is in its causal prefix, and may be kept where the later write is deleted.
#pragma once

#include <span>
#include <vector>

#include "core/action.hpp"
#include "core/assumption.hpp"
#include "core/promise.hpp"
#include "core/ranges.hpp"
#include "graph/graph.hpp"

namespace heddle {

// The first event of t, by its position, after which it has done nothing that others could tell, and that it would do
// again: the round, if it is about to begin another one.
uint32_t first_of_round(const Graph& g, ThreadId t, const Action& a);

// The look that t's next action rechecks; kNoEvent if there is none.
EventId look_of(const Graph& g, ThreadId t, const Action& a);

// Whether t, which is about to do this, goes on at once: it is in the middle of a round.
bool is_in_round(const Graph& g, ThreadId t, const Action& a);

// Whether the read r can neither be revisited nor deleted, because of a later write.
bool is_stale(const Graph& g, EventId r);

// What all graphs of an exploration have relied on, and what they have seen against it. The machine knows what is lost.
class Promises {
 public:
  Promises(Looks looks, std::span<const Address> rewritten)
      : looks_(looks), rewritten_(rewritten.begin(), rewritten.end()) {}

  bool hold(const Ranges& lost);

  void made(const Graph& g, EventId look, ThreadId t);  // of a look and what t has read since
  bool wrote(const Graph& g, EventId w);                // a new write has a place: whether it breaks none

  // Whether t, which has stopped or stands at a dead recheck, is doomed in all that comes of the graph. It is relied
  // upon then.
  bool is_doomed(const Graph& g, ThreadId t, const Action& a);

  std::vector<Promise> list(const Locations& locations, const Ranges& lost) const;

 private:
  // Made: distinct, last, never. Broken: a value has come back, there are two writes, there is one.
  enum Mark : uint8_t { kDistinct = 1, kLast = 2, kNever = 4, kReturns = 8, kAgain = 16, kOnce = 32 };

  uint8_t& marks(LocId l) {
    if (index(l) >= marks_.size()) marks_.resize(index(l) + 1);
    return marks_[index(l)];
  }
  void add(LocId l, uint8_t mark);
  void keep(const Graph& g, EventId read);

  Looks looks_;
  std::vector<Address> rewritten_;  // sorted
  bool hold_ = true;
  std::vector<uint8_t> marks_;
  Ranges kept_;
  uint64_t compared_ = 0;  // changes of kept_ and of what is lost
};

}  // namespace heddle
