// Each room's books can be saved and put back: what is done afterwards comes out as it did the first time.
#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

int idle() { return 0; }

// The functions of a room, called from outside as if the thread ran.
class As {
 public:
  explicit As(ThreadId t) { rt.current = &thread(t); }
  ~As() { rt.current = nullptr; }
  As(const As&) = delete;
  As& operator=(const As&) = delete;

 private:
  HostScope scope_;
};

Address block(uint64_t size) { return address(heap::allocate(size, 16, BlockKind::malloc, false)); }

TEST(Rooms, Threads) {
  static int created;
  World w([] {
    for (created = 0; created < 3; ++created) spawn([](void*) -> void* { return nullptr; });
    return 0;
  });
  w.step(kMain);
  w.step(T1);
  const auto saved = threads::save();
  const Action pending = w.pending(kMain);
  const uint64_t actions = thread(kMain).actions;
  w.step(kMain);
  w.step(T2);
  EXPECT_EQ(w.machine.threads().size(), 3u);
  for (int twice = 0; twice < 2; ++twice) {
    threads::restore(saved);
    EXPECT_EQ(w.machine.threads().size(), 2u);
    EXPECT_EQ(thread(kMain).pending.kind, ActionKind::create);
    EXPECT_EQ(thread(kMain).pending.child, pending.child);
    EXPECT_EQ(thread(kMain).actions, actions);
    EXPECT_EQ(thread(kMain).created, 2u);
    EXPECT_FALSE(thread(T2).created_now);
    EXPECT_TRUE(rt.concurrent);
    EXPECT_EQ(thread(T1).pending.kind, ActionKind::done);
    // A child keeps its id, also if it was first met after the save.
    EXPECT_EQ(threads::nth_child(thread(kMain), 1), T2);
    EXPECT_EQ(threads::nth_child(thread(kMain), 2), T3);
  }
  w.restart();
  EXPECT_EQ(w.machine.threads().size(), 1u);
}

TEST(Rooms, Heap) {
  World w(idle);
  const As main(kMain);
  const Address first = block(10);
  const auto saved = heap::save();
  const Address second = block(20);
  const Address third = block(3 << 20);
  heap::find(first)->freed = true;
  std::memset(pointer(second), 0xff, 20);
  std::memset(pointer(third), 0xff, 3 << 20);
  for (int twice = 0; twice < 2; ++twice) {
    heap::restore(saved);
    EXPECT_FALSE(heap::find(first)->freed);
    EXPECT_EQ(heap::find(second), nullptr);
    EXPECT_EQ(block(20), second);
    EXPECT_EQ(block(3 << 20), third);
    EXPECT_EQ(*static_cast<char*>(pointer(second + 19)), 0) << "memory that is handed out again is zero again";
    EXPECT_EQ(*static_cast<char*>(pointer(third + (1 << 20))), 0);
    EXPECT_EQ(heap::find(second)->size, 20u);
  }
}

TEST(Rooms, ShadowAndItsRows) {
  World w([] {
    spawn([](void*) -> void* { return nullptr; });
    spawn([](void*) -> void* { return nullptr; });
    add(globals().a, 1);
    return 0;
  });
  w.step(kMain);
  w.step(kMain);
  w.pending(T1);
  w.pending(T2);
  const Address a = address(&globals().c);
  const Address b = address(&globals().bytes[0]);
  const auto read = [&](ThreadId t, Address at) {
    const As as(t);
    cell::check_read(thread(t), at, 4, cell::Uninitialised::refuse);
  };
  const auto write = [&](ThreadId t, Address at) {
    const As as(t);
    cell::check_write(thread(t), at, 4);
  };
  read(T1, a);
  const auto saved = cell::save();
  const uint64_t before = *cell::at(a);
  const auto go_on = [&] {
    read(T2, a);  // unordered reads: a row
    write(T1, b);
    cell::check_action(thread(T2), address(&globals().nodes[2].value), 4, cell::Use::update);
    return std::vector<uint64_t>{*cell::at(a), *cell::at(b), *cell::at(address(&globals().nodes[2].value)),
                                 cell::state.tracked.size(), cell::state.lines.size()};
  };
  const auto first = go_on();
  EXPECT_NE(first[0] & cell::kRow, 0u);
  for (int twice = 0; twice < 2; ++twice) {
    cell::restore(saved);
    EXPECT_EQ(*cell::at(a), before);
    EXPECT_EQ(*cell::at(b), 0u);
    EXPECT_EQ(*cell::at(address(&globals().nodes[2].value)), 0u);
    EXPECT_EQ(go_on(), first);
  }
}

TEST(Rooms, HazardPointers) {
  Image i = image(idle);
  i.uses.hazard_pointers = true;
  World w(std::move(i), {});
  const As main(kMain);
  const Address hp = address(heap::allocate(8, 8, BlockKind::hazard, true));
  const Address node = address(heap::allocate(16, 16, BlockKind::malloc, true));
  globals().pointers[0] = pointer(node);
  EXPECT_EQ(hazards::protect(hp, address(&globals().pointers[0])), node);
  const auto saved = hazards::save();
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_TRUE(hazards::guards(thread(kMain), node + 4));
    hazards::clear(hp);
    EXPECT_FALSE(hazards::guards(thread(kMain), node + 4));
    hazards::restore(saved);
  }
  hazards::reset();
  EXPECT_FALSE(hazards::guards(thread(kMain), node));
}

TEST(Rooms, Helping) {
  NativeOptions options;
  options.helping = true;
  World w(
      [] {
        spawn([](void*) -> void* { return nullptr; });
        const auto body = [] {
          load(globals().b);
          __heddle_cas(&globals().a, 4, 0, 1, sc(), sc(), 0, 3);
        };
        if (library<bool()>("heddle_help_begin")()) {
          body();
          library<void()>("heddle_help_again")();
          body();
          library<void()>("heddle_helped_end")();
        }
        body();
        library<void()>("heddle_helped_done")();
        return 0;
      },
      options);
  w.step(kMain);
  ASSERT_EQ(w.pending(kMain).kind, ActionKind::help);
  const auto threads_then = threads::save();
  const auto saved = helping::save();
  ASSERT_EQ(w.pending(kMain).reads.size(), 1u);
  w.step(kMain);
  EXPECT_EQ(helping::state.cas_due[kMain], address(&globals().a));
  helping::state.reads[kMain].assign(100, {});
  threads::restore(threads_then);
  helping::restore(saved);
  EXPECT_EQ(helping::state.cas_due[kMain], 0u);
  ASSERT_EQ(thread(kMain).pending.reads.size(), 1u);
  EXPECT_EQ(thread(kMain).pending.reads[0].addr, address(&globals().b));
}

TEST(Rooms, Symmetry) {
  NativeOptions options;
  options.symmetry = true;
  options.find_twins = false;
  World w(
      [] {
        for (int i = 0; i < 2; ++i) spawn([](void*) -> void* { return nullptr; });
        return 0;
      },
      options);
  w.step(kMain);
  w.step(kMain);
  symmetry::note(thread(kMain), thread(T1), kNoThread, false);
  const auto saved = symmetry::save();
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(cell::state.hooks.meets, nullptr);
    symmetry::note(thread(kMain), thread(T2), T1, false);
    EXPECT_TRUE(symmetry::state.twin[T1].found);
    EXPECT_EQ(symmetry::state.twin[kMain].last_child, T2);
    EXPECT_NE(cell::state.hooks.meets, nullptr);
    EXPECT_TRUE(cell::state.thorough);
    symmetry::restore(saved);
    EXPECT_FALSE(symmetry::state.twin[T1].found);
    EXPECT_EQ(symmetry::state.twin[kMain].last_child, T1);
    EXPECT_FALSE(cell::state.thorough);
  }
}

TEST(Rooms, Exits) {
  World w(idle);
  const As main(kMain);
  uint32_t key = 0;
  uint32_t next = 0;
  EXPECT_TRUE(exits::create_key(&key, nullptr));
  EXPECT_TRUE(exits::set_value(key, pointer(1)));
  const auto saved = exits::save();
  EXPECT_TRUE(exits::create_key(&next, nullptr));
  for (int twice = 0; twice < 2; ++twice) {
    exits::set_value(key, pointer(2));
    exits::at_thread_exit([](void*) {}, nullptr);
    exits::restore(saved);
    EXPECT_EQ(exits::value(key), pointer(1));
    uint32_t again = 0;
    EXPECT_TRUE(exits::create_key(&again, nullptr));
    EXPECT_EQ(again, next);
    EXPECT_TRUE(exits::state.of[kMain].at_exit.empty());
  }
  // Whether a key is there stands in memory, which is not the room's to restore.
  EXPECT_TRUE(exits::delete_key(key));
  EXPECT_FALSE(exits::delete_key(key));
  EXPECT_FALSE(exits::set_value(key, pointer(3)));
  EXPECT_EQ(exits::value(key), nullptr);
}

TEST(Rooms, Output) {
  World w(idle);
  output::print("one", 3);
  const auto saved = output::save();
  output::print(" two", 4);
  EXPECT_EQ(w.machine.output(), "one two");
  output::restore(saved);
  EXPECT_EQ(w.machine.output(), "one");
  output::print(" three", 6);
  EXPECT_EQ(w.machine.output(), "one three");
}

TEST(Rooms, AllTogether) {
  World w([] {
    library<int(const char*)>("puts")("start");
    spawn([](void*) -> void* {
      add(globals().a, 1);
      library<void*(std::size_t)>("malloc")(100);
      library<int(const char*)>("puts")("thread");
      add(globals().b, 1);
      return nullptr;
    });
    add(globals().a, 1);
    return 0;
  });
  w.step(kMain);
  w.pending(T1);
  const auto saved = w.machine.save();
  w.step(T1);
  w.step(T1);
  const auto blocks = heap::state.arena[T1].blocks.size();
  EXPECT_EQ(w.machine.output(), "start\nthread\n");
  w.machine.restore(saved);
  EXPECT_EQ(w.machine.output(), "start\n");
  EXPECT_LT(heap::state.arena[T1].blocks.size(), blocks);
  EXPECT_EQ(thread(T1).pending.addr, address(&globals().a));
  w.restart();  // as if nothing had been
  w.run_all();
  EXPECT_EQ(w.machine.output(), "start\nthread\n");
}

}  // namespace
}  // namespace heddle::test
