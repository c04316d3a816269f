#include "frontend/sites.hpp"

#include <llvm/IR/Function.h>

#include <filesystem>

#include "frontend/runtime.hpp"

namespace heddle::frontend {

namespace {

// The user's files as the user wrote them; clang's roundabout ways to system headers made short.
std::string file_name(llvm::StringRef name) {
  if (!name.starts_with("/")) return name.str();
  return std::filesystem::path(name.str()).lexically_normal().string();
}

}  // namespace

std::string qualified_name(const llvm::DIScope* scope, llvm::StringRef name) {
  std::string result = name.str();
  for (; scope; scope = scope->getScope()) {
    if (!llvm::isa<llvm::DINamespace, llvm::DICompositeType>(scope)) break;
    if (scope->getName().empty()) continue;
    if (const auto* space = llvm::dyn_cast<llvm::DINamespace>(scope); space && space->getExportSymbols()) continue;
    result = scope->getName().str() + "::" + result;
  }
  return result;
}

SiteId Sites::of(const llvm::DISubprogram* function) {
  if (!function) return kNoSite;
  SiteId& id = known_[function];
  if (id == kNoSite) {
    id = table_.add({.file = file_name(function->getFilename()),
                     .line = function->getLine(),
                     .function = qualified_name(function->getScope(), function->getName())});
  }
  return id;
}

SiteId Sites::of(const llvm::DILocation* location) {
  if (!location) return kNoSite;
  if (const auto found = known_.find(location); found != known_.end()) return found->second;
  const SiteId caller = of(location->getInlinedAt());
  const llvm::DISubprogram* function = location->getScope()->getSubprogram();
  Site site{.file = file_name(location->getFilename()),
            .line = location->getLine(),
            .column = location->getColumn(),
            .function = function ? qualified_name(function->getScope(), function->getName()) : "",
            .caller = caller};
  if (site.line == 0 && function) site.line = function->getLine();  // code that the compiler made up
  return known_[location] = table_.add(std::move(site));
}

SiteId Sites::of(const llvm::Instruction& instruction) {
  if (const SiteId id = of(instruction.getDebugLoc().get()); id != kNoSite) {
    if (instruction.hasMetadata(kVolatile)) table_.set_volatile(id);
    return id;
  }
  return of(instruction.getFunction()->getSubprogram());
}

std::string Sites::where(SiteId id) const {
  const Site& site = table_[user_frame(table_, id)];
  if (site.file.empty()) return "unknown place";
  return site.file + ":" + std::to_string(site.line);
}

}  // namespace heddle::frontend
