// The declarations of machine/abi.hpp in a module, and the few idioms for calling them.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "core/action.hpp"
#include "core/ids.hpp"
#include "core/mode.hpp"

namespace heddle::frontend {

// Carried by each function that Runtime::call has declared.
inline constexpr llvm::StringLiteral kRuntimeAttribute = "heddle-runtime";
// A use that keeps an otherwise unused plain load alive until it is instrumented. Gone afterwards.
inline constexpr llvm::StringLiteral kKeep = "__heddle_keep";
// Metadata of a load: the read half of a bit-field store.
inline constexpr llvm::StringLiteral kPeek = "heddle.peek";

class Runtime {
 public:
  explicit Runtime(llvm::Module& module);

  llvm::Module& module;
  llvm::Type* const none;
  llvm::IntegerType* const i32;
  llvm::IntegerType* const i64;
  llvm::PointerType* const ptr;

  // A call of a runtime function, declared on first use. `arguments` have the types of the ABI.
  llvm::CallInst* call(llvm::IRBuilderBase& b, llvm::StringRef name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments);

  llvm::Value* constant(int64_t v) const { return llvm::ConstantInt::getSigned(i32, v); }
  llvm::Value* site(SiteId s) const { return llvm::ConstantInt::get(i32, index(s)); }
  llvm::Value* mode(Mode m) const { return constant(static_cast<int>(m)); }
  llvm::Value* size(uint64_t bytes) const { return llvm::ConstantInt::get(i64, bytes); }

  // int64_t __heddle_fuel
  llvm::GlobalVariable* fuel();
};

// Whether it is a function of machine/abi.hpp, as opposed to one of the program.
bool is_runtime(const llvm::Function* callee);

Mode mode_of(llvm::AtomicOrdering order);

}  // namespace heddle::frontend
