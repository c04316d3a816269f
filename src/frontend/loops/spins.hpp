// Counted spins: loops that look for something again and again, but not for ever.
//
//   for (i = 0; i < 1024 && !load(&flag); ++i) pause();      if (i == 1024) give up;
//   int spins = 100; while (!try_lock() && --spins) {}
//
// All rounds are alike but for a counter, which decides nothing but when to leave. So a thread follows such a loop for
// one round; if that has changed nothing (rounds.cpp says what that means), the counter jumps to its value in the last
// round, number N, in which it lets the thread go. The thread need not wait: it leaves by the condition or by the
// counter.
//
// A round is *idle* if it goes back and changes nothing but counters, and *plain* if it is idle and has at most one
// visible action. A thread jumps after a plain round. That is what __heddle_skip decides (native/atomic.cpp).
//
// What is seen is true: each execution with a jump stands for one of the program, in which the plain round is repeated
// until N is reached.
//   - A round without an action has seen nothing that others could change meanwhile. (Plain memory they could only
//     change in a data race, which is found in the first round.)
//   - A round of one action, a read or a read-modify-write that writes what it reads, can be done again at once: each
//     repetition reads from the same write, or from the repetition before, just after it in po and in co or rf. A cycle
//     in any of the models' orders through a repetition is one through the first read or the last: what comes in comes
//     in there, too, and likewise what goes out. A fence, a choice or a lock is an action as well; if it is the only
//     one in the round, nothing reads between its repetitions.
//   - Of two actions this is not so. They may have read what never was true at the same time. Such a round is followed
//     like any other, and the counter goes on by one.
//
// Nothing is lost, as long as each round of the loop that goes back is idle. Take an execution of the program, a prefix
// of one too, such as one that ends with an error.
//   - If a thread is in the loop or has left it by another way than the counter, let it do its last round at once, with
//     what that has read. (Leaving out a round that changes nothing is sound under each model: rounds.cpp.) The tests
//     of the counter say "stay" in that first round as they did in the last one. Nothing else in the loop looks at the
//     counter, and after the loop only comparisons do that have the same outcome for each round before N.
//   - If it has left by the counter, in round N, and one of its rounds was plain, leave out all others. The thread does
//     this one, jumps, and does round N as it was, with all counters as they were. If none was plain, none has jumped:
//     the execution is explored as it is.
//
// If some round goes back and has changed something, rounds after it may be lost: with two such rounds and a plain one
// between them the counter has come further than with the two alone, but not as far as after a jump. That is noticed
// while the program runs. In the shortest prefix of an execution with such a round all earlier rounds can be left out,
// so it is seen, whatever is skipped. If nothing has been skipped yet in this loop, nothing will be. Else the
// exploration starts again without (explore/restarts.hpp).
//
// A spin never waits, so it is never a livelock by itself. A loop around it that changes nothing is one as ever.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "frontend/loops/influence.hpp"
#include "frontend/program/request.hpp"

namespace heddle::frontend {

struct Spin {
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>, 2> last;  // the counters, and their values in round N

  bool counts(const llvm::PHINode& phi) const {
    return any_of(last, [&](const auto& counter) { return counter.first == &phi; });
  }
};

class Spins {
 public:
  Spins(llvm::Function& f, const OfFunction& only_pauses) : f_(f), only_pauses_(only_pauses) {}

  // Whether the loop with this head is a counted spin. If it only looks like one, `why_not` says what is wrong.
  std::optional<Spin> find(llvm::BasicBlock& head, std::string& why_not);

 private:
  llvm::Function& f_;
  const OfFunction& only_pauses_;
  std::unique_ptr<Influence> influence_;  // when it is needed
};

}  // namespace heddle::frontend
