// Where the rounds of a loop begin, and what of a round outlives it.
//
// A loop may be cut at the start of any block that each round passes once. The head is one; but what a thread carries
// from one round into the next may be less at another:
//
//   int a = load(x);
//   while (a != 0) {     // at the head the thread needs a
//     a = load(x);       // here it does not
//   }
//
// A round begins at a cut and ends when the thread comes there again. The *state* at a cut are the values that the
// thread has computed in the loop before it and needs after it; what it needs of memory is asked for one by one
// (is_dead). Two rounds that begin with the same state, the same memory and the same reads do the same.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "frontend/checks/privacy.hpp"

namespace heddle::frontend {

// Metadata of a variable of ours that is true in the first round of a loop. It is of no state.
inline constexpr llvm::StringLiteral kFirstRound = "heddle.first";
inline bool is_first_round(const llvm::Instruction& i) { return i.hasMetadata(kFirstRound); }

struct Cut {
  llvm::BasicBlock* block = nullptr;               // at its start
  llvm::SmallVector<llvm::Instruction*, 4> state;  // phi nodes of the block among them
};

// The one at which least of a round outlives it, and the first of these.
Cut best_cut(const llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators);
Cut cut_at(const llvm::Loop& loop, llvm::BasicBlock& block);

// A variable of the state that each round changes, as far as one can tell; null if there is none.
const llvm::Instruction* always_moves(const llvm::Loop& loop, const Cut& cut);

// Whether nothing that stands in the variable where the thread passes the cut is read afterwards.
bool is_dead(const llvm::AllocaInst& local, const Cut& cut);

// Whether what stands in the variable may be part of the state.
bool can_be_compared(const llvm::AllocaInst& local);

// Whether each round stores there anew before it can leave the loop, and before it reads memory, but for the loads in
// `before`: the store must not be to what they read.
bool is_done_anew(const llvm::Loop& loop, const Cut& cut, const llvm::StoreInst& store,
                  llvm::SmallVectorImpl<llvm::LoadInst*>& before);

// A store that is a plain one, or counts as one as long as no other thread uses the place in no order with it
// (Assumptions::own). mark_own: the machine is told.
bool counts_as_plain(const llvm::StoreInst& store);
void mark_own(llvm::StoreInst& store);

// Whether the value is the same in all rounds.
bool stays(const llvm::Loop& loop, const llvm::Value* v);

// The variable of the function that an instruction writes to, if it is one.
const llvm::AllocaInst* stored_variable(const llvm::Instruction& i);

}  // namespace heddle::frontend
