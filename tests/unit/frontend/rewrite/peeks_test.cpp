// Which loads are no use of what they load, and which variables are clang's own, whatever names clang gives them.
#include <gtest/gtest.h>

#include "unit/frontend/double.hpp"
#include "unit/frontend/named.hpp"

namespace heddle::testing {
namespace {

class Peeks : public ::testing::TestWithParam<ValueNames> {
 protected:
  static std::string c(std::string_view text) { return end_of(text, ".c", GetParam()); }
  static std::string main_of(const std::string& text) { return c("int main(void) {" + text + "}"); }
  static std::string cxx(std::string_view text) { return end_of(text, ".cpp", GetParam()); }
};

TEST_P(Peeks, TheStoreOfABitField) {
  EXPECT_EQ(c(R"(
    struct bits { unsigned a : 3, b : 5; int c : 7; _Bool d : 1; int : 0; unsigned e : 20; } s, *p = &s;
    int main(void) { p->a = 1; p->b = 2; p->c = -3; p->d = p->a; p->e = 77; return s.a + s.b + s.c + s.d + s.e; })"),
            "78");
  EXPECT_EQ(count("plain_peek"), 5u);
  EXPECT_EQ(main_of(R"(
    struct { unsigned a : 3, b : 5; int c : 7; _Bool d : 1; } s;
    s.a = 1; s.b = s.a; s.b += 2; s.c = 4; s.d = s.a; return s.a + s.b + s.c + s.d;)"),
            "9");
  EXPECT_EQ(main_of("union { struct { unsigned a : 4, b : 4; } p; char all; } u; u.p.a = 1; u.p.b = 2; return u.all;"),
            "33");
}

TEST_P(Peeks, TheReadOfABitFieldIsAUse) {
  EXPECT_EQ(main_of("struct { unsigned a : 3, b : 5; } s; return s.a;"), "uninitialised");
  EXPECT_EQ(main_of("struct { unsigned a : 3, b : 5; } s; s.a += 1; return 0;"), "uninitialised");
  EXPECT_EQ(main_of("struct { unsigned a : 3, b : 5; } s; s.b |= 1; return 0;"), "uninitialised");
}

// They need more than one operator or compute the address twice.
TEST_P(Peeks, MasksOfTheSourceAreUses) {
  EXPECT_EQ(main_of("int x; x |= 1; return 0;"), "uninitialised");
  EXPECT_EQ(main_of("int x; x &= 1; return 0;"), "uninitialised");
  EXPECT_EQ(main_of("int x; x = (x & ~0xf0) | 0x30; return 0;"), "uninitialised");
  EXPECT_EQ(main_of("struct { int f, g; } s; s.f = (s.f & ~0xf0) | 0x30; return 0;"), "uninitialised");
  EXPECT_EQ(main_of("int a[2]; a[1] = (a[1] & ~0xf0) | 0x30; return 0;"), "uninitialised");
  EXPECT_EQ(c("struct { int f; } s, *p = &s; int main(void) { p->f = (p->f & ~0xf0) | 0x30; return 0; }"), "0");
  EXPECT_EQ(count("plain_peek"), 0u);
}

TEST_P(Peeks, AStructureGoesThroughRegisters) {
  for (const char* members : {"char a, b, c;", "char a[3];", "int a;", "struct { int a; } a;", "char c; int i;",
                              "int a, b, c;", "long a, b;", "float f[2];", "union { int a; char c; } u;"}) {
    const std::string type = std::string("typedef struct { ") + members + " } T;";
    EXPECT_EQ(c(type + "static int take(T t) { return 0; } int main(void) { T t; return take(t); }"), "0") << members;
    EXPECT_EQ(c(type + "static T make(void) { T t; return t; } int main(void) { T t = make(); return 0; }"), "0")
        << members;
  }
  const char* piece = R"(
    struct s { int a, b, c; }; int n = N;
    static struct s pass(struct s s) { return s; }
    int main(void) { struct s s; s.b = 3; s = pass(s); return n ? s.b : 0; })";
  EXPECT_EQ(c(std::string("#define N 1\n") + piece), "3");
}

TEST_P(Peeks, AScalarArgumentOrResultIsAUse) {
  EXPECT_EQ(c("static int take(int a) { return 0; } int main(void) { int a; return take(a); }"), "uninitialised");
  EXPECT_EQ(c("static int take(long a) { return 0; } int main(void) { struct { int i; } a; return take(a.i); }"),
            "uninitialised");
  EXPECT_EQ(c("static int make(void) { int a; return a; } int main(void) { make(); return 0; }"), "uninitialised");
  EXPECT_EQ(c("static int make(void) { struct { int i; } a; return a.i; } int main(void) { make(); return 0; }"),
            "uninitialised");
  EXPECT_EQ(c("int printf(const char*, ...); int main(void) { int a; printf(\"\", a); return 0; }"), "uninitialised");
}

TEST_P(Peeks, WhatIsAlwaysInlinedIsACallAsWell) {
  const std::string start = R"(
    #define INLINE [[gnu::always_inline]] inline
    struct Pair { int a, b; }; struct One { int a; }; struct Tag {}; int n = 0;
    INLINE int get(Pair p) { return n ? p.a : 0; } INLINE int get(One p) { return n ? p.a : 0; }
    INLINE int get(Tag) { return 0; } INLINE int get(int) { return 0; }
    INLINE Pair make() { Pair p; return p; } INLINE One make1() { One p; return p; } INLINE int number() { int i; return i; }
    int main() { Pair p; One one; )";
  EXPECT_EQ(cxx(start + "return get(p) + get(one) + get(Tag()); }"), "0");
  EXPECT_EQ(cxx(start + "p = make(); one = make1(); return n; }"), "0");
  EXPECT_EQ(cxx(start + "n = 1; return get(p); }"), "uninitialised");
  EXPECT_EQ(cxx(start + "return get(p.a); }"), "uninitialised");
  EXPECT_EQ(cxx(start + "p.a = number(); return 0; }"), "uninitialised");
  EXPECT_EQ(cxx(start + "p.a = one.a; return 0; }"), "uninitialised");
}

TEST_P(Peeks, VariablesOfClangItself) {
  EXPECT_EQ(c("int n = 0; static int f(void) { if (n) return 1; } int main(void) { f(); return 0; }"), "0");
  EXPECT_EQ(c("int n = 3; int main(void) { int a[n]; a[2] = 5; return a[2]; }"), "5");
  EXPECT_EQ(cxx(R"(
    struct Lock { int* p; Lock(int* q) : p(q) {} ~Lock() { --*p; } }; int held = 9, n = 0;
    int look(const Lock&) { if (n == 7) throw 1; return 1; }
    int f() { for (;;) { Lock l(&held); if (n == 1) break; if (n == 2) return 3; ++n; n && look(Lock(&held)); } return 4; }
    int main() { try { return f() + held; } catch (int) { return 99; } })"),
            "10");
  EXPECT_EQ(main_of("int a; return a;"), "uninitialised");
}

INSTANTIATE_TEST_SUITE_P(Names, Peeks, ::testing::Values(ValueNames::clangs, ValueNames::others, ValueNames::none));

}  // namespace
}  // namespace heddle::testing
