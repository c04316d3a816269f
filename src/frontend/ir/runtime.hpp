// The entry points of the runtime (image/entry_points.hpp) in a module, and the few idioms for calling them.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "core/action.hpp"
#include "core/assert.hpp"
#include "core/ids.hpp"
#include "core/mode.hpp"
#include "image/entry_points.hpp"

namespace heddle::frontend {

// Carried by each function that Runtime::call has declared.
inline constexpr llvm::StringLiteral kRuntimeAttribute = "heddle-runtime";
// A use that keeps an otherwise unused plain load, or a local variable, as it is until it is instrumented. Gone
// afterwards.
inline constexpr llvm::StringLiteral kKeep = "__heddle_keep";
inline bool is_keep(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == kKeep;
}
// Metadata of a load that may find bytes without a value: the read half of a bit-field store, a structure that is
// passed in registers.
inline constexpr llvm::StringLiteral kPeek = "heddle.peek";
// Of an alloca: a variable of clang's own, which may be read without a value (rewrite/peeks.hpp).
inline constexpr llvm::StringLiteral kUnset = "heddle.unset";
inline constexpr llvm::StringLiteral kVolatile = "heddle.volatile";
// Metadata of an atomic store that each round of a loop does anew, and that counts as a plain one (loops/cuts.hpp).
inline constexpr llvm::StringLiteral kStoresOwn = "heddle.stores_own";
// Metadata of what is computed from a clock and used for nothing but time limits (loops/time_limits.cpp).
inline constexpr llvm::StringLiteral kTime = "heddle.time";
// Of an alloca: the DILocalVariable that it is.
inline constexpr llvm::StringLiteral kVariable = "heddle.variable";
// Of the module: pairs of the DILocation of a call that allocates and the DIType of what will be there. (What is noted
// at a call itself is lost when LLVM makes another call of it.)
inline constexpr llvm::StringLiteral kAllocations = "heddle.allocations";
// An rmw whose result the program has no use for.
inline constexpr llvm::StringLiteral kUnused = "heddle.unused";

class Runtime {
 public:
  explicit Runtime(llvm::Module& module);

  llvm::Module& module;
  llvm::Type* const none;
  llvm::IntegerType* const i32;
  llvm::IntegerType* const i64;
  llvm::PointerType* const ptr;

  // A call of an entry point, declared on first use.
  template <abi::Entry e, std::size_t n>
  llvm::CallInst* call(llvm::IRBuilderBase& b, llvm::Value* const (&arguments)[n]) {
    static_assert(n == arity(static_cast<abi::Signature<e>*>(nullptr)), "the entry point has other parameters");
    return call(b, e, type(static_cast<abi::Signature<e>*>(nullptr)), arguments);
  }
  template <abi::Entry e>
  llvm::CallInst* call(llvm::IRBuilderBase& b) {
    static_assert(arity(static_cast<abi::Signature<e>*>(nullptr)) == 0, "the entry point has parameters");
    return call(b, e, type(static_cast<abi::Signature<e>*>(nullptr)), {});
  }
  // One of four entry points of the same type, for accesses of 1, 2, 4 and 8 bytes.
  template <abi::Entry one, abi::Entry two, abi::Entry four, abi::Entry eight, std::size_t n>
  llvm::CallInst* call_sized(uint64_t bytes, llvm::IRBuilderBase& b, llvm::Value* const (&arguments)[n]) {
    static_assert(std::is_same_v<abi::Signature<one>, abi::Signature<two>> &&
                  std::is_same_v<abi::Signature<one>, abi::Signature<four>> &&
                  std::is_same_v<abi::Signature<one>, abi::Signature<eight>>);
    HEDDLE_ASSERT(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
    switch (bytes) {
      case 1: return call<one>(b, arguments);
      case 2: return call<two>(b, arguments);
      case 4: return call<four>(b, arguments);
      default: return call<eight>(b, arguments);
    }
  }

  llvm::Value* constant(int64_t v) const {
    HEDDLE_ASSERT(llvm::isInt<32>(v));
    return llvm::ConstantInt::getSigned(i32, v);
  }
  llvm::Value* site(SiteId s) const { return llvm::ConstantInt::get(i32, index(s)); }
  llvm::Value* mode(Mode m) const { return constant(static_cast<int>(m)); }
  llvm::Value* size(uint64_t bytes) const { return llvm::ConstantInt::get(i64, bytes); }

  // int64_t __heddle_fuel
  llvm::GlobalVariable* fuel();
  // void __heddle_keep(...)
  llvm::Function* keep();

 private:
  template <typename R, typename... A>
  static constexpr std::size_t arity(R (*)(A...)) {
    return sizeof...(A);
  }
  // LLVM's type for a C type or a C function type.
  template <typename T>
  llvm::Type* type() const {
    if constexpr (std::is_void_v<T>) {
      return none;
    } else if constexpr (std::is_pointer_v<T>) {
      return ptr;
    } else if constexpr (std::is_same_v<T, abi::Pair>) {
      return llvm::StructType::get(i64, i64);
    } else {
      static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
      return sizeof(T) == 4 ? i32 : i64;
    }
  }
  template <typename R, typename... A>
  llvm::FunctionType* type(R (*)(A...)) const {
    return llvm::FunctionType::get(type<R>(), llvm::ArrayRef<llvm::Type*>({type<A>()...}), false);
  }
  template <typename R>
  llvm::FunctionType* type(R (*)()) const {
    return llvm::FunctionType::get(type<R>(), false);
  }
  llvm::CallInst* call(llvm::IRBuilderBase& b, abi::Entry e, llvm::FunctionType* type,
                       llvm::ArrayRef<llvm::Value*> arguments);
};

// Whether it is an entry point, as opposed to a function of the program; and whether it is this one.
bool is_runtime(const llvm::Function* callee);
inline bool is(const llvm::Function& callee, abi::Entry e) { return callee.getName() == abi::row(e).symbol; }

Mode mode_of(llvm::AtomicOrdering order);

// Just after the instruction; of a call that may throw, where it returns. Null if that place is not its own.
llvm::Instruction* after(llvm::Instruction& i);

}  // namespace heddle::frontend
