// Calls that get another meaning before the instrumentation.
#include "frontend/rewrite/rewrite.hpp"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include "core/error.hpp"

namespace heddle::frontend {
namespace {

class RewriteTest : public ::testing::Test {
 protected:
  llvm::Module& parse(const std::string& text) {
    llvm::SMDiagnostic error;
    module_ = llvm::parseAssemblyString(text, error, context_);
    if (!module_) throw std::runtime_error(error.getMessage().str());
    return *module_;
  }
  // What f calls, and its atomic accesses, in order.
  std::string code() const {
    if (llvm::verifyModule(*module_, &llvm::errs())) return "broken";
    std::string out;
    for (const llvm::Instruction& i : llvm::instructions(*module_->getFunction("f"))) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
      if (call) out += call->getCalledFunction()->getName().str() + " ";
      if (i.isAtomic()) out += std::string(i.getOpcodeName()) + " ";
    }
    return out;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(RewriteTest, AtomicAccessesOfOddSizesAreLocked) {
  lock_odd_atomics(parse(R"(
    declare void @__atomic_load(i64, ptr, ptr, i32)
    define void @f(ptr align 8 %p, ptr align 8 %q) {
      call void @__atomic_load(i64 24, ptr %p, ptr %q, i32 5)
      call void @__atomic_load(i64 8, ptr %p, ptr %q, i32 5)
      ret void
    })"));
  EXPECT_EQ(code(), "__heddle_locked_load __atomic_load ");
}

TEST_F(RewriteTest, AtomicAccessesThatMayNotBeAlignedAskWhenTheyRun) {
  lock_odd_atomics(parse(R"(
    define i64 @f(ptr align 1 %p, ptr align 8 %q) {
      %a = load atomic i64, ptr %p seq_cst, align 1
      %b = load atomic i64, ptr %q seq_cst, align 8
      %c = add i64 %a, %b
      ret i64 %c
    })"));
  EXPECT_EQ(code(), "load __heddle_locked_begin __heddle_locked_end load ");  // the first in either way
}

TEST_F(RewriteTest, AtomicFunctionsBecomeInstructions) {
  llvm::Module& module = parse(R"(
    declare i32 @__atomic_fetch_add_4(ptr, i32, i32)
    declare i1 @__atomic_is_lock_free(i64, ptr)
    define i32 @f(ptr %p) {
      %old = call i32 @__atomic_fetch_add_4(ptr %p, i32 1, i32 3)
      %free = call i1 @__atomic_is_lock_free(i64 8, ptr null)
      ret i32 %old
    })");
  Runtime runtime(module);
  Sites sites;
  lower_calls(*module.getFunction("f"), runtime, sites);
  EXPECT_EQ(code(), "atomicrmw ");
  const llvm::Instruction& first = *module.getFunction("f")->getEntryBlock().begin();
  EXPECT_EQ(llvm::cast<llvm::AtomicRMWInst>(first).getOrdering(), llvm::AtomicOrdering::Release);
}

TEST_F(RewriteTest, AnOrderThatIsNotKnownIsRefused) {
  llvm::Module& module = parse(R"(
    declare i32 @__atomic_load_4(ptr, i32)
    define i32 @f(ptr %p, i32 %order) {
      %a = call i32 @__atomic_load_4(ptr %p, i32 %order)
      ret i32 %a
    })");
  Runtime runtime(module);
  Sites sites;
  EXPECT_THROW(lower_calls(*module.getFunction("f"), runtime, sites), UserError);
}

// futex is system call 202 on x86-64 and 98 on AArch64; 9 is FUTEX_WAIT_BITSET, 3 FUTEX_REQUEUE.
TEST_F(RewriteTest, FutexesAreNamedAfterWhatTheyMayBe) {
#if defined(__x86_64__)
  const std::string futex = "i64 202";
#else
  const std::string futex = "i64 98";
#endif
  const std::string call = "call i64 (i64, ...) @syscall(" + futex + ", ptr null, ";
  name_syscalls(parse("declare i64 @syscall(i64, ...)\ndefine void @f(i32 %n) {\n" + call + "i32 0)\n" + call +
                      "i32 9, i32 0, ptr null, ptr null, i32 1)\n" + call +
                      "i32 9, i32 0, ptr null, ptr null, i32 -1)\n" + call + "i32 3)\n" + call +
                      "i32 %n)\nret void\n}"));
  EXPECT_EQ(code(),
            "syscall __heddle_syscall_with_bits syscall __heddle_syscall_that_moves __heddle_syscall_of_any_kind ");
}

TEST_F(RewriteTest, LockOfSeveralMutexesIsTheMachines) {
  llvm::Module& module = parse(R"(
    define linkonce_odr void @_ZSt4lockISt5mutexS0_JEEvRT_RT0_DpRT1_(ptr %a, ptr %b) { ret void }
    define linkonce_odr void @_ZSt4lockI4mineS0_JEEvRT_RT0_DpRT1_(ptr %a, ptr %b) { ret void }
    define void @f(ptr %a, ptr %b) { ret void })");
  take_shortcuts(module);
  const llvm::Function* machine = module.getFunction("__heddle_lock_all");
  ASSERT_TRUE(machine);
  ASSERT_EQ(machine->getNumUses(), 1u);
  const auto* call = llvm::cast<llvm::CallInst>(*machine->user_begin());
  EXPECT_EQ(call->getFunction()->getName(), "_ZSt4lockISt5mutexS0_JEEvRT_RT0_DpRT1_");
  EXPECT_EQ(call->arg_size(), 3u);
  EXPECT_FALSE(llvm::verifyModule(module, &llvm::errs()));
}

}  // namespace
}  // namespace heddle::frontend
