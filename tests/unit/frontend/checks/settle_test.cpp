// Local variables whose life and initialisation are known without shadow memory.
#include <gtest/gtest.h>

#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

std::string end_of(std::string_view text, const char* extension = ".c") {
  try {
    return std::to_string(run_text(text, extension));
  } catch (const Stopped& s) {
    return s.why;
  }
}

TEST(Settle, AReadOfWhatWasNeverWritten) {
  EXPECT_EQ(end_of("int c = 0; int main(void) { int a; if (c) a = 1; return a; }"), "uninitialised");
  EXPECT_EQ(end_of("int c = 1; int main(void) { int a; if (c) a = 1; return a; }"), "1");
  EXPECT_EQ(end_of("int n = 3; int main(void) { int a[4]; a[0] = 1; return a[n]; }"), "uninitialised");
  EXPECT_EQ(end_of("int n = 0; int main(void) { int a[4]; a[0] = 1; return a[n]; }"), "1");
}

// What is only copied may have no value, and has none afterwards either.
TEST(Settle, ACopyCarriesAlongWhatHasAValue) {
  const char* text = R"(
    struct pair { int a, b; }; int c = C;
    int main(void) { struct pair p, q; p.a = 1; q = p; return c ? q.a : q.b; })";
  EXPECT_EQ(end_of(std::string("#define C 1\n") + text), "1");
  EXPECT_EQ(end_of(std::string("#define C 0\n") + text), "uninitialised");
}

TEST(Settle, AnAccessAfterTheEndOfItsLife) {
  const char* text = "int n = 7; int main(void) { int* p; { int a = n; p = &a; INSIDE } return OUTSIDE; }";
  EXPECT_EQ(end_of(std::string("#define INSIDE return *p;\n#define OUTSIDE 0\n") + text), "7");
  EXPECT_EQ(count("local_begin"), 0u);
  EXPECT_EQ(end_of(std::string("#define INSIDE\n#define OUTSIDE *p\n") + text), "out of scope");
  EXPECT_EQ(count("local_begin"), 0u);
}

// In each round of a loop it is another variable.
TEST(Settle, ARoundBeginsANewLife) {
  const char* text = R"(
    int n = N;
    int main(void) { int r = 0; for (int i = 0; i < n; i++) { int a; if (i == 0) a = 7; r += a; } return r; })";
  EXPECT_EQ(end_of(std::string("#define N 1\n") + text), "7");
  EXPECT_EQ(end_of(std::string("#define N 2\n") + text), "uninitialised");
}

// Variables of which all uses are known are not the machine's.
TEST(Settle, WhatIsKnownStaysNative) {
  EXPECT_EQ(end_of("int n = 2; int main(void) { int a[3] = {1, 2, 3}; int* p = a; return p[n] + *p; }"), "4");
  EXPECT_EQ(count("local_begin"), 0u);
  EXPECT_EQ(end_of(R"(
    void* volatile shared;
    int main(void) { int a = 3; shared = &a; return a; })"),
            "3");
  EXPECT_EQ(count("local_begin"), 1u);
}

}  // namespace
}  // namespace heddle::testing
