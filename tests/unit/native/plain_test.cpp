// Plain accesses that meet tracked locations, ranges, and --races ignore.
#include <cstring>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

TEST(Plain, InitialisersBecomeBaseValues) {
  World w([] {
    write(globals().a, 7);
    spawn([](void*) -> void* {
      EXPECT_EQ(load(globals().a), 7);
      return nullptr;
    });
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(Plain, AccessesToATrackedLocationAreActionsWithItsValues) {
  World w([] {
    join(spawn([](void*) -> void* {
      store(globals().a, 3);
      return nullptr;
    }));
    EXPECT_EQ(read(globals().a), 3);
    write(globals().a, 4);
    EXPECT_EQ(read(globals().a), 4);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(w.machine.base(reinterpret_cast<Address>(&globals().a), 4).lo, 0u);
  unsigned plain = 0;
  for (const auto& e : w.events) plain += is_access(e.action.kind) && e.action.mode == Mode::na;
  EXPECT_EQ(plain, 3u);
}

// Copies and fills over a range in which some locations are tracked.
TEST(Plain, RangesWithTrackedLocations) {
  World w([] {
    Globals::Node* const n = globals().nodes;
    for (int i = 0; i < 4; ++i) {
      write(n[i].value, 10 + i);
      write(n[i].next, 20 + i);
    }
    join(spawn([](void*) -> void* {
      store(globals().nodes[0].next, 99);
      return nullptr;
    }));
    __heddle_memcpy(&n[2], &n[0], 8, 0);
    EXPECT_EQ(read(n[2].value), 10);
    EXPECT_EQ(read(n[2].next), 99);
    __heddle_memmove(&n[0], &n[1], 8, 0);
    EXPECT_EQ(read(n[0].value), 11);
    EXPECT_EQ(load(n[0].next), 21);
    __heddle_memset(n, 0, sizeof globals().nodes, 0);
    EXPECT_EQ(load(n[0].next), 0);
    EXPECT_EQ(read(n[3].next), 0);
    EXPECT_EQ(__heddle_plain_load8(&n[0], 0), 0u);  // in two pieces
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(Plain, ReadOfAPartOfATrackedLocation) {
  World w([] {
    join(spawn([](void*) -> void* {
      store(globals().a, 0x04030201);
      return nullptr;
    }));
    EXPECT_EQ(__heddle_plain_load1(reinterpret_cast<char*>(&globals().a) + 2, 0), 3u);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(Plain, WriteToAPartOfATrackedLocationKeepsTheRest) {
  World w([] {
    join(spawn([](void*) -> void* {
      store(globals().a, 0x01020304, sc(), 3);
      return nullptr;
    }));
    __heddle_plain_store1(reinterpret_cast<char*>(&globals().a) + 1, 0xff, 4);
    EXPECT_EQ(load(globals().a), 0x0102ff04);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(Plain, OddSizes) {
  World w([] {
    char value[13] = "twelve bytes";
    char back[13] = {};
    __heddle_plain_store(globals().bytes + 3, value, sizeof value, 0);
    __heddle_plain_load(globals().bytes + 3, back, sizeof back, 0);
    EXPECT_EQ(std::strcmp(back, value), 0);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

const NativeOptions kIgnore{.races_ignore = true};

TEST(RacesIgnore, PlainAccessesAreActions) {
  World w(
      [] {
        write(globals().a, 1);  // alone
        spawn([](void*) -> void* {
          write(globals().a, read(globals().a, 5) + 1, 6);
          return nullptr;
        });
        return read(globals().a) < 0 ? 1 : 0;
      },
      kIgnore);
  w.run(kMain);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::load);
  EXPECT_EQ(w.pending(T1).mode, Mode::na);
  EXPECT_EQ(w.pending(T1).site, SiteId(5));
  w.step(T1);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::store);
  EXPECT_EQ(w.pending(T1).operand, (Value{2, 0}));
  w.run_all();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(w.events.size(), 6u);
}

TEST(RacesIgnore, NoRaceIsReported) {
  World w(
      [] {
        const ThreadFunction f = [](void*) -> void* {
          for (int i = 0; i < 3; ++i) write(globals().a, read(globals().a) + 1);
          return nullptr;
        };
        spawn(f);
        spawn(f);
        return 0;
      },
      kIgnore);
  w.run_round_robin();
  EXPECT_FALSE(w.failed());
}

TEST(RacesIgnore, CopiesMatchTheLocations) {
  World w(
      [] {
        spawn([](void*) -> void* {
          write(globals().nodes[0].value, 1);
          write(globals().nodes[0].next, 2);
          __heddle_memcpy(&globals().nodes[1], &globals().nodes[0], 8, 0);
          EXPECT_EQ(__heddle_plain_load8(&globals().nodes[1], 0), 0x200000001u);
          EXPECT_EQ(read(globals().nodes[1].value), 1);  // a part of a larger location
          return nullptr;
        });
        return 0;
      },
      kIgnore);
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(RacesIgnore, FillsAreCutAsTheTypesSay) {
  World w(
      [] {
        spawn([](void*) -> void* {
          __heddle_memset(globals().nodes, 0, sizeof globals().nodes, 0);
          write(globals().nodes[1].next, 5);
          EXPECT_EQ(read(globals().nodes[1].next), 5);
          return nullptr;
        });
        return 0;
      },
      kIgnore);
  w.run_all();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(w.events.size(), 2 + 8 + 3u);
}

TEST(RacesIgnore, HeapErrorsAreStillFound) {
  World w(
      [] {
        spawn([](void*) -> void* {
          auto* const p = static_cast<int32_t*>(library<void*(std::size_t)>("malloc")(8));
          write(p[0], 1);
          read(p[1], 5);
          return nullptr;
        });
        return 0;
      },
      kIgnore);
  w.run_all();
  EXPECT_EQ(w.error().kind, ErrorKind::memory);
  EXPECT_EQ(w.error().site, SiteId(5));
}

}  // namespace
}  // namespace heddle::test
