// Whether another thread could have told that rounds are left out which take back what they have added.
//
// Terms. l is a location. A *round* of thread t has the read-modify-write a, which adds c to l, and u, which subtracts
// it again (frontend/loops/undone.hpp); all else that it does is to read l. The program goes on from a, without u, iff
// the value that a reads satisfies the condition of a. So the machine makes a an await, and nobody explores a round. r
// is an await of this kind in the graph: t has left the loop with it, or waits in it.
//
// Claim. Let G be an execution of the program, and S all rounds in it; of a round that has not come to u, only a. For
// an event e outside of S that reads l, let v be the value of the last write outside of S that is co-before what e
// reads, and s the sum of what the rounds of S have added and not taken back there: e reads v + s. If each e decides
// the same with v as with v + s, then G without S is an execution that is explored, with the same states of all
// threads.
//   - By induction along co. A write outside of S of a read-modify-write that gives f(v + s) has to give f(v) + s;
//     a store is none that does so, unless s is 0.
//   - A round leaves its thread in its state: u has restored l, and s is the same after the round as before it.
//   - No order is new. All of S on l are read-modify-writes. So e, which reads from the last of a chain of them, was
//     already co-after the write w before the chain, and in the release sequences that w is in. What e loses is the
//     order from the rounds' own threads. An execution with fewer events and less order is consistent under each model,
//     and finds as many races.
//   - An await outside of S that does not go on with v + s is of a round that changes nothing, or of S: it is left
//     out, too. So it matters only if an await goes on with v + s and not with v, or with both but not in the same way
//     (Action::result_unused says that what it reads decides nothing else).
//   - A thread that turns round for ever in such a round reads a value that does not satisfy a, and waits in r: the
//     livelock is found. With looks (frontend/loops/undone.hpp) it cannot turn round where r would not wait.
//
// So let G be an execution in which some e decides otherwise, the first one in some order of its events. What comes
// before e, without S, is a part of executions that are explored. One of them, F, goes on with e reading v, or waiting,
// and with all other threads reading what was written last. In F a round of t was possible at e:
//   - t has not left the loop before: r does not happen before e, and what r reads is not co-before what e reads;
//   - t has entered the loop before: the last event before its rounds does not happen after e, and no write of l that
//     happens before that event is co-after what e reads;
//   - some value of l since then does not satisfy a, with what other threads' rounds may have added.
// Each execution is searched for this, with each sum of rounds of different threads that are possible at e. If there is
// such an e, the assumption does not hold (Assumption::undone). More may be found than the program can do: then the
// rounds are followed without need.
//
// Where the order of writes is not that of all executions that this one stands for, each place of e in it counts that
// may be one in others (Order). Wrc11 has no such order, and no rule that a read-modify-write comes right after what it
// reads. There as with other rounds that change nothing (frontend/loops/rounds.cpp), the executions that only wrc11 has
// and that need such a round are lost.
#pragma once

#include "graph/graph.hpp"

namespace heddle {

// What the order of writes in a graph says of the executions that it stands for.
enum class CoOf : uint8_t {
  all,        // it is theirs
  classes,    // but for read-modify-writes with unused results that follow each other (await)
  none,       // nothing (wrc11)
  by_values,  // nothing, and happens-before no more than the order of the program does (rvf)
};

bool sees_undone(const Graph& g, CoOf co);

}  // namespace heddle
