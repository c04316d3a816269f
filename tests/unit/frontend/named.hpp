// Clang's code with other names than it has given to values, or with none.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <string_view>

namespace heddle::testing {

// What clang makes of a source, with the arguments that heddle gives it.
std::unique_ptr<llvm::Module> clang_module(llvm::LLVMContext& context, std::string_view source, const char* extension);

enum class ValueNames { clangs, others, none };

// Runs the program: its exit status, or why it was stopped.
std::string end_of(std::string_view source, const char* extension, ValueNames names);

}  // namespace heddle::testing
