// What the front end says to bad input.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "frontend/load/load.hpp"
#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

std::string refusal(std::string_view text, const char* extension = ".c") {
  try {
    load_text(text, extension);
    return "accepted";
  } catch (const UserError& e) {
    return e.what();
  }
}

std::string refusal_of_files(const std::vector<std::string>& files) {
  try {
    load(compile({.files = files}), find_symbol);
    return "accepted";
  } catch (const UserError& e) {
    return e.what();
  }
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Refuse, SyntaxError) {
  ::testing::internal::CaptureStderr();
  const std::string message = refusal("int main(void) { return x; }");
  const std::string diagnostics = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(message, "clang could not compile /tmp/")) << message;
  EXPECT_TRUE(contains(diagnostics, ".c:1:25: error: use of undeclared identifier 'x'")) << diagnostics;
}

TEST(Refuse, WarningsAreShown) {
  const SourceFile file("int main(void) { int unused; return 0; }");
  ::testing::internal::CaptureStderr();
  compile({.files = {file.path()}, .clang_args = {"-Wall"}});
  EXPECT_TRUE(contains(::testing::internal::GetCapturedStderr(), "unused variable 'unused'"));
}

TEST(Refuse, AllThatIsMissing) {
  const std::string all =
      refusal("int foo(int);\nint bar(int);\nint main(void) {\n  return foo(1) + bar(2) +\n foo(3);\n}");
  EXPECT_TRUE(contains(all, "2 things that the program uses are missing:\n")) << all;
  EXPECT_TRUE(contains(all, ".c:4: call of undefined function 'foo'")) << all;
  EXPECT_TRUE(contains(all, ".c:4: call of undefined function 'bar'")) << all;
}

TEST(Refuse, Files) {
  EXPECT_EQ(refusal_of_files({"/nowhere/a.c"}), "/nowhere/a.c: no such file");
  EXPECT_TRUE(contains(refusal_of_files({"/tmp"}), "/tmp: is a directory"));
  EXPECT_TRUE(contains(refusal_of_files({}), "no source file"));
  const SourceFile text("x", ".txt");
  EXPECT_TRUE(contains(refusal_of_files({text.path()}), "not a C, C++ or LLVM file"));
}

TEST(Refuse, NoMain) { EXPECT_TRUE(contains(refusal("int f(void) { return 0; }"), "there is no main function")); }

TEST(Refuse, UndefinedFunctionAndVariable) {
  const std::string f = refusal("int foo(int);\nint main(void) {\n  return foo(1);\n}");
  EXPECT_TRUE(contains(f, ".c:3: call of undefined function 'foo'")) << f;
  const std::string v = refusal("extern int bar;\nint main(void) { return bar; }");
  EXPECT_TRUE(contains(v, ".c:2: use of undefined variable 'bar'")) << v;
  const std::string c = refusal("namespace n { void f(int); }\nint main() { n::f(1); }", ".cpp");
  EXPECT_TRUE(contains(c, "undefined function 'n::f(int)'")) << c;
  EXPECT_TRUE(contains(refusal("extern _Thread_local int t;\nint main(void) { return t; }"),
                       ".c:2: the thread-local variable 't'"));
}

TEST(Refuse, WeakFunctionsMayBeMissing) {
  EXPECT_EQ(refusal("__attribute__((weak)) int foo(int); int main(void) { return foo ? foo(1) : 0; }"), "accepted");
}

TEST(Refuse, UnusedCodeIsNotLookedAt) {
  EXPECT_EQ(refusal(R"(
    int foo(int); static inline void never(void) { __asm__("hlt"); foo(2); }
    int main(void) { return 0; })"),
            "accepted");
}

TEST(Refuse, Assembly) {
#if defined(__x86_64__)
  const std::string message = refusal(
      "int main(void) {\n  __asm__ volatile(\"cpuid\" ::: \"eax\", \"ebx\", \"ecx\", \"edx\");\n  return 0;\n}");
#else
  const std::string message =
      refusal("int main(void) {\n  __asm__ volatile(\"dc civac, x0\" ::: \"x0\");\n  return 0;\n}");
#endif
  EXPECT_TRUE(contains(message, ".c:2: inline assembly is not supported")) << message;
  EXPECT_TRUE(contains(refusal("__asm__(\".globl x\"); int main(void) { return 0; }"), "assembly at file level"));
  EXPECT_EQ(
      refusal(R"(int main(void) { int x = 3; __asm__ volatile("" : "+r"(x)); __asm__ volatile("" : "+m"(x) :: "memory");
                     __asm__ volatile("rep; nop" ::: "memory"); __asm__ volatile("mfence" ::: "memory"); return x; })"),
      "accepted");
  EXPECT_EQ(refusal(R"(int main(void) { __asm__ volatile("yield" ::: "memory"); __asm__ volatile("isb\n" ::: "memory");
                     __asm__ volatile("nop"); __asm__ volatile("wfe"); __asm__ volatile("sev");
                     __asm__ volatile("dmb ish" ::: "memory"); __asm__ volatile("dsb sy" ::: "memory"); return 0; })"),
            "accepted");
}

TEST(Refuse, TwoMains) {
  const SourceFile a("int main(void) { return 0; }"), b("int main(void) { return 1; }");
  const std::string message = refusal_of_files({a.path(), b.path()});
  EXPECT_TRUE(contains(message, b.path() + " cannot be linked")) << message;
  EXPECT_TRUE(contains(message, "main")) << message;
}

TEST(Refuse, BrokenLlvmFile) {
  const SourceFile bad("define i32 @main() { ret i64 0 }", ".ll");
  EXPECT_TRUE(contains(refusal_of_files({bad.path()}), bad.path() + ":1:"));
  const SourceFile other("target datalayout = \"e-p:32:32\"\ndefine i32 @main() { ret i32 0 }", ".ll");
  EXPECT_TRUE(contains(refusal_of_files({other.path()}), "another machine"));
}

}  // namespace
}  // namespace heddle::testing
