// What a program allocates: the type of each block, as far as the source tells, so that a report can say "Node#2.next".
//
// Clang tells the type of `new T`. The call of malloc, or of operator new in an allocator, knows a size only. What is
// done with its result tells more: a constructor is called on it, it is put into a variable, returned, or passed on,
// and all of these have types.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <utility>

namespace heddle::frontend {

// Of each call that allocates in the function. After the variables are marked (mark.hpp).
void mark_allocations(llvm::Function& f);

// The types of what calls allocate, by their places, which inlining leaves as they are.
class AllocatedTypes {
 public:
  explicit AllocatedTypes(llvm::Module& module);
  // Null if it is not known, or the call does not allocate.
  const llvm::DIType* of(const llvm::CallBase& call) const;

 private:
  using Place = std::pair<const llvm::Metadata*, std::pair<unsigned, unsigned>>;  // scope, line, column
  llvm::DenseMap<Place, const llvm::DIType*> types_;
};

}  // namespace heddle::frontend
