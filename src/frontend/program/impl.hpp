// What a Program is made of. Only the front end looks inside.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>
#include <vector>

#include "frontend/program/program.hpp"
#include "image/image.hpp"

namespace heddle {

// The constant that holds the initial thread_local block, for the loader to relocate and read.
inline constexpr llvm::StringLiteral kTlsImage = "__heddle_tls_image";

struct Program::Impl {
  struct Variable {
    std::string symbol;    // in the module
    Image::Global global;  // without its address
  };
  struct Function {
    std::string symbol;
    std::string name;  // as the source writes it
  };

  struct Condition {
    std::string symbol;
    uint32_t known;  // values
  };

  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> target;
  std::string bitcode;  // of the linked files, if it is wanted
  SiteTable sites;
  std::vector<LoopNote> loops;
  std::vector<External> externals;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Condition> conditions;  // of awaits
  bool looks = false;                 // some await is a recheck, or assumed (Action)
  bool waits = false;                 // some loop waits, or may change nothing in a round
  bool undoes = false;                // awaits: some take back what they have added
  std::vector<Image::Local> locals;
  std::vector<Image::Allocation> allocations;
  bool for_debugger = false;
  std::size_t tls_align = 16;
  std::vector<Image::Global> tls_variables;  // address: offset in the block
  std::vector<std::unique_ptr<Image::Type>> types;
};

}  // namespace heddle
