#include "frontend/ir/sites.hpp"

#include <llvm/IR/Function.h>

#include <cstdlib>
#include <filesystem>

#include "core/assert.hpp"
#include "frontend/ir/runtime.hpp"

namespace heddle::frontend {

namespace {

// The user's files as the user wrote them; clang's roundabout ways to system headers made short. A name that is
// relative to another folder than this one (clang ran there, or has split a path that way) is made one that is right
// from here.
std::string file_name(llvm::StringRef name, llvm::StringRef folder) {
  namespace fs = std::filesystem;
  if (name.starts_with("/")) return fs::path(name.str()).lexically_normal().string();
  if (!folder.starts_with("/") || name.starts_with("<")) return name.str();
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const char* shell = std::getenv("PWD");  // the same with the links that the user went through; clang prefers it
  if (folder == here.string() || (shell && folder == shell)) return name.str();
  const fs::path file = (fs::path(folder.str()) / name.str()).lexically_normal();
  const fs::path short_name = file.lexically_relative(here);
  return short_name.empty() || *short_name.begin() == ".." ? file.string() : short_name.string();
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
    id = table_.add({.file = file_name(function->getFilename(), function->getDirectory()),
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
  Site site{.file = file_name(location->getFilename(), location->getDirectory()),
            .line = location->getLine(),
            .column = location->getColumn(),
            .function = function ? qualified_name(function->getScope(), function->getName()) : "",
            .caller = caller};
  if (site.line == 0 && function) site.line = function->getLine();  // code that the compiler made up
  HEDDLE_ASSERT(!known_.contains(location));                        // the caller is another one
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
