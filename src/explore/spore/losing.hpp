// Awaits that block in no useless graph, in spore.
//
// An await whose co-last write does not satisfy it is not in the graph: its thread may not start. When it may, its read
// is added as any other, with the co-last write first. So no graph goes on in which a thread waits although it need
// not. Three things follow from that.
//
//   Losing. A write w that does not satisfy an await r in the graph may have to come before r: w may be needed for what
//   r waits for, and may not even fit in while r reads what it does (under SC, the events before r are then before w).
//   Where an ordinary read would be revisited by w, r loses to w: w stays with its prefix and all that was added before
//   r, r leaves the graph, and w, its winner, can never be deleted, as after any revisit. r comes back with writes that
//   descend from w only: going back from one of them to the last write that it knows, and so on, leads to w. What does
//   not know w revisits r where r has not lost to w. So whatever r reads in the end tells whether it has lost, and to
//   whom: no execution has two ways. As a part of what is deleted (Def. 2.1), an await that has lost is as it must be
//   iff it still loses with what is kept.
//
//   Reading late. What a thread waits for may have come and gone, and yet be read: when no thread can go on, those that
//   wait read older writes. The first in the order of threads that does so goes first: one that has let another go
//   before it reads only what came after that. A late read is not what the scheduler adds by itself, so that it is
//   never maximal. A revisit of something that was added later leaves this as it is. One of something that was added
//   before forgets it: had the first one read late there, the revisit could not delete that.
//
//   Standing still. If nobody can go on, and nobody reads late, each thread that waits would read the co-last write. If
//   that satisfies none of them, they wait for ever: a deadlock or livelock of the program.
//
// Completeness and uniqueness are as for SPORE: at the first choice in which two ways differ, what the read, or the
// await that loses, reads in the end differs. The fuzzer holds both against brute force.
#pragma once

#include "explore/judge/progress.hpp"
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
