// Inline assembly as IR. The statements are written in IR, because clang knows only the constraints of its own machine.
#include "frontend/assembly/assembly.hpp"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

namespace heddle::frontend {
namespace {

// What becomes of the one statement in the function: its accesses and fences, in order. "unknown" if it stays.
std::string lowered(const std::string& triple, const std::string& function) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString("target triple = \"" + triple + "\"\n" + function, error, context);
  if (!module) return "cannot be parsed: " + error.getMessage().str();
  llvm::CallInst* statement = nullptr;
  for (llvm::Function& f : *module)
    for (llvm::Instruction& i : llvm::instructions(f))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i); call && call->isInlineAsm()) statement = call;
  if (!statement) return "no statement";
  const auto size = statement->getParent()->size();
  const bool native = only_computes(*statement);
  const bool known = lower_assembly(*statement);
  if (llvm::verifyModule(*module)) return "broken";
  if (!known) return statement->getParent()->size() != size ? "leaves something behind" : native ? "native" : "unknown";
  std::string out;
  for (llvm::Function& f : *module) {
    for (llvm::Instruction& i : llvm::instructions(f)) {
      if (!i.isAtomic()) continue;
      std::string text;
      llvm::raw_string_ostream(text) << i;
      const std::size_t equals = text.find(" = ");
      text = equals == text.npos ? text.substr(2) : text.substr(equals + 3);
      out += (out.empty() ? "" : "; ") + text.substr(0, text.find(", !"));
    }
  }
  return out;
}

std::string x86(const std::string& function) { return lowered("x86_64-unknown-linux-gnu", function); }
std::string arm(const std::string& function) { return lowered("aarch64-unknown-linux-gnu", function); }

std::string with_memory(const std::string& text, const std::string& more = "") {
  return "define void @f(ptr %p, i32 %v) { call void asm sideeffect \"" + text + "\", \"=*m,r,*m,~{memory}" + more +
         "\"(ptr elementtype(i32) %p, i32 %v, ptr elementtype(i32) %p) ret void }";
}

TEST(Assembly, LockedOperationsOfX86) {
  EXPECT_EQ(x86(with_memory("lock; addl $1, $0")), "atomicrmw add ptr %p, i32 %2 seq_cst, align 4");
  EXPECT_EQ(x86(with_memory("lock orl $1, $0")), "atomicrmw or ptr %p, i32 %2 seq_cst, align 4");
  EXPECT_EQ(x86(with_memory("lock\\0Asub $1, $0")), "atomicrmw sub ptr %p, i32 %2 seq_cst, align 4");
  EXPECT_EQ(x86(with_memory("lock incl $0")), "atomicrmw add ptr %p, i32 1 seq_cst, align 4");
  EXPECT_EQ(x86(with_memory("lock decb $0")), "atomicrmw sub ptr %p, i8 1 seq_cst, align 1");
  EXPECT_EQ(x86(with_memory("lock andl $$-8, $0")), "atomicrmw and ptr %p, i32 -8 seq_cst, align 4");
  EXPECT_EQ(x86(with_memory("movl $1, $0")), "store atomic i32 %2, ptr %p release, align 4");
  EXPECT_EQ(x86(with_memory("mfence; movl $$1, $0")), "fence seq_cst; store atomic i32 1, ptr %p release, align 4");
}

// A barrier that is older than mfence, and faster.
TEST(Assembly, LockedOperationsOnTheStackOfX86) {
  const auto alone = [](const std::string& text) {
    return "define void @f() { call void asm sideeffect \"" + text + "\", \"~{memory},~{cc}\"() ret void }";
  };
  for (const char* text : {"lock; addl $$0,0(%rsp)", "lock addl $$0x0,(%rsp)", "lock; orq $$0, -8(%rsp)",
                           "lock\\0A\\09orb $$0,(%rsp)", "lock; subl $$0,(%rsp)", "lock; xorl $$0,(%rsp)"})
    EXPECT_EQ(x86(alone(text)), "fence seq_cst") << text;
  for (const char* text : {"lock; addl $$1,(%rsp)", "lock; andl $$0,(%rsp)", "addl $$0,(%rsp)", "lock; addl $$0,(%rbp)",
                           "lock; incl (%rsp)"})
    EXPECT_EQ(x86(alone(text)), "unknown") << text;
}

TEST(Assembly, WhatIsExchangedBackStays) {
  const auto cpuid = [](const std::string& last) {
    return "define i32 @f() { %r = call { i32, i32, i32, i32 } asm \"  xchgq  %rbx,${1:q}\\0A  cpuid\\0A  " + last +
           "\", \"={ax},=r,={cx},={dx},0\"(i32 1) %v = extractvalue { i32, i32, i32, i32 } %r, 0 ret i32 %v }";
  };
  EXPECT_EQ(x86(cpuid("xchgq  %rbx,${1:q}")), "native");
  EXPECT_EQ(x86(cpuid("xchgq  %rbp,${1:q}")), "unknown");
}

TEST(Assembly, WhatIsNotKnownStays) {
  EXPECT_EQ(x86(with_memory("addl $1, $0")), "unknown");  // two accesses
  EXPECT_EQ(x86(with_memory("lock; addl $1, 8($0)")), "unknown");
  EXPECT_EQ(x86(with_memory("lock; addl $1, $0; jz 1f; 1:")), "unknown");
  EXPECT_EQ(x86(with_memory("clflush $0")), "unknown");
  EXPECT_EQ(x86("define i32 @f(i32 %v) { %r = call i32 asm \"bsrl $1, $0\", \"=r,r\"(i32 %v) ret i32 %r }"), "native");
  EXPECT_EQ(arm("define i64 @f(i64 %v) { %r = call i64 asm \"clz $0, $1\", \"=r,r\"(i64 %v) ret i64 %r }"), "native");
  EXPECT_EQ(arm("define i64 @f(i64 %v) { %r = call i64 asm \"clz $0, $1\", \"=r,r,~{memory}\"(i64 %v) ret i64 %r }"),
            "unknown");
  EXPECT_EQ(arm("define void @f(ptr %p) { call void asm sideeffect \"dc civac, $0\", \"r\"(ptr %p) ret void }"),
            "unknown");
}

// A register that the statement does not name as its own, memory by its name, the thread's own segment.
TEST(Assembly, WhatOnlyComputesUsesNothingElse) {
  const auto one = [](const std::string& text, const std::string& constraints) {
    return "define i64 @f(i64 %v) { %r = call i64 asm \"" + text + "\", \"" + constraints + "\"(i64 %v) ret i64 %r }";
  };
  EXPECT_EQ(x86(one("movq $1, $0; shlq %cl, $0", "=r,{cx}")), "native");
  EXPECT_EQ(x86(one("movl $$7, %r8d; addq %r8, $0", "=r,0,~{r8}")), "native");
  EXPECT_EQ(x86(one("mov %esi, ${0:k}", "=r,{si}")), "native");
  EXPECT_EQ(arm(one("add $0, $1, x3, lsl #2", "=r,r,~{x3}")), "native");
  EXPECT_EQ(arm(one("csel $0, $1, xzr, eq", "=r,r")), "native");
  for (const char* text : {"movq %fs:0, $0", "addq %fs:0, $0", "movq %rsp, $0", "movq %rbx, $0", "mov %ds, $0",
                           "movq environ, $0", "movl 0x1000, ${0:k}"})
    EXPECT_EQ(x86(one(text, "=r,0")), "unknown") << text;
  for (const char* text : {"mov $0, sp", "mov $0, x18", "mov $0, x29"})
    EXPECT_EQ(arm(one(text, "=r,0")), "unknown") << text;
}

TEST(Assembly, CompareAndExchangeOfX86) {
  EXPECT_EQ(x86("define i32 @f(ptr %p, i32 %old, i32 %new) { %r = call i32 asm sideeffect \"lock; cmpxchgl $2, $1\", "
                "\"={ax},=*m,r,0,*m,~{memory}\"(ptr elementtype(i32) %p, i32 %new, i32 %old, ptr elementtype(i32) %p) "
                "ret i32 %r }"),
            "cmpxchg ptr %p, i32 %3, i32 %4 seq_cst seq_cst, align 4");
  EXPECT_EQ(x86("define i8 @f(ptr %p, i64 %old, i64 %new) { %r = call { i8, i64 } asm sideeffect "
                "\"lock cmpxchgq $3, $1\\0Asetz $0\", \"=q,=*m,={ax},r,2,~{memory}\""
                "(ptr elementtype(i64) %p, i64 %new, i64 %old) %z = extractvalue { i8, i64 } %r, 0 ret i8 %z }"),
            "cmpxchg ptr %p, i64 %old, i64 %new seq_cst seq_cst, align 8");
  EXPECT_EQ(x86("define i32 @f(ptr %p, i64 %a, i64 %b, i64 %c, i64 %d) { %r = call { i32, i64, i64 } asm sideeffect "
                "\"lock cmpxchg16b $3\", \"={@ccz},={ax},={dx},=*m,{bx},{cx},1,2,~{memory}\""
                "(ptr elementtype(i128) %p, i64 %c, i64 %d, i64 %a, i64 %b) %z = extractvalue { i32, i64, i64 } %r, 0 "
                "ret i32 %z }")
                .substr(0, 20),
            "cmpxchg ptr %p, i128");
}

TEST(Assembly, OtherResultsOfX86) {
  EXPECT_EQ(x86("define i32 @f(ptr %p, i32 %v) { %r = call i32 asm sideeffect \"xchgl $0, $1\", "
                "\"=r,=*m,0,~{memory}\"(ptr elementtype(i32) %p, i32 %v) ret i32 %r }"),
            "atomicrmw xchg ptr %p, i32 %2 seq_cst, align 4");
  EXPECT_EQ(x86("define i32 @f(ptr %p, i32 %v) { %r = call i32 asm sideeffect \"lock; xaddl $0, ($1)\", "
                "\"=r,r,0,~{memory}\"(ptr %p, i32 %v) ret i32 %r }"),
            "atomicrmw add ptr %p, i32 %3 seq_cst, align 4");
  EXPECT_EQ(x86("define i8 @f(ptr %p) { %r = call i8 asm sideeffect \"lock; decl $1; sete $0\", "
                "\"=q,=*m,~{memory}\"(ptr elementtype(i32) %p) ret i8 %r }"),
            "atomicrmw sub ptr %p, i32 1 seq_cst, align 4");
  EXPECT_EQ(x86("define i32 @f(ptr %p) { %r = call i32 asm sideeffect \"lock btsl $$3, $1\", "
                "\"={@ccc},=*m,~{memory}\"(ptr elementtype(i32) %p) ret i32 %r }"),
            "atomicrmw or ptr %p, i32 8 seq_cst, align 4");
  EXPECT_EQ(x86("define i32 @f(ptr %p) { %r = call i32 asm sideeffect \"movl $1, $0\", "
                "\"=r,*m,~{memory}\"(ptr elementtype(i32) %p) ret i32 %r }"),
            "load atomic i32, ptr %p acquire, align 4");
  // Of a flag that the instruction does not leave, nothing is known.
  EXPECT_EQ(x86("define i32 @f(ptr %p) { %r = call i32 asm sideeffect \"lock incl $1\", "
                "\"={@ccc},=*m,~{memory}\"(ptr elementtype(i32) %p) ret i32 %r }"),
            "unknown");
}

std::string one_result(const std::string& text, const std::string& type = "i32") {
  return "define " + type + " @f(ptr %p, " + type + " %v, " + type + " %w) { %r = call { " + type +
         ", i32 } asm sideeffect \"" + text + "\", \"=&r,=&r,r,r,r,~{memory},~{cc}\"(ptr %p, " + type + " %v, " + type +
         " %w) %o = extractvalue { " + type + ", i32 } %r, 0 ret " + type + " %o }";
}

TEST(Assembly, RetryLoopsOfArm) {
  EXPECT_EQ(arm(one_result("1: ldxr ${0:w}, [$2]\\0Astxr ${1:w}, ${3:w}, [$2]\\0Acbnz ${1:w}, 1b\\0A")),
            "atomicrmw xchg ptr %p, i32 %4 monotonic, align 4");
  EXPECT_EQ(arm(one_result("1: ldaxr ${0:w}, [$2]\\0Astlxr ${1:w}, ${3:w}, [$2]\\0Acbnz ${1:w}, 1b\\0A")),
            "atomicrmw xchg ptr %p, i32 %4 seq_cst, align 4");
  EXPECT_EQ(arm(one_result("1:ldxr ${0:w}, [$2]\\0Acmp ${0:w}, ${4:w}\\0Ab.ne 2f\\0Astxr ${1:w}, ${3:w}, [$2]\\0A"
                           "cbnz ${1:w}, 1b\\0A2:")),
            "cmpxchg ptr %p, i32 %4, i32 %5 monotonic monotonic, align 4");
  EXPECT_EQ(arm(one_result("1:ldaxr $0, [$2]\\0Asub $0, $0, #1\\0Astxr ${1:w}, $0, [$2]\\0Acbnz ${1:w}, 1b", "i64")),
            "atomicrmw sub ptr %p, i64 1 acquire, align 8");
  // It looks at half of what it replaces; it goes back elsewhere; it stores what no single operation does.
  EXPECT_EQ(arm(one_result("1:ldxr $0, [$2]\\0Acmp ${0:w}, ${4:w}\\0Ab.ne 2f\\0Astxr ${1:w}, $3, [$2]\\0Acbnz ${1:w}, "
                           "1b\\0A2:",
                           "i64")),
            "unknown");
  EXPECT_EQ(arm(one_result("1:ldxr $0, [$2]\\0Astxr ${1:w}, $3, [$2]\\0Acbnz ${0:w}, 1b", "i64")), "unknown");
  EXPECT_EQ(arm(one_result("1:ldxr $0, [$2]\\0Aneg $0, $0\\0Astxr ${1:w}, $0, [$2]\\0Acbnz ${1:w}, 1b", "i64")),
            "unknown");
}

TEST(Assembly, SingleInstructionsOfArm) {
  const auto two = [](const std::string& text) {
    return arm("define i64 @f(ptr %p, i64 %v) { %r = call i64 asm sideeffect \"" + text +
               "\", \"=r,r,r,~{memory}\"(ptr %p, i64 %v) ret i64 %r }");
  };
  EXPECT_EQ(two("ldr $0, [$1]"), "load atomic i64, ptr %p monotonic, align 8");
  EXPECT_EQ(two("ldrb ${0:w}, [$1]"), "load atomic i8, ptr %p monotonic, align 1");
  EXPECT_EQ(two("ldar $0, [$1]"), "load atomic i64, ptr %p seq_cst, align 8");
  EXPECT_EQ(two("ldapr ${0:w}, [$1]"), "load atomic i32, ptr %p acquire, align 4");
  EXPECT_EQ(two("ldaddal $2, $0, [$1]"), "atomicrmw add ptr %p, i64 %v seq_cst, align 8");
  EXPECT_EQ(two("swpa $2, $0, [$1]"), "atomicrmw xchg ptr %p, i64 %v acquire, align 8");
  EXPECT_EQ(two("ldsetlh ${2:w}, ${0:w}, [$1]").substr(0, 23), "atomicrmw or ptr %p, i1");
  EXPECT_EQ(two("ldr $0, [$1, #8]"), "unknown");
  EXPECT_EQ(two("ldxr $0, [$1]"), "unknown");
}

}  // namespace
}  // namespace heddle::frontend
