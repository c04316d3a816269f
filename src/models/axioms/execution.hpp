// A whole execution as plain data, for the literal definitions of the memory models. Nothing here knows src/graph: this
// is the oracle that the graph layer and the incremental checkers are held against.
//
// Threads. The papers have neither creation nor joins. Here a create, a join and an exit are events of their
// threads, without a location, and
//
//   asw = { (create of t, first event of t) } ∪ { (exit of t, join of t) }        additional synchronises-with
//         ∪ { (arrive, leave) of the same phase of a meeting }
//
// sb ("sequenced before") is the papers' po: init before everything, and the order within a thread. asw enters
//   - hb, porf and the global order of SC, always beside sb;
//   - psc, where the papers say po, as po = (sb ∪ asw)⁺. This is the same as giving each thread a first event
//     without a location, `start`, ordered after its create: then sb|≠loc;hb;sb|≠loc covers the same pairs. So SC
//     accesses before a create or an exit are SC-before those after the start or the join.
// Meetings (graph/meetings.hpp). The phase of an arrive is a part of its label, and axioms.cpp holds it against hb. An
// arrive is in T, a leave is not: it waits for nothing in its own thread's buffer.
//
// asw does not enter sw: a release fence covers writes of its own thread only, as in C11.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/mode.hpp"
#include "core/value.hpp"
#include "models/axioms/relation.hpp"

namespace heddle::axioms {

enum class Type : uint8_t { init, read, write, fence, create, join, exit, arrive, leave, other };

inline constexpr int kNone = -1;

struct Event {
  Type type = Type::other;
  Mode mode = Mode::na;
  bool exclusive = false;  // part of an rmw
  bool locked = false;     // read by an instruction that may write: an rmw, or a cas, whether it succeeds or not
  int thread = kNone;      // kNone for init
  int index = 0;           // position in its thread, from 0
  int rf = kNone;          // read: the event that it reads from
  int child = kNone;       // create, join: the other thread
  Address location = 0;    // init, read, write, arrive, leave
  Value value;             // read or written; of `other`: what was chosen; of a leave: whether it is elected
  uint64_t phase = 0;      // arrive, leave
  uint64_t places = 0;     // arrive, leave: of the meeting
  uint64_t weight = 0;     // arrive: how many come
  uint64_t last = 0;       // arrive: how many of them for the last time
};

struct Execution {
  std::vector<Event> events;
  // co of each location, as a sequence of events that starts with its init.
  std::vector<std::vector<int>> co;
  // Exclusive read and exclusive write of an rmw.
  std::vector<std::pair<int, int>> rmw;
};

// What is wrong with the data itself, whatever the model: a read without a write of the same location and value, an rmw
// whose halves are not neighbours, a write that is in no co or in two, … Empty if nothing is.
std::string malformed(const Execution&);

// The sets and the model-independent relations of an execution. init counts as a write of mode na.
struct Relations {
  explicit Relations(const Execution&);

  Set E, R, W, F;
  Set rlx, acq, rel, sc;  // E⊒rlx and so on: events of at least this mode
  Set locked;             // Event::locked, and the writes of rmws
  Set T;                  // create, join, exit, arrive
  Relation sb, asw, rf, co, rmw, same_loc;
  Relation rb;  // reads before: rf⁻¹;co
};

// How many have arrived in this phase of a meeting, by the arrivals in `among`, and how many have to.
struct Attendance {
  uint64_t arrived, places;
};
Attendance attendance(const Execution&, Address location, uint64_t places, uint64_t phase, const Set& among);

// The extended coherence order: (co ∪ rf ∪ rb)⁺
Relation eco(const Relations&);

// A string that says all about an execution but the order in which its events are listed: per thread the labels with
// the names of what is read, then co (unless the model has none). Two executions are the same iff their strings are.
std::string canonical(const Execution&, bool with_co = true);

// The value of the co-last write of each location, in the order of Execution::co.
std::vector<Value> final_memory(const Execution&);

}  // namespace heddle::axioms
