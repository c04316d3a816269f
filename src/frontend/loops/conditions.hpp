// For which values of a read a thread goes on, as a function of its own.
//
// Let i be a read of a loop that is cut somewhere before it (cuts.hpp). The function gets the value that i finds and
// what the thread knew before i. It does what the thread does from i to the cut, as long as that is nothing but
// computing, and returns false iff the thread comes there, with the state that the round has begun with, and i has
// changed nothing. Everywhere else it returns true: the thread goes on, or nothing is known. So there is no limit on
// the form of a condition.
//
// Without a loop, it returns false iff the thread comes to an assumption that is false.
//
// A round that takes back what the read has added has changed nothing: undone.hpp.
//
// On the way a round may store what each round stores anew (retries.hpp); what it then loads from there is known.
#pragma once

#include <memory>
#include <vector>

#include "core/action.hpp"
#include "frontend/ir/runtime.hpp"
#include "frontend/loops/condition_function.hpp"
#include "frontend/loops/region.hpp"
#include "frontend/program/impl.hpp"
#include "frontend/program/request.hpp"

namespace heddle::frontend {

// The attribute of such a function. It is not instrumented.
inline constexpr llvm::StringLiteral kCondition = "heddle-condition";

struct WaitCondition {
  Await await = Await::none;
  llvm::Value* expected = nullptr;                  // of equal and not_equal: known before the read
  uint32_t number = 0;                              // of holds
  llvm::SmallVector<llvm::Value*> known;            // likewise
  llvm::SmallVector<llvm::StoreInst*> stores = {};  // on the way
  bool rechecks = false;                            // waits for what a load of the same place has read
  bool undoes = false;                              // on some way the round takes back what the read has added
  bool looks = false;                               // and then waits in a look
  bool only_waits = false;                          // what is read decides nothing else
};

class ConditionMaker {
 public:
  ConditionMaker(Runtime& runtime, const OfFunction& only_pauses, const OfFunction& assumes, Program::Impl& program,
                 bool watches);
  ~ConditionMaker();

  // Await::none if the thread always goes on, or nothing can be said.
  WaitCondition make(llvm::Instruction& read, const Way& way, const llvm::DominatorTree& dominators);
  // Whether some of them take back what the read has added.
  bool undoes() const { return undoes_; }
  void note_look() { program_.looks = true; }

 private:
  struct Simplifier;

  Built build(llvm::Instruction& read, const Way& way, const llvm::DominatorTree& dominators, Tells tells);
  void simplify(llvm::Function& f);
  bool only_waits(llvm::Instruction& read, const Way& way, const llvm::DominatorTree& dominators);
  bool may_wait_in_looks(const Built& whether, const Way& way, const llvm::DominatorTree& dominators);
  bool is_proven(const Built& whether, const Built& how);
  WaitCondition compare(const llvm::Function& f, llvm::ArrayRef<llvm::Value*> known) const;
  uint32_t keep(llvm::Function& f);

  Runtime& runtime_;
  const OfFunction& only_pauses_;
  const OfFunction& assumes_;
  Program::Impl& program_;
  bool undoes_ = false;
  const bool watches_;  // some rounds may take back what they have added: it matters what values decide
  std::unique_ptr<Simplifier> simplifier_;
};

}  // namespace heddle::frontend
