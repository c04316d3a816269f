// What a thread does from a read to the cut, as a function of the value read: what conditions.hpp is about. Here it is
// built, instruction by instruction.
#pragma once

#include "frontend/loops/region.hpp"
#include "frontend/program/request.hpp"

namespace heddle::frontend {

// What the function tells.
enum class Tells : uint8_t {
  whether,  // bool: whether the thread goes on
  where,    // nothing, but it calls Built::leave(n) where the thread goes on: n for each place another number
  how,      // i8, of a look (undone.hpp): kToCut, kGoesOn, kStays
};
inline constexpr uint8_t kToCut = 0, kGoesOn = 1, kStays = 2;

struct Built {
  llvm::Function* function = nullptr;  // null if nothing can be said. Its arguments: the value read, the known ones
  llvm::SmallVector<llvm::Value*> known;
  llvm::SmallVector<llvm::StoreInst*> stores;  // on the way
  llvm::SmallVector<llvm::LoadInst*> looks;    // where the way has been followed no further (undone.hpp)
  bool undoes = false;                         // a way takes back what the read has added
  // Tells::where:
  llvm::Function* leave = nullptr;
  bool is_used = false;  // the value, for more than to decide where to go
};

Built build_condition(llvm::Instruction& read, const Way& way, const llvm::DominatorTree& dominators,
                      const OfFunction& only_pauses, const OfFunction& assumes, Tells tells);

}  // namespace heddle::frontend
