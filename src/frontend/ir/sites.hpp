// From LLVM's debug locations to the SiteTable: file, line, column, function and the chain of inlined callers.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instruction.h>

#include <string>

#include "core/site.hpp"

namespace heddle::frontend {

class Sites {
 public:
  // The place of the instruction; without one, of its function.
  SiteId of(const llvm::Instruction& instruction);
  SiteId of(const llvm::DILocation* location);

  // The same place with an id of its own.
  SiteId copy(SiteId id) { return table_.add(Site(table_[id])); }

  // "file:line" for messages, of the innermost frame of the user's own code.
  std::string where(const llvm::Instruction& instruction) { return where(of(instruction)); }
  std::string where(SiteId id) const;

  const SiteTable& table() const { return table_; }
  SiteTable take() { return std::move(table_); }

 private:
  SiteId of(const llvm::DISubprogram* function);

  SiteTable table_;
  llvm::DenseMap<const llvm::Metadata*, SiteId> known_;
};

// The name of a scope as the source writes it: "push", "ns::Stack::push".
std::string qualified_name(const llvm::DIScope* scope, llvm::StringRef name);

}  // namespace heddle::frontend
