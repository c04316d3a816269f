// Hazard pointers: what is protected for how long, and which accesses to retired memory are errors.
#include <algorithm>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

using Hp = uint64_t;  // a heddle_hp_t

Hp& hp(int i = 0) { return globals().wide[i]; }
void*& shared() { return globals().pointers[0]; }
int32_t& block() { return *static_cast<int32_t*>(globals().pointers[0]); }
int32_t* protect(Hp& hp, void*& location = shared(), uint32_t site = 0) {
  __heddle_at(site);
  return static_cast<int32_t*>(library<void*(Hp*, void*)>("heddle_hp_protect")(&hp, &location));
}
void clear(Hp& hp) { library<void(Hp*)>("heddle_hp_clear")(&hp); }
void retire(void* p, uint32_t site = 0) {
  __heddle_at(site);
  library<void(void*)>("heddle_hp_retire")(p);
}

Image with_hazard_pointers(Main main) {
  Image i = image(main);
  i.uses.hazard_pointers = true;
  return i;
}

class HazardWorld : public World {
 public:
  explicit HazardWorld(Main main, NativeOptions options = {}) : World(with_hazard_pointers(main), options) {}
};

// main makes a block of two ints and starts the threads.
template <auto... kThreads>
int start() {
  auto* const p = static_cast<int32_t*>(allocate(8));
  write(p[0], 1);
  write(p[1], 2);
  __heddle_plain_store8(&shared(), reinterpret_cast<uint64_t>(p), 0);
  (spawn(static_cast<ThreadFunction>(kThreads)), ...);
  return 0;
}

void* use_protected(void*) {
  int32_t* const p = protect(hp());
  read(p[1], 11);
  write(p[0], 5, 12);
  clear(hp());
  return nullptr;
}
void* use_unprotected(void*) {
  auto* const p = reinterpret_cast<int32_t*>(__heddle_load(&shared(), 8, acq(), 10));
  read(p[1], 11);
  return nullptr;
}
void* use_after_clear(void*) {
  int32_t* const p = protect(hp());
  read(p[1], 11);
  clear(hp());
  read(p[1], 13);
  return nullptr;
}
void* retire_it(void*) {
  retire(&block(), 21);
  return nullptr;
}

void expect_memory(const Error& e, const char* text, uint32_t site, ThreadId other, uint32_t other_site) {
  EXPECT_EQ(e.kind, ErrorKind::memory) << e.message;
  EXPECT_NE(e.message.find(text), std::string::npos) << e.message;
  EXPECT_EQ(e.site, SiteId(site));
  EXPECT_EQ(e.other_thread, other);
  EXPECT_EQ(e.other_site, SiteId(other_site));
}

TEST(Hazard, ProtectIsOneAcquireLoadAndRetireOneFree) {
  HazardWorld w(start<use_protected, retire_it>);
  w.run(kMain);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::load);
  EXPECT_EQ(w.pending(T1).mode, Mode::acq);
  EXPECT_EQ(w.pending(T1).size, 8);
  EXPECT_EQ(w.pending(T1).addr, reinterpret_cast<Address>(&shared()));
  EXPECT_EQ(w.run(T1), 2);  // and the exit
  EXPECT_EQ(w.pending(T2).kind, ActionKind::free);
  EXPECT_TRUE(w.pending(T2).retire);
  EXPECT_EQ(w.pending(T2).length, 8u);
  EXPECT_EQ(w.run(T2), 2);
}

TEST(Hazard, GuardedAccessesAreRightInBothOrders) {
  HazardWorld w(start<use_protected, retire_it>);
  w.run(kMain);
  w.run(T1);
  w.run(T2);
  EXPECT_FALSE(w.failed());
  w.restart();
  w.run(kMain);
  w.step(T1);
  w.run(T2);
  w.run(T1);
  EXPECT_FALSE(w.failed());
}

TEST(Hazard, UnguardedAccessesAreWrongInBothOrders) {
  HazardWorld w(start<use_unprotected, retire_it>);
  for (int i = 0; i < 2; ++i) {
    w.restart();
    w.run(kMain);
    w.run(T1);
    w.run(T2);
    expect_memory(w.error(), "is retired while T1", 21, T1, 11);
    w.restart();
    w.run(kMain);
    w.run(T2);
    w.run(T1);
    expect_memory(w.error(), "which is retired (t.c:21) and not protected", 11, T2, 21);
  }
}

// The second read would not be looked at again, were it not for the clear between the two.
TEST(Hazard, ClearEndsTheProtection) {
  HazardWorld w(start<use_after_clear, retire_it>);
  w.run(kMain);
  w.run(T1);
  w.run(T2);
  expect_memory(w.error(), "is retired while T1", 21, T1, 13);
  w.restart();
  w.run(kMain);
  w.run(T2);
  w.step(T1);
  expect_memory(w.error(), "which is retired", 13, T2, 21);
}

TEST(Hazard, ProtectingSomethingElseEndsTheProtection) {
  HazardWorld w(start<[](void*) -> void* {
    int32_t* const p = protect(hp());
    protect(hp(), globals().pointers[1]);  // null
    read(*p, 11);
    return nullptr;
  },
                      retire_it>);
  w.run(kMain);
  w.run(T2);
  w.run(T1);
  expect_memory(w.error(), "which is retired", 11, T2, 21);
}

// A real protect looks at the location again when the hazard pointer already has its new value.
TEST(Hazard, TheOldProtectionDoesNotCoverTheLocation) {
  HazardWorld w(start<[](void*) -> void* {
    int32_t* const p = protect(hp());
    protect(hp(), *reinterpret_cast<void**>(p), 11);
    return nullptr;
  },
                      retire_it>);
  w.run(kMain);
  w.step(T1);
  EXPECT_FALSE(w.pending(T1).guarded);
  w.run(T2);
  w.run(T1);
  expect_memory(w.error(), "read of 8 bytes in", 11, T2, 21);
}

TEST(Hazard, ProtectsOnlyItsOwnThread) {
  HazardWorld w(start<[](void*) -> void* {
    protect(hp());
    add(globals().a, 1, rlx());
    return nullptr;
  },
                      use_unprotected, retire_it>);
  w.run(kMain);
  w.step(T1);
  w.run(T3);
  w.run(T2);
  expect_memory(w.error(), "not protected by a hazard pointer of T2", 11, T3, 21);
}

TEST(Hazard, TheRetirerMayHoldAHazardPointerToo) {
  HazardWorld w(start<[](void*) -> void* {
    int32_t* const p = protect(hp());
    retire(p, 21);
    write(*p, 3);
    EXPECT_EQ(read(*p), 3);
    clear(hp());
    read(*p, 22);
    return nullptr;
  }>);
  w.run_all();
  expect_memory(w.error(), "which is retired", 22, T1, 21);
}

// What an unguarded access leaves in the shadow memory is overwritten by a guarded one.
TEST(Hazard, AGuardedAccessDoesNotHideAnEarlierOne) {
  HazardWorld w(start<[](void*) -> void* {
    auto* const p = reinterpret_cast<int32_t*>(__heddle_load(&shared(), 8, acq(), 10));
    write(*p, 3, 11);
    protect(hp());
    write(*p, 4, 12);
    return nullptr;
  },
                      retire_it>);
  w.run(kMain);
  w.run(T1);
  w.run(T2);
  expect_memory(w.error(), "is retired while T1", 21, T1, 11);
}

TEST(Hazard, UnguardedAccessesMayHappenBefore) {
  HazardWorld w([] {
    start<[](void*) -> void* {
      read(block(), 11);
      store(globals().a, 1, rel());
      return nullptr;
    }>();
    if (load(globals().a, acq()) == 1) retire(&block(), 21);
    return 0;
  });
  w.step(kMain);
  w.run(T1);
  w.run(kMain);
  EXPECT_FALSE(w.failed());
}

TEST(Hazard, GuardedAccessesStillRace) {
  HazardWorld w(start<use_protected,
                      [](void*) -> void* {
                        write(*protect(hp(1)), 5, 32);
                        return nullptr;
                      },
                      retire_it>);
  w.run(kMain);
  w.step(T1);
  w.run(T3);
  w.run(T2);
  EXPECT_EQ(w.error().kind, ErrorKind::race) << w.error().message;
}

TEST(Hazard, AtomicAccessesAreMarked) {
  HazardWorld w(start<[](void*) -> void* {
    int32_t* const p = protect(hp());
    load(p[1], rlx(), 11);
    clear(hp());
    add(p[1], 1, rlx(), 13);
    return nullptr;
  },
                      retire_it>);
  w.run(kMain);
  EXPECT_FALSE(w.pending(T1).guarded);
  w.step(T1);
  EXPECT_TRUE(w.pending(T1).guarded);
  EXPECT_FALSE(w.machine.fails(T1, w.clock(T1)));
  w.run(T2);
  EXPECT_FALSE(w.machine.fails(T1, w.clock(T1)));
  w.step(T1);
  EXPECT_FALSE(w.pending(T1).guarded);
  EXPECT_TRUE(w.machine.fails(T1, w.clock(T1)));
  w.step(T1);
  expect_memory(w.error(), "write of 4 bytes in", 13, T2, 21);
}

TEST(Hazard, TooLate) {
  HazardWorld w(start<[](void*) -> void* {
    retire(&block(), 21);
    store(globals().a, 1, rel());
    return nullptr;
  },
                      [](void*) -> void* {
                        load(globals().a, acq());
                        read(*protect(hp()), 11);
                        return nullptr;
                      }>);
  w.run(kMain);
  w.run(T1);
  w.run(T2);
  expect_memory(w.error(), "was retired (t.c:21) before the hazard pointer was set", 11, T1, 21);
}

TEST(Hazard, GuardedUsesAreTold) {
  HazardWorld w(start<[](void*) -> void* {
    load(globals().a);
    int32_t* const p = protect(hp(0));
    read(p[0], 11);
    read(p[1], 12);
    protect(hp(1));
    read(p[0], 13);
    clear(hp(0));
    read(p[0], 14);
    return nullptr;
  },
                      retire_it>);
  for (int i = 0; i < 2; ++i) {
    w.restart();
    w.run(kMain);
    w.run(T1);
    EXPECT_TRUE(w.machine.guarded_uses().empty());  // nothing is retired
    w.run(T2);
    const auto uses = w.machine.guarded_uses();
    ASSERT_EQ(uses.size(), 4u);
    const auto expect = [&](const GuardedUse& u, uint32_t use, uint32_t protect, uint32_t site) {
      EXPECT_EQ(u.use, use);
      EXPECT_EQ(u.thread, T1);
      EXPECT_EQ(u.protect, protect);
      EXPECT_EQ(u.site, SiteId(site));
      EXPECT_EQ(u.retired_by, T2);
      EXPECT_EQ(u.retire, 1u);
      EXPECT_EQ(u.retire_site, SiteId(21));
    };
    expect(uses[0], 1, 2, 11);
    expect(uses[1], 2, 2, 13);  // either of the two is enough
    expect(uses[2], 2, 3, 13);
    expect(uses[3], 3, 3, 14);
  }
}

TEST(Hazard, Replay) {
  HazardWorld w(start<use_protected, retire_it>);
  w.run(kMain);
  w.step(T1);
  w.run(T2);
  w.run(T1);
  w.replay();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(w.pending(T1).kind, ActionKind::done);
  EXPECT_EQ(w.machine.guarded_uses().size(), 1u);
}

TEST(Hazard, TwoThreadsRetireTheSameBlock) {
  HazardWorld w(start<retire_it, retire_it>);
  w.run(kMain);
  w.run(T1);
  w.run(T2);
  expect_memory(w.error(), "double retire", 21, T1, 21);
}

TEST(Hazard, LargeBlocks) {
  HazardWorld w([] {
    globals().pointers[0] = library<void*(std::size_t, std::size_t)>("calloc")(1, 4 << 20);
    spawn([](void*) -> void* {
      const auto* const p = reinterpret_cast<char*>(protect(hp())) + (3 << 20);
      __heddle_plain_load8(p, 11);
      clear(hp());
      __heddle_plain_load8(p, 12);
      return nullptr;
    });
    spawn(retire_it);
    return 0;
  });
  w.run(kMain);
  w.run(T1);
  w.run(T2);
  expect_memory(w.error(), "is retired while T1", 21, T1, 12);
}

TEST(Hazard, AHazardPointerBelongsToOneThread) {
  HazardWorld w(start<[](void*) -> void* {
    protect(hp());
    store(globals().a, 1, rel());
    return nullptr;
  },
                      [](void*) -> void* {
                        if (load(globals().a, acq()) == 1) {
                          __heddle_at(31);
                          clear(hp());
                        }
                        return nullptr;
                      }>);
  w.run(kMain);
  w.run(T1);
  w.run(T2);
  EXPECT_EQ(w.error().kind, ErrorKind::memory);
  EXPECT_NE(w.error().message.find("protects memory for T1"), std::string::npos) << w.error().message;
  EXPECT_EQ(w.error().site, SiteId(31));
}

TEST(Hazard, AHazardPointerEndsWithItsMemory) {
  HazardWorld w(start<[](void*) -> void* {
    auto* const local = static_cast<Hp*>(__heddle_local_begin(sizeof(Hp), 8, 1));
    int32_t* const p = protect(*local);
    read(*p, 11);
    __heddle_local_end(local, 2);
    read(*p, 12);
    return nullptr;
  },
                      retire_it>);
  w.run(kMain);
  w.run(T1);
  w.run(T2);
  expect_memory(w.error(), "is retired while T1", 21, T1, 12);
}

TEST(Hazard, AThreadThatHasEndedLeavesItsHazardPointers) {
  HazardWorld w([] {
    shared() = allocate(8);
    const auto t = spawn([](void*) -> void* {
      protect(hp());
      return nullptr;
    });
    join(t);
    protect(hp());
    retire(&block());
    write(block(), 1);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

}  // namespace
}  // namespace heddle::test
