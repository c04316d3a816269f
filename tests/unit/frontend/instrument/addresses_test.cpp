// Of which uses of addresses the machine is told.
#include <gtest/gtest.h>

#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

using Watched = std::map<std::string, unsigned>;

Watched watch(const std::string& body, const char* extension = ".c") {
  watched.clear();
  const std::string head = R"(
    #include <stdint.h>
    #include <string.h>
    #include <stdio.h>
    int blocks[2][4], *p, *q; uintptr_t n; int r; static char text[64];
    __attribute__((noinline)) static uintptr_t tagged(uintptr_t v) { return v | 1; }
    __attribute__((noinline)) static int hashed(uintptr_t v) { return (int)(v >> 12); }
    int main(void) { p = blocks[0]; q = blocks[1];
  )";
  run_text(head + body + "; (void)tagged; (void)hashed; (void)text; return 0; }", extension);
  return watched;
}

TEST(Addresses, WhatTellsNothingIsNotWatched) {
  for (const char* body : {
           "r = p == q",
           "r = p != NULL",
           "r = *p + p[2]",
           "r = ((uintptr_t)p & 7) == 0",
           "r = (uintptr_t)p % 16 == 0",
           "n = (uintptr_t)p | 1; r = *(int*)(n - 1)",
           "n = (uintptr_t)p | 1; r = *(int*)(n & ~(uintptr_t)1)",
           "n = (uintptr_t)p; r = n == (uintptr_t)q",
           "r = *(int*)(tagged((uintptr_t)p) - 1)",
           "int* e = p + 4; for (int* i = p + 0; i != e; ++i) r += *i",
           "memcpy(&q, &p, sizeof p)",
           "snprintf(text, sizeof text, \"%d %s\", r, \"a\")",
       }) {
    EXPECT_EQ(watch(body), Watched{}) << body;
  }
}

TEST(Addresses, WhatMayTellIsWatched) {
  const auto is = [](const char* entry) { return Watched{{entry, 1}}; };
  EXPECT_EQ(watch("r = p < q"), is("order"));
  EXPECT_EQ(watch("r = (uintptr_t)p < (uintptr_t)q"), is("order"));
  EXPECT_EQ(watch("r = (int)(p - q)"), is("subtract"));
  EXPECT_EQ(watch("r = (int)((uintptr_t)p >> 12)"), is("inspect"));
  EXPECT_EQ(watch("r = ((uintptr_t)p & 64) != 0"), is("inspect"));
  EXPECT_EQ(watch("r = (int)((uintptr_t)p % 64 == 0) + (int)((uintptr_t)q % 128 == 0)"), is("inspect"));
  EXPECT_EQ(watch("r = hashed((uintptr_t)p)"), is("inspect"));
  EXPECT_EQ(watch("n = (uintptr_t)p << 16"), is("inspect"));
  EXPECT_EQ(watch("memcpy(&n, &p, sizeof n); r = (int)(n >> 3)"), is("inspect"));
  EXPECT_EQ(watch("r = (int)*(uintptr_t*)&p"), is("inspect"));
  EXPECT_EQ(watch("r = memcmp(&p, &q, sizeof p)"), (Watched{{"inspect_bytes", 2}}));
  EXPECT_EQ(watch("snprintf(text, sizeof text, \"%p\", (void*)p)"), is("inspect"));
}

TEST(Addresses, ComparedByTheCxxLibrary) {
  EXPECT_EQ(watch("static_assert(true); struct less { bool operator()(int* a, int* b) const { return a < b; } }; r = "
                  "less()(p, q)",
                  ".cpp"),
            (Watched{{"order", 1}}));
}

}  // namespace
}  // namespace heddle::testing
