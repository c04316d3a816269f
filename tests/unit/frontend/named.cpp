#include "unit/frontend/named.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/clang/clang.hpp"
#include "unit/frontend/double.hpp"

namespace heddle::testing {

std::unique_ptr<llvm::Module> clang_module(llvm::LLVMContext& context, std::string_view source, const char* extension) {
  const SourceFile file(source, extension);
  std::vector<std::string> args = {"-w"};
  if (std::string_view(extension) == ".cpp") args.push_back("-std=c++20");
  const std::string code = frontend::run_clang({{file.path(), args}}, frontend::Cache())[0];
  return llvm::cantFail(llvm::parseBitcodeFile(llvm::MemoryBufferRef(code, "test"), context));
}

std::string end_of(std::string_view source, const char* extension, ValueNames names) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = clang_module(context, source, extension);
  for (llvm::Function& f : *module) {
    for (llvm::Instruction& i : llvm::instructions(f)) {
      if (names != ValueNames::clangs && i.hasName()) i.setName(names == ValueNames::others ? "other" : "");
    }
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, nullptr);
  try {
    return std::to_string(run_text(text, ".ll"));
  } catch (const Stopped& s) {
    return s.why;
  }
}

}  // namespace heddle::testing
