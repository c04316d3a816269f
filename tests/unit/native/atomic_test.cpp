// Atomic accesses as actions: what is offered, what results do, what happens before there are threads.
#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

int seen = 0;

void* increment(void*) {
  add(globals().a, 1, rlx(), 7);
  return nullptr;
}

int two_increments() {
  spawn(increment);
  spawn(increment);
  return 0;
}

TEST(Atomic, AnActionIsOfferedWithAllItsParts) {
  World w(two_increments);
  w.run(kMain);
  const Action& a = w.pending(T1);
  EXPECT_EQ(a.kind, ActionKind::rmw);
  EXPECT_EQ(a.op, RmwOp::add);
  EXPECT_EQ(a.mode, Mode::rlx);
  EXPECT_EQ(a.size, 4);
  EXPECT_EQ(a.addr, reinterpret_cast<Address>(&globals().a));
  EXPECT_EQ(a.operand, (Value{1, 0}));
  EXPECT_EQ(a.site, SiteId(7));
}

TEST(Atomic, ActionsLeaveMemoryAlone) {
  World w(two_increments);
  w.run_all();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(w.value(reinterpret_cast<Address>(&globals().a), 4).lo, 2u);
  EXPECT_EQ(w.machine.base(reinterpret_cast<Address>(&globals().a), 4).lo, 0u);
}

TEST(Atomic, BeforeTheFirstThreadNothingIsAnAction) {
  World w([] {
    Globals& g = globals();
    store(g.a, 5);
    EXPECT_EQ(load(g.a), 5);
    EXPECT_EQ(add(g.a, 2), 5);
    const Pair failed = __heddle_cas(&g.a, 4, 1, 9, sc(), sc(), 0, 0);
    EXPECT_EQ(failed.first, 7u);
    EXPECT_EQ(failed.second, 0u);
    EXPECT_EQ(__heddle_cas(&g.a, 4, 7, 9, sc(), sc(), 0, 0).second, 1u);
    __heddle_fence(sc(), 0);
    return 0;
  });
  EXPECT_EQ(w.pending(kMain).kind, ActionKind::exit);
  EXPECT_EQ(w.machine.base(reinterpret_cast<Address>(&globals().a), 4).lo, 9u);
}

TEST(Atomic, ResultsReachTheProgram) {
  World w([] {
    spawn([](void*) -> void* {
      seen = load(globals().a);
      const Pair r = __heddle_cas(&globals().b, 4, 3, 4, sc(), rlx(), 0, 0);
      EXPECT_EQ(r.first, 3u);
      EXPECT_EQ(r.second, 1u);
      return nullptr;
    });
    return 0;
  });
  w.run(kMain);
  const uint32_t clock[] = {2, 1};
  EXPECT_EQ(w.pending(T1).kind, ActionKind::load);
  w.machine.perform(T1, {42, 0}, clock);
  EXPECT_EQ(seen, 42);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::cas);
  EXPECT_EQ(w.pending(T1).fail_mode, Mode::rlx);
  w.machine.perform(T1, {3, 0}, clock);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::exit);
}

TEST(Atomic, SixteenBytes) {
  static uint64_t got[2];
  World w([] {
    spawn([](void*) -> void* {
      Globals& g = globals();
      const uint64_t v[2] = {1, 2};
      const uint64_t next[2] = {3, 4};
      __heddle_store16(g.pair, v, sc(), 0);
      EXPECT_EQ(__heddle_cas16(g.pair, v, next, got, sc(), sc(), 0, 0), 1u);
      EXPECT_EQ(__heddle_cas16(g.pair, v, next, got, sc(), sc(), 0, 0), 0u);
      EXPECT_EQ(got[0], 3u);
      __heddle_rmw16(g.pair, static_cast<int>(RmwOp::add), v, got, sc(), 0);
      __heddle_load16(g.pair, got, sc(), 0);
      return nullptr;
    });
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(got[0], 4u);
  EXPECT_EQ(got[1], 6u);
}

TEST(Atomic, MixedSizesAreRefusedWithBothPlaces) {
  World w([] {
    spawn([](void*) -> void* {
      __heddle_load(&globals().wide[0], 8, sc(), 3);
      __heddle_load(&globals().wide[0], 4, sc(), 4);
      return nullptr;
    });
    return 0;
  });
  try {
    w.run_all();
    FAIL();
  } catch (const UserError& e) {
    EXPECT_NE(std::string(e.what()).find("mixed-size"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("t.c:3"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("t.c:4"), std::string::npos) << e.what();
  }
  w.restart();  // usable again
  EXPECT_NO_THROW(w.run(kMain));
}

TEST(Atomic, WeakCasFailsForNoReasonUnderAnOption) {
  static int failures;
  const Main program = [] {
    spawn([](void*) -> void* {
      failures = __heddle_cas(&globals().a, 4, 0, 1, sc(), rlx(), 1, 0).second == 0;
      return nullptr;
    });
    return 0;
  };
  {
    World w(program);
    w.run_all();
    EXPECT_EQ(failures, 0);
    EXPECT_EQ(w.events.size(), 4u);  // create, exit, cas, exit
  }
  World w(program, {.spurious_cas = true});
  w.choices[0] = 1;
  w.run_all();
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(w.events.size(), 5u);
  EXPECT_EQ(w.events[2].action.kind, ActionKind::choose);
  EXPECT_EQ(w.events[2].action.bound, 2u);
  EXPECT_EQ(w.events[3].action.kind, ActionKind::load);
  EXPECT_EQ(w.events[3].action.mode, Mode::rlx);
  w.restart();
  w.choices[0] = 0;
  w.run_all();
  EXPECT_EQ(failures, 0);
}

TEST(Atomic, NullPointer) {
  World w([] {
    spawn([](void*) -> void* {
      __heddle_store(nullptr, 4, 1, sc(), 5);
      return nullptr;
    });
    return 0;
  });
  w.run_all();
  const Error e = w.error();
  EXPECT_EQ(e.kind, ErrorKind::memory);
  EXPECT_EQ(e.message, "write through a null pointer");
  EXPECT_EQ(e.site, SiteId(5));
  EXPECT_EQ(e.thread, T1);
}

TEST(Atomic, Misaligned) {
  World w([] {
    spawn([](void*) -> void* {
      __heddle_load(globals().bytes + 1, 4, sc(), 5);
      return nullptr;
    });
    return 0;
  });
  w.run_all();
  EXPECT_EQ(w.error().kind, ErrorKind::memory);
}

TEST(Atomic, SilentLoopsAndLongThreadsAreCut) {
  const Main spin = [] {
    spawn([](void*) -> void* {
      for (;;)
        if (--__heddle_fuel < 0) __heddle_spin(9);
      return nullptr;
    });
    return 0;
  };
  {
    World w(spin, {.spin_limit = 1000});
    w.run_all();
    EXPECT_EQ(w.pending(T1).kind, ActionKind::block);
    EXPECT_EQ(w.pending(T1).reason, BlockReason::silent);
    EXPECT_EQ(w.pending(T1).site, SiteId(9));
  }
  World w(
      [] {
        spawn([](void*) -> void* {
          for (;;) load(globals().a);
          return nullptr;
        });
        return 0;
      },
      {.step_limit = 50});
  w.run_all();
  EXPECT_EQ(w.pending(T1).kind, ActionKind::block);
  EXPECT_EQ(w.pending(T1).reason, BlockReason::steps);
  EXPECT_EQ(w.events.size(), 52u);
}

TEST(Atomic, CutAndTrap) {
  World w([] {
    spawn([](void*) -> void* {
      __heddle_cut(4);
      return nullptr;
    });
    spawn([](void*) -> void* {
      __heddle_trap(5);
      return nullptr;
    });
    return 0;
  });
  w.run(kMain);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::block);
  EXPECT_EQ(w.pending(T1).reason, BlockReason::unroll);
  EXPECT_EQ(w.pending(T2).kind, ActionKind::error);
  EXPECT_EQ(w.machine.error(T2).kind, ErrorKind::crash);
}

}  // namespace
}  // namespace heddle::test
