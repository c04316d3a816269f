// Races with rounds that are left out.
//
// A round of a waiting loop that changes nothing is left out of an execution (frontend/loops/rounds.cpp). What remains
// is an execution. But the round has read memory, and may race. Let r be a read of the round of thread t, and b what
// thread u does to the same memory, in no order of hb with r: a plain write, or the end of the memory's life.
//   - If no event of t after the round comes before b by porf, then b is done also where t waits in this round. There
//     the race is found.
//   - Otherwise u has learnt of t by a way that synchronises nothing, as relaxed accesses do. Where t has not left the
//     loop, b may not be done. The execution without the round has no race, unless the round that takes its place reads
//     the same.
//
// So each execution is searched for a b, a thread t and a number q of events of t after which a round of a waiting loop
// has begun, with hb(b)[t] <= q < porf(b)[t]: a round that was left out there would not be ordered with b, and b
// depends on t having left it. In most programs there is none. Only if there is, the exploration starts again and
// notes what rounds read, too (LeftOut::watched). If some round of a thread with the same code as t, in some
// execution, has read the memory of b, then the assumption does not hold that no such race is lost. In the next
// exploration each thread may do one round that would be left out otherwise: a choice. One suffices, because a race
// has one r.
//
// The two may be seen in different executions, and in different processes: what has been seen are promises.
// In models where porf and hb are the same there is nothing to do.
//
// Not looked for: a race with a plain access of such a round, or of a read-modify-write of such a round with a plain
// read.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/promise.hpp"
#include "core/ranges.hpp"
#include "graph/graph.hpp"
#include "machine/machine.hpp"

namespace heddle {

// How many events of t are porf-before the event e or are e. Unlike cb, porf knows nothing of twins.
uint32_t porf_of(const Graph& g, EventId e, ThreadId t);

// After how many events t has begun its last round of a waiting loop of which e depends, and which is not ordered
// before e in hb. Nothing if there is none.
std::optional<uint32_t> last_round_in_window(const Graph& g, Machine& machine, EventId e, ThreadId t);

class EarlierRounds {
 public:
  // Looks at a whole execution. Whether a race may be lost, as far as is known.
  bool may_lose_race(const Graph& g, Machine& machine);

  void list(std::vector<Promise>& all) const;

 private:
  void note_reads(const Graph& g, Machine& machine, ThreadId t, std::span<const WaitRound> rounds);

  // Threads that run the same code may be exchanged.
  struct OfCode {
    Ranges read;                    // in such rounds
    std::vector<uint8_t> is_noted;  // locations that are there
    Ranges lost;                    // by a b that such a thread does not know of
    uint64_t compared = 0;
  };
  std::map<uint32_t, OfCode> of_;
};

}  // namespace heddle
