// Awaits in spore: no graph is explored further in which a thread waits although it need not.
//
// Let r be the next action of thread t, an await of location l. As long as the co-last write of l does not satisfy r, t
// may not start. When it does, r is added like any other read: it reads from the co-last write first, and the older
// writes that satisfy it are the other choices. Three rules follow from that.
//
// Losing. Let r be an await in the graph, and w a write to l that is added later and does not satisfy r. w may have to
// come before r: what r waits for may depend on w. w may not even fit in while r reads what it does (under SC, the
// events before r are then before w).
//   - Where w would revisit an ordinary read, r loses to w. The new graph has w, the prefix of w, and all events that
//     were added before r. r leaves the graph. w is the winner over r. Like the write of any revisit, w can never be
//     deleted again.
//   - r comes back only with a write that descends from w. The last write that a write w' knows is the co-last one of
//     those that were added before w', and were added before r or are in the prefix of w'. w' descends from w if the
//     way from w' to the last write that it knows, and so on, leads to w.
//   - A write that does not know w revisits r in the graph in which r has not lost to w.
//   - The write that r reads in the end tells whether r has lost, and to which write. So each execution has one way.
//   - Def. 2.1 for an await that has lost, and that a revisit deletes: it was added maximally iff it still loses with
//     the events that the revisit keeps (first_deletable).
//
// Reading late. The write that t waits for may have been overwritten, and yet t may read it. So when no thread can go
// on, the threads that wait read older writes: they read late.
//   - The first thread in the order of threads that reads late goes first. Let u read late while t waits, and let t
//     come before u in that order. From then on t reads only writes that were added after u's read (passed_by).
//   - The scheduler does not add a late read by itself. So a late read never counts as added maximally.
//   - A revisit of an event that was added after u's late read leaves the rule for t as it is. A revisit of an event
//     that was added before forgets it: if t had read late there, the revisit could not delete t's read.
//
// Standing still. If no thread can go on, and none reads late, each thread that waits would read the co-last write. If
// that satisfies none of them, they wait for ever: a deadlock or livelock of the program.
//
// Completeness and uniqueness are as for SPORE: at the first choice in which two ways differ, what the read, or the
// await that loses, reads in the end differs. The fuzzer holds both against brute force.
#pragma once

#include "explore/thread_order.hpp"
#include "graph/graph.hpp"

namespace heddle {

// The write to which t's next event, an await of l, has lost; kNoEvent if it has not.
EventId winner_over(const Graph& g, ThreadId t, LocId l);

// Whether an await that finds w has lost to the winner on the way there.
bool descends(const Graph& g, EventId w, EventId winner);

// Whether an await goes on with w that has lost to the winner, if there is one.
inline bool follows(const Graph& g, EventId w, EventId winner) {
  return winner == kNoEvent || (w != winner && descends(g, w, winner));
}

// Awaits that have lost, and would be deleted, must still lose with what the revisit by w keeps. The first read
// that w may revisit so that no await is deleted that would then not lose.
EventId first_deletable(const Graph& g, EventId w);

// How many of the first `size` events there were when t, which waits, last let another thread read late; 0 if it has
// not.
std::size_t passed_by(const Graph& g, ThreadId t, std::size_t size, const ThreadOrder& threads);

}  // namespace heddle
