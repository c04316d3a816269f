// Threads: names, lazy starts, joins, exits, thread-local storage, keys.
#include <set>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

std::vector<int> order;

TEST(Thread, StartsOnlyWhenLookedAt) {
  static int started;
  started = 0;
  World w([] {
    spawn([](void*) -> void* {
      ++started;
      return nullptr;
    });
    return 0;
  });
  EXPECT_EQ(w.pending(kMain).kind, ActionKind::create);
  EXPECT_EQ(w.pending(kMain).child, T1);
  EXPECT_EQ(w.machine.threads().size(), 1u);
  w.run(kMain);
  EXPECT_EQ(w.machine.threads().size(), 2u);
  EXPECT_EQ(started, 0);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::exit);
  EXPECT_EQ(started, 1);
}

void* parent_of_two(void*) {
  const ThreadFunction nothing = [](void*) -> void* { return nullptr; };
  spawn(nothing);
  spawn(nothing);
  return nullptr;
}

TEST(Thread, NamesDependOnParentAndIndexOnly) {
  World w([] {
    spawn(parent_of_two);
    spawn(parent_of_two);
    return 0;
  });
  w.run(kMain);
  for (const ThreadId t : {T1, T2, T1, T2}) w.step(t);
  std::map<ThreadId, ThreadId> parents;
  for (const ThreadId t : w.machine.threads()) parents[t] = w.machine.parent(t);
  const std::vector<Action> before = {w.events[3].action, w.events[4].action, w.events[5].action, w.events[6].action};
  w.restart();
  w.run(kMain);
  for (const ThreadId t : {T2, T2, T1, T1}) w.step(t);
  EXPECT_EQ(w.events[3].action.child, before[1].child);
  EXPECT_EQ(w.events[4].action.child, before[3].child);
  EXPECT_EQ(w.events[5].action.child, before[0].child);
  EXPECT_EQ(w.events[6].action.child, before[2].child);
  for (const ThreadId t : w.machine.threads()) EXPECT_EQ(w.machine.parent(t), parents[t]);
  EXPECT_EQ(w.machine.parent(kMain), kNoThread);
  EXPECT_EQ(w.machine.name(kMain), "main");
}

TEST(Thread, JoinWaitsAndGivesTheResult) {
  World w([] {
    const auto t = spawn([](void* x) -> void* { return static_cast<char*>(x) + 1; }, globals().bytes);
    EXPECT_EQ(join(t), globals().bytes + 1);
    return 0;
  });
  w.run(kMain);
  EXPECT_EQ(w.pending(kMain).kind, ActionKind::join);
  EXPECT_EQ(w.pending(kMain).child, T1);
  EXPECT_FALSE(w.enabled(kMain));
  w.run_all();
  EXPECT_EQ(w.pending(kMain).kind, ActionKind::done);
}

TEST(Thread, SelfEqualDetachExit) {
  World w([] {
    auto* const self = library<unsigned long()>("pthread_self");
    auto* const equal = library<int(unsigned long, unsigned long)>("pthread_equal");
    auto* const detach = library<int(unsigned long)>("pthread_detach");
    const auto t = spawn([](void*) -> void* {
      library<void(void*)>("pthread_exit")(globals().bytes);
      ADD_FAILURE();
      return nullptr;
    });
    EXPECT_FALSE(equal(self(), t));
    EXPECT_TRUE(equal(self(), self()));
    EXPECT_EQ(detach(self()), 0);
    EXPECT_NE(detach(77), 0);
    EXPECT_NE((library<int(unsigned long, void**)>("pthread_join")(self(), nullptr)), 0);
    EXPECT_EQ(join(t), globals().bytes);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(Thread, C11) {
  World w([] {
    auto* const create = library<int(unsigned long*, int (*)(void*), void*)>("thrd_create");
    auto* const join = library<int(unsigned long, int*)>("thrd_join");
    unsigned long t = 0;
    int result = 0;
    EXPECT_EQ(create(&t, [](void*) { return -7; }, nullptr), 0);
    EXPECT_EQ(join(t, &result), 0);
    EXPECT_EQ(result, -7);
    EXPECT_EQ(create(
                  &t,
                  [](void*) {
                    library<void(int)>("thrd_exit")(3);
                    return 0;
                  },
                  nullptr),
              0);
    EXPECT_EQ(join(t, &result), 0);
    EXPECT_EQ(result, 3);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(Thread, TooMany) {
  World w([] {
    for (int i = 0; i < 2100; ++i) spawn([](void*) -> void* { return nullptr; });
    return 0;
  });
  try {
    w.run_all();
    FAIL();
  } catch (const UserError& e) {
    EXPECT_NE(std::string(e.what()).find("2047"), std::string::npos);
  }
}

TEST(Thread, EachHasItsThreadLocals) {
  Image i = image([] {
    auto* const mine = static_cast<int32_t*>(__heddle_tls());
    EXPECT_EQ(read(mine[0]), 5);
    write(mine[0], 6);
    globals().pointers[0] = mine;
    join(spawn([](void*) -> void* {
      auto* const t = static_cast<int32_t*>(__heddle_tls());
      EXPECT_EQ(t, __heddle_tls());
      EXPECT_NE(t, globals().pointers[0]);
      EXPECT_EQ(read(t[0]), 5);
      write(t[0], 7);
      globals().pointers[1] = t;
      return nullptr;
    }));
    EXPECT_EQ(read(mine[0]), 6);
    read(*static_cast<int32_t*>(globals().pointers[1]), 5);  // the other thread has ended
    return 0;
  });
  const int32_t initial[] = {5, 0};
  i.tls.initial.assign(reinterpret_cast<const std::byte*>(initial), reinterpret_cast<const std::byte*>(initial + 2));
  i.tls.variables = {{"numbers", 0, sizeof initial}};
  World w(std::move(i), {});
  w.run_all();
  EXPECT_EQ(w.error().kind, ErrorKind::memory);
  EXPECT_EQ(w.error().site, SiteId(5));
}

TEST(Thread, KeysHaveDestructors) {
  order.clear();
  World w([] {
    auto* const create = library<int(unsigned*, void (*)(void*))>("pthread_key_create");
    static auto* const set = library<int(unsigned, const void*)>("pthread_setspecific");
    static auto* const get = library<void*(unsigned)>("pthread_getspecific");
    static unsigned key;
    create(&key, [](void* p) {
      order.push_back(static_cast<int>(static_cast<char*>(p) - globals().bytes));
      if (order.size() == 1) set(key, globals().bytes + 9);
    });
    EXPECT_EQ(get(key), nullptr);
    join(spawn([](void*) -> void* {
      set(key, globals().bytes + 3);
      EXPECT_EQ(get(key), globals().bytes + 3);
      return nullptr;
    }));
    EXPECT_EQ(get(key), nullptr);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(order, (std::vector<int>{3, 9}));
}

TEST(Thread, ThreadLocalDestructorsRunBackwards) {
  order.clear();
  World w([] {
    join(spawn([](void*) -> void* {
      auto* const at_exit = library<int(void (*)(void*), void*, void*)>("__cxa_thread_atexit");
      const auto note = [](void* p) { order.push_back(static_cast<int>(static_cast<char*>(p) - globals().bytes)); };
      at_exit(note, globals().bytes + 1, nullptr);
      at_exit(note, globals().bytes + 2, nullptr);
      return nullptr;
    }));
    return 0;
  });
  w.run_all();
  EXPECT_EQ(order, (std::vector<int>{2, 1}));
}

TEST(Thread, MainMayEndFirst) {
  World w([] {
    spawn([](void*) -> void* {
      add(globals().a, 1);
      return nullptr;
    });
    return 0;
  });
  w.run(kMain);
  EXPECT_EQ(w.pending(kMain).kind, ActionKind::done);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::rmw);
}

TEST(Thread, ExitStatus) {
  const auto error = [](Main main) {
    World w(main);
    w.run_all();
    return w.error();
  };
  EXPECT_EQ(error([] { return 3; }).message, "main returned 3");
  EXPECT_EQ(error([] { return 3; }).kind, ErrorKind::exit);
  EXPECT_EQ(error([] {
              library<void(int)>("exit")(4);
              return 0;
            }).message,
            "exit(4) was called");
  World w([] {
    spawn([](void*) -> void* {
      library<void(int)>("exit")(0);
      ADD_FAILURE();
      return nullptr;
    });
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(w.pending(T1).kind, ActionKind::block);
  EXPECT_EQ(w.pending(T1).reason, BlockReason::ended);
}

TEST(Thread, ReplayOfADifferentProgramIsRefused) {
  static bool other;
  other = false;
  World w([] {
    spawn([](void*) -> void* {
      if (other) {
        load(globals().b);
      } else {
        load(globals().a);
      }
      return nullptr;
    });
    return 0;
  });
  w.run_all();
  other = true;
  try {
    w.replay();
    FAIL();
  } catch (const UserError& e) {
    EXPECT_NE(std::string(e.what()).find("not deterministic"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("load of a"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("load of b"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace heddle::test
