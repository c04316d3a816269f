// Counted spins: loops that look for something again and again, but not for ever.
//
//   for (i = 0; i < 1024 && !load(&flag); ++i) pause();      if (i == 1024) give up;
//   int spins = 100; while (!try_lock() && --spins) {}
//
// Terms. A counter of the loop decides nothing but when to leave; apart from it all rounds are alike. Round N is the
// last one, in which the counter lets the thread go. A round is *idle* if it goes back and changes nothing but counters
// (rounds.cpp says what that means). It is *plain* if it is idle and has at most one visible action.
//
// Rule. After a plain round the counter jumps to its value in round N. __heddle_skip decides that (native/atomic.cpp).
// The thread need not wait: it leaves by the condition or by the counter.
//
// What is seen is true. Each execution with a jump stands for one of the program, in which the plain round is repeated
// until N is reached:
//   - A round without an action has seen nothing that other threads could change meanwhile. (They could change plain
//     memory only in a data race, which is found in the first round.)
//   - Let r be the only action of a round, a read or a read-modify-write that writes what it reads. r can be done again
//     at once: each repetition reads from the same write, or from the repetition before. It comes just after that in po
//     and in co or rf. A cycle in one of the models' orders that passes through a repetition also passes through the
//     first r or the last one: each edge into a repetition has one into those, and so has each edge out of it. A fence,
//     a choice or a lock is an action as well. If it is the only one in the round, nothing reads between two of them.
//   - With two actions this is not so. They may have read values that were never there at the same time. Such a round
//     is followed like any other, and the counter goes on by one.
//
// Nothing is lost, as long as each round that goes back is idle. Take an execution of the program, or a prefix of one,
// such as one that ends with an error.
//   - If thread t is in the loop, or has left it by another way than the counter, let t do its last round at once, with
//     what that has read. (To leave out a round that changes nothing is sound under each model: rounds.cpp.) The tests
//     of the counter say "stay" in that first round as they did in the last one. Nothing else in the loop looks at the
//     counter. After the loop only comparisons do that have the same outcome for each round before N.
//   - If t has left by the counter, in round N, and one of its rounds was plain, leave out all others. t does this one,
//     jumps, and does round N as it was, with all counters as they were.
//   - If t has left by the counter and no round was plain, t has not jumped: the execution is explored as it is.
//
// If a round goes back and has changed something, executions may be lost: with two such rounds and a plain one between
// them, the counter has come further than with the two alone, but not as far as after a jump. That is noticed while the
// program runs. In the shortest prefix of an execution with such a round all earlier rounds can be left out. So the
// round is seen, whatever is skipped. If nothing has been skipped yet in this loop, nothing will be. Otherwise the
// exploration starts again without skipping in it (explore/restarts.hpp).
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
