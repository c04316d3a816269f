// Accesses outside of variables.
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include "frontend/checks/checks.hpp"
#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

// How a run of main ends: "out of bounds at 3", with the line; or with what it returns.
std::string outcome_of(std::string_view text) {
  const Image image = load_text(text);
  try {
    return std::to_string(run(image));
  } catch (const Stopped& s) {
    return s.why + " at " + std::to_string(image.sites[SiteId(s.site)].line);
  }
}

std::string with(const char* n, const std::string& text) {
  return std::string("#define N ") + n + "\n#include <string.h>\n" + text;
}

TEST(Bounds, OfALocalArray) {
  const char* fill =
      "int n = N; int main(void) { int a[4]; for (int i = 0; i < n; i++) a[i] = i; int* p = a + n / 2;\nreturn *p; }";
  EXPECT_EQ(outcome_of(with("4", fill)), "2");
  EXPECT_EQ(outcome_of(with("5", fill)), "out of bounds at 3");
  EXPECT_EQ(outcome_of(with("-2", fill)), "out of bounds at 4");
}

TEST(Bounds, OfConstantsAndGlobals) {
  const char* constant = "static const int t[3] = {1, 2, 3}; int n = N; int main(void) { return t[n]; }";
  EXPECT_EQ(outcome_of(with("2", constant)), "3");
  EXPECT_EQ(outcome_of(with("3", constant)), "out of bounds at 3");
  const char* global = "int t[3], n = N; int main(void) { t[n] = 5; return t[n]; }";
  EXPECT_EQ(outcome_of(with("2", global)), "5");
  EXPECT_EQ(outcome_of(with("-1", global)), "out of bounds at 3");
}

TEST(Bounds, OfFillsAndCopies) {
  const char* fill = "int n = N; int main(void) { char a[8]; memset(a, 1, n); return a[0]; }";
  EXPECT_EQ(outcome_of(with("8", fill)), "1");
  EXPECT_EQ(outcome_of(with("9", fill)), "out of bounds at 3");
  const char* copy =
      "int n = N; int main(void) { char a[8], b[4] = {1, 2, 3, 4}; memset(a, 0, 8);\nmemcpy(a, b, n); return a[0]; }";
  EXPECT_EQ(outcome_of(with("4", copy)), "1");
  EXPECT_EQ(outcome_of(with("5", copy)), "out of bounds at 4");
  EXPECT_EQ(outcome_of(with("0", copy)), "0");
}

// A member of a structure is part of a variable; the end of the member is not the end of the variable.
TEST(Bounds, OfTheWholeVariable) {
  const char* text = "struct { int a[2], b[2]; } s = {{1, 2}, {3, 4}}; int n = N; int main(void) { return s.a[n]; }";
  EXPECT_EQ(outcome_of(with("3", text)), "4");
  EXPECT_EQ(outcome_of(with("4", text)), "out of bounds at 3");
}

// Whether check_bounds has put tests into the function f, and how many.
struct Tests {
  bool changed;
  std::size_t count;
};

class CheckBounds : public ::testing::Test {
 protected:
  void parse(const std::string& text) {
    llvm::SMDiagnostic error;
    module_ = llvm::parseAssemblyString(text, error, context_);
    ASSERT_TRUE(module_) << error.getMessage().str();
  }
  Tests check() {
    const bool changed = frontend::check_bounds(*module_->getFunction("f"));
    EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
    const llvm::Function* test = module_->getFunction("__heddle_out_of_bounds");
    return {changed, test ? test->getNumUses() : 0};
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(CheckBounds, WhatIsPlainlyInsideNeedsNone) {
  parse(R"(
    @g = global [4 x i32] zeroinitializer
    define i32 @f(ptr %p) {
      %last = getelementptr i32, ptr @g, i64 3
      %a = load i32, ptr %last
      %b = load i32, ptr %p
      %s = add i32 %a, %b
      ret i32 %s
    })");
  const Tests tests = check();
  EXPECT_FALSE(tests.changed);
  EXPECT_EQ(tests.count, 0u);
}

TEST_F(CheckBounds, EachAccessIsTestedOnce) {
  parse(R"(
    @g = global [4 x i32] zeroinitializer
    define i32 @f(i64 %n) {
      %p = getelementptr i32, ptr @g, i64 %n
      %a = load i32, ptr %p
      store i32 %a, ptr %p
      %past = getelementptr i32, ptr @g, i64 4
      %b = load i32, ptr %past
      ret i32 %b
    })");
  EXPECT_EQ(check().count, 3u);
  const Tests again = check();
  EXPECT_FALSE(again.changed);
  EXPECT_EQ(again.count, 3u);
}

}  // namespace
}  // namespace heddle::testing
