#include "frontend/rewrite/parts.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Object/IRSymtab.h>

#include <stdexcept>

#include "core/error.hpp"

namespace heddle::frontend {

using namespace llvm;

namespace {

[[noreturn]] void fail(const LibraryPart& part, const std::string& why) {
  throw std::logic_error("the library part " + std::string(part.name) + " cannot be used: " + why);
}

MemoryBufferRef buffer(const LibraryPart& part) { return {part.bitcode, part.name}; }

StringSet<> defined_by(const LibraryPart& part) {
  Expected<BitcodeFileContents> contents = getBitcodeFileContents(buffer(part));
  if (!contents) fail(part, toString(contents.takeError()));
  Expected<irsymtab::FileContents> table = irsymtab::readBitcode(*contents);
  if (!table) fail(part, toString(table.takeError()));
  StringSet<> names;
  for (const irsymtab::Reader::SymbolRef& symbol : table->TheReader.symbols()) {
    if (!symbol.isUndefined() && symbol.isGlobal()) names.insert(symbol.getName());
  }
  return names;
}

// A weak symbol may stay undefined: it is linked with a part that is needed anyhow.
bool is_undefined(const GlobalValue& g) { return g.isDeclaration() && !g.use_empty() && !g.hasExternalWeakLinkage(); }

// Of all that the module leaves undefined, what the part has.
std::vector<std::string> wanted(const Module& module, const StringSet<>& part) {
  std::vector<std::string> names;
  for (const GlobalValue& g : module.global_values()) {
    if (is_undefined(g) && part.contains(g.getName())) names.push_back(g.getName().str());
  }
  return names;
}

// A header may say of a function that it only reads, or always returns. Ours does what its code says.
void forget_promises(Module& module, const std::vector<std::string>& names) {
  AttributeMask promises;
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree}) {
    promises.addAttribute(kind);
  }
  for (const std::string& name : names) {
    Function* f = module.getFunction(name);
    if (!f) continue;
    f->removeFnAttrs(promises);
    for (User* user : f->users()) {
      if (auto* call = dyn_cast<CallBase>(user)) call->removeFnAttrs(promises);
    }
  }
}

void link(Module& module, const LibraryPart& part) {
  Expected<std::unique_ptr<Module>> lazy =
      getLazyBitcodeModule(buffer(part), module.getContext(), /*ShouldLazyLoadMetadata=*/true);
  if (!lazy) fail(part, toString(lazy.takeError()));
  // The same compiler has made both; the user may have asked it for another name of the same machine.
  (*lazy)->setTargetTriple(module.getTargetTriple());
  if ((*lazy)->getDataLayout() != module.getDataLayout()) return;  // a program for another machine has no such symbols
  // Not worth a copy at each call: that would only take time to compile.
  for (Function& f : **lazy) {
    if (!f.isDeclaration()) f.addFnAttr(Attribute::Cold);
  }
  if (Linker::linkModules(module, std::move(*lazy), Linker::LinkOnlyNeeded)) {
    throw UserError("heddle's own " + std::string(part.name) +
                    " does not fit the program: leave out options after -- that change types or calls");
  }
}

}  // namespace

void link_parts(Module& module, std::span<const LibraryPart> parts) {
  std::vector<StringSet<>> defined;
  defined.reserve(parts.size());
  for (const LibraryPart& part : parts) defined.push_back(defined_by(part));
  // What one part needs another may have, also one that was linked before.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::vector<std::string> names = wanted(module, defined[i]);
      if (names.empty()) continue;
      link(module, parts[i]);
      forget_promises(module, names);
      changed = wanted(module, defined[i]).size() < names.size() || changed;
    }
  }
}

}  // namespace heddle::frontend
