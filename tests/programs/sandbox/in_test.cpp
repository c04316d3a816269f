// Each test of a framework runs in a sandbox of its own.
// $ heddle test in_test.cpp -- -DCALL=1 => verified, 2 tests
// x86_64: $ heddle test in_test.cpp -- "-DCALL=call(2, 1, 0, SYS_socket)" => error crash here, 2 tests, "calls socket (network)"
// x86_64: $ heddle test --no-sandbox in_test.cpp -- "-DCALL=call(2, 1, 0, SYS_socket)" => verified, 2 tests
#include <gtest/gtest.h>
#include <sys/syscall.h>

// As in own_calls.c.
__attribute__((noinline)) static long hidden() { return static_cast<long>(0x9090c3050fc88948); }
#define call (reinterpret_cast<long (*)(long, long, long, long)>(reinterpret_cast<char *>(hidden) + 2))

TEST(Sandbox, Calls) {
  EXPECT_GT(CALL, 0);  // here
}
TEST(Sandbox, DoesNot) { EXPECT_NE(hidden(), 0); }
