// Crashes of the program become errors of the thread; the machine goes on.
#include <csignal>
#include <cstring>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

volatile int zero = 0;

// As the code of a program, which nobody else looks at.
#define UNCHECKED gnu::noinline, gnu::no_sanitize("address", "undefined")
[[UNCHECKED]] void write_to(Address a) { *reinterpret_cast<volatile int*>(a) = 1; }
#if defined(__x86_64__)
[[UNCHECKED]] void divide_by_zero() { zero = 100 / zero; }
#endif

[[gnu::noinline]] int recurse(volatile int* n) {  // NOLINT(misc-no-recursion)
  volatile int here[64];
  here[0] = *n;
  return zero == 1 ? 0 : recurse(here) + here[0];
}

Error crash(ThreadFunction f) {
  static ThreadFunction function;
  function = f;
  World w([] {
    spawn(function);
    return 0;
  });
  Error e;
  for (int round = 0; round < 3; ++round) {
    w.restart();
    w.run_all();
    e = w.error();
    EXPECT_EQ(e.thread, T1);
  }
  return e;
}

TEST(Crash, Signals) {
  Error e = crash([](void*) -> void* {
    __heddle_at(4);
#if defined(__x86_64__)
    divide_by_zero();
#else
    std::raise(SIGFPE);  // a division never traps
#endif
    return nullptr;
  });
  EXPECT_EQ(e.kind, ErrorKind::crash);
#if defined(__x86_64__)
  EXPECT_EQ(e.message, "division by zero (SIGFPE)");
#else
  EXPECT_EQ(e.message, "arithmetic error (SIGFPE)");
#endif
  EXPECT_EQ(e.site, SiteId(4));
  e = crash([](void*) -> void* {
    write_to(0);
    return nullptr;
  });
  EXPECT_EQ(e.message, "segmentation fault (SIGSEGV) through a null pointer");
  e = crash([](void*) -> void* {
    write_to(0x512340000000);
    return nullptr;
  });
  EXPECT_EQ(e.message, "segmentation fault (SIGSEGV) at address 0x512340000000");
  e = crash([](void*) -> void* {
    std::raise(SIGABRT);
    return nullptr;
  });
  EXPECT_EQ(e.message, "the program aborted (SIGABRT)");
  e = crash([](void*) -> void* { __builtin_trap(); });
#if defined(__x86_64__)
  EXPECT_EQ(e.message, "illegal instruction (SIGILL)");
#else
  EXPECT_EQ(e.message, "the program trapped (SIGTRAP)");
  e = crash([](void*) -> void* {
    asm volatile("udf #0");
    return nullptr;
  });
  EXPECT_EQ(e.message, "illegal instruction (SIGILL)");
#endif
}

TEST(Crash, StackOverflow) {
  const Error e = crash([](void*) -> void* {
    int n = 0;
    recurse(&n);
    return nullptr;
  });
  EXPECT_EQ(e.kind, ErrorKind::crash);
  EXPECT_NE(e.message.find("stack overflow"), std::string::npos) << e.message;
}

TEST(Crash, AssertAndAbort) {
  Error e = crash([](void*) -> void* {
    __heddle_at(9);
    library<void(const char*, const char*, unsigned, const char*)>("__assert_fail")("x == 1", "f.c", 3, "f");
    return nullptr;
  });
  EXPECT_EQ(e.kind, ErrorKind::assertion);
  EXPECT_EQ(e.message, "assertion failed: x == 1");
  EXPECT_EQ(e.site, SiteId(9));
  e = crash([](void*) -> void* {
    library<void()>("abort")();
    return nullptr;
  });
  EXPECT_EQ(e.kind, ErrorKind::crash);
  e = crash([](void*) -> void* {
    library<void(bool)>("heddle_assert")(true);
    library<void(bool)>("heddle_assert")(false);
    return nullptr;
  });
  EXPECT_EQ(e.kind, ErrorKind::assertion);
  e = crash([](void*) -> void* {
    library<void()>("reach_error")();
    return nullptr;
  });
  EXPECT_EQ(e.kind, ErrorKind::assertion);
}

TEST(CrashDeathTest, OutsideOfFibresASignalKills) {
  World w([] { return 0; });
  EXPECT_EXIT(std::raise(SIGSEGV), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(write_to(0), testing::KilledBySignal(SIGSEGV), "");
}

TEST(Crash, AssumeAndChoose) {
  static int chosen;
  World w([] {
    chosen = static_cast<int>(library<uint32_t(uint32_t)>("heddle_choose")(3));
    library<void(bool)>("heddle_assume")(chosen != 1);
    return 0;
  });
  EXPECT_EQ(w.pending(kMain).kind, ActionKind::choose);
  EXPECT_EQ(w.pending(kMain).bound, 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    w.choices[0] = i;
    w.restart();
    w.run_all();
    EXPECT_EQ(chosen, static_cast<int>(i));
    EXPECT_EQ(w.pending(kMain).kind, i == 1 ? ActionKind::block : ActionKind::done);
  }
}

TEST(Crash, Nondet) {
  const Main program = [] {
    EXPECT_LT(library<int()>("__VERIFIER_nondet_int")(), 5);
    return 0;
  };
  {
    World w(program);
    EXPECT_THROW(w.run_all(), UserError);
  }
  World w(program, {.nondet_bound = 5});
  EXPECT_EQ(w.pending(kMain).bound, 5u);
  w.run_all();
  EXPECT_FALSE(w.failed());
}

}  // namespace
}  // namespace heddle::test
