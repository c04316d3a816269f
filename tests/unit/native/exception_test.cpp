// C++ exceptions: each fibre has its own, uncaught ones are errors.
#include <stdexcept>
#include <string>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

// Stops in the middle of a catch, so that two fibres have an exception in flight at the same time.
void* throw_and_catch(void* argument) {
  const auto mine = static_cast<int>(reinterpret_cast<intptr_t>(argument));
  for (int round = 0; round < 3; ++round) {
    try {
      load(globals().a);
      throw mine + round;
    } catch (int e) {
      EXPECT_EQ(e, mine + round);
      load(globals().a);
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      try {
        throw std::runtime_error("inner " + std::to_string(e));
      } catch (const std::exception& inner) {
        load(globals().a);
        EXPECT_EQ(inner.what(), "inner " + std::to_string(e));
      }
      try {
        load(globals().a);
        throw;
      } catch (int again) {
        EXPECT_EQ(again, e);
      }
    }
  }
  return nullptr;
}

int throwing_threads() {
  spawn(throw_and_catch, reinterpret_cast<void*>(10));
  spawn(throw_and_catch, reinterpret_cast<void*>(20));
  spawn(throw_and_catch, reinterpret_cast<void*>(30));
  return 0;
}

TEST(Exception, InterleavedInThreeFibres) {
  World w(throwing_threads);
  w.run_round_robin();
  EXPECT_FALSE(w.failed()) << w.error().message;
  EXPECT_EQ(w.pending(T3).kind, ActionKind::done);
  // Abandoned in the middle of a catch.
  for (int i = 0; i < 1000; ++i) {
    w.restart();
    w.run(kMain);
    for (int k = 0; k < 3; ++k)
      for (const ThreadId t : {T1, T2, T3}) w.step(t);
  }
}

TEST(Exception, TheHostKeepsItsOwn) {
  World w(throwing_threads);
  w.run(kMain);
  try {
    throw std::runtime_error("host");
  } catch (const std::exception& e) {
    w.run_round_robin();
    EXPECT_FALSE(w.failed());
    try {
      throw;
    } catch (const std::runtime_error& again) {
      EXPECT_STREQ(again.what(), "host");
    }
  }
}

TEST(Exception, Uncaught) {
  static int destroyed;
  destroyed = 0;
  World w([] {
    spawn([](void*) -> void* {
      struct Guard {
        ~Guard() { ++destroyed; }
      } guard;
      __heddle_at(5);
      throw std::out_of_range("too far");
    });
    return 0;
  });
  for (int i = 0; i < 3; ++i) {
    w.restart();
    w.run_all();
    const Error e = w.error();
    EXPECT_EQ(e.kind, ErrorKind::exception);
    EXPECT_EQ(e.message, "uncaught exception of type std::out_of_range: too far");
    EXPECT_EQ(e.thread, T1);
    EXPECT_EQ(e.site, SiteId(5));
  }
  EXPECT_EQ(destroyed, 0) << "the stack must not be unwound";
}

TEST(Exception, UncaughtOfAnotherType) {
  World w([]() -> int { throw 3; });
  w.run_all();
  EXPECT_EQ(w.error().message, "uncaught exception of type int");
}

TEST(Exception, Terminate) {
  World w([]() -> int { std::terminate(); });
  w.run_all();
  EXPECT_EQ(w.error().kind, ErrorKind::crash);
  EXPECT_EQ(w.error().message, "std::terminate was called");
}

}  // namespace
}  // namespace heddle::test
