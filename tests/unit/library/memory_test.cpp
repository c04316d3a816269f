// The heap and escaping locals: bounds, lifetimes, initialisation, deterministic addresses.
#include <cstring>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

int32_t* ints(std::size_t n) { return static_cast<int32_t*>(allocate(4 * n)); }

void expect_memory(const Error& e, const char* text, uint32_t site) {
  EXPECT_EQ(e.kind, ErrorKind::memory) << e.message;
  EXPECT_NE(e.message.find(text), std::string::npos) << e.message;
  EXPECT_EQ(e.site, SiteId(site));
}

TEST(Memory, OutOfBounds) {
  expect_memory(error_of([] {
                  __heddle_at(1);
                  int32_t* const p = ints(4);
                  for (int i = 0; i < 4; ++i) write(p[i], i);
                  write(p[4], 1, 5);
                  return 0;
                }),
                "0 bytes after the end of a block of 16 bytes from malloc (t.c:1)", 5);
  expect_memory(error_of([] {
                  int32_t* const p = ints(4);
                  read(p[-1], 5);
                  return 0;
                }),
                "4 bytes before a block", 5);
  expect_memory(error_of([] {
                  auto* const p = static_cast<char*>(allocate(10));
                  __heddle_plain_store4(p + 7, 1, 5);  // the last byte is outside
                  return 0;
                }),
                "0 bytes after the end", 5);
  expect_memory(error_of([] {
                  __heddle_plain_store1(allocate(0), 1, 5);
                  return 0;
                }),
                "out of bounds", 5);
  expect_memory(error_of([] {
                  spawn([](void*) -> void* {
                    int32_t* const p = ints(1);
                    store(p[1], 1, sc(), 6);
                    return nullptr;
                  });
                  return 0;
                }),
                "out of bounds", 6);
}

TEST(Memory, UseAfterFree) {
  const Error e = error_of([] {
    int32_t* const p = ints(1);
    write(*p, 1);
    __heddle_at(4);
    release(p);
    read(*p, 5);
    return 0;
  });
  expect_memory(e, "is freed (t.c:4)", 5);
  EXPECT_EQ(e.other_site, SiteId(4));
  EXPECT_EQ(e.other_thread, kMain);
}

TEST(Memory, AtomicUseAfterFree) {
  expect_memory(error_of([] {
                  int32_t* const p = ints(1);
                  write(*p, 1);
                  globals().pointers[0] = p;
                  join(spawn([](void*) -> void* {
                    auto* const q = static_cast<int32_t*>(globals().pointers[0]);
                    add(*q, 1);
                    release(q);
                    return nullptr;
                  }));
                  load(*p, sc(), 7);
                  return 0;
                }),
                "is freed", 7);
}

TEST(Memory, FreeIsAnActionOnceThereAreThreads) {
  World w([] {
    release(allocate(8));  // nobody is there to notice
    spawn([](void*) -> void* {
      release(allocate(24));
      return nullptr;
    });
    return 0;
  });
  EXPECT_EQ(w.pending(kMain).kind, ActionKind::create);
  w.run(kMain);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::free);
  EXPECT_EQ(w.pending(T1).length, 24u);
}

TEST(Memory, FreeWhileSomebodyUsesIt) {
  World w([] {
    globals().pointers[0] = ints(1);
    spawn([](void*) -> void* {
      write(*static_cast<int32_t*>(globals().pointers[0]), 1, 11);
      return nullptr;
    });
    __heddle_at(12);
    release(globals().pointers[0]);
    return 0;
  });
  w.machine.record_sites(true);
  w.restart();
  w.step(kMain);
  w.run(T1);
  w.step(kMain);
  expect_memory(w.error(), "may still use it", 12);
  EXPECT_EQ(w.error().other_thread, T1);
  EXPECT_EQ(w.error().other_site, SiteId(11));
}

TEST(Memory, DoubleAndInvalidFree) {
  expect_memory(error_of([] {
                  void* const p = allocate(8);
                  release(p);
                  __heddle_at(5);
                  release(p);
                  return 0;
                }),
                "double free", 5);
  expect_memory(error_of([] {
                  __heddle_at(5);
                  release(static_cast<char*>(allocate(8)) + 4);
                  return 0;
                }),
                "no allocation returned", 5);
  expect_memory(error_of([] {
                  __heddle_at(5);
                  release(&globals().a);
                  return 0;
                }),
                "no allocation returned: a", 5);
  expect_memory(error_of([] {
                  release(__heddle_local_begin(8, 8, 5));
                  return 0;
                }),
                "local", 5);
  EXPECT_TRUE(fine([] {
    release(nullptr);
    return 0;
  }));
}

TEST(Memory, TwoThreadsFreeTheSameBlock) {
  World w([] {
    globals().pointers[0] = allocate(8);
    const ThreadFunction f = [](void*) -> void* {
      release(globals().pointers[0]);
      return nullptr;
    };
    spawn(f);
    spawn(f);
    return 0;
  });
  w.run(kMain);
  EXPECT_EQ(w.pending(T1).kind, ActionKind::free);
  EXPECT_EQ(w.pending(T2).kind, ActionKind::free);
  w.run(T2);
  w.run(T1);
  EXPECT_EQ(w.error().thread, T1);
  EXPECT_NE(w.error().message.find("double free"), std::string::npos);
}

TEST(Memory, WrongDeallocator) {
  expect_memory(error_of([] {
                  __heddle_at(3);
                  library<void(void*)>("_ZdlPv")(allocate(8));
                  return 0;
                }),
                "operator delete", 3);
  expect_memory(error_of([] {
                  __heddle_at(3);
                  library<void(void*)>("_ZdlPv")(library<void*(std::size_t)>("_Znam")(8));
                  return 0;
                }),
                "operator new[]", 3);
}

TEST(Memory, Uninitialised) {
  expect_memory(error_of([] {
                  int32_t* const p = ints(2);
                  write(p[0], 1);
                  read(p[1], 5);
                  return 0;
                }),
                "uninitialised", 5);
  expect_memory(error_of([] {
                  spawn([](void*) -> void* {
                    load(*ints(1), sc(), 6);
                    return nullptr;
                  });
                  return 0;
                }),
                "uninitialised", 6);
  EXPECT_TRUE(fine([] {
    auto* const zeroed = static_cast<int32_t*>(library<void*(std::size_t, std::size_t)>("calloc")(2, 4));
    EXPECT_EQ(read(zeroed[1]), 0);
    spawn([](void*) -> void* {
      int32_t* const p = ints(1);
      store(*p, 4);
      EXPECT_EQ(load(*p), 4);
      return nullptr;
    });
    return 0;
  }));
}

TEST(Memory, CopiesCarryHolesAlong) {
  EXPECT_TRUE(fine([] {
    int32_t* const p = ints(2);
    int32_t* const q = ints(2);
    write(p[0], 7);
    __heddle_memcpy(q, p, 8, 0);  // p[1] has no value
    EXPECT_EQ(read(q[0]), 7);
    EXPECT_EQ(__heddle_plain_load8(q, 0) & 0xffffffff, 7u);  // a structure in one piece
    return 0;
  }));
  expect_memory(error_of([] {
                  int32_t* const p = ints(2);
                  int32_t* const q = ints(2);
                  write(p[0], 7);
                  write(q[1], 7);
                  __heddle_memcpy(q, p, 8, 0);
                  read(q[1], 5);
                  return 0;
                }),
                "uninitialised", 5);
  EXPECT_TRUE(fine([] {
    int32_t* const p = ints(1);
    write(*p, static_cast<int>(__heddle_plain_peek(p, 4, 0) | 1));  // a bit-field
    return read(*p) - 1;
  }));
}

TEST(Memory, AllocationMustHappenBeforeUse) {
  World w([] {
    spawn([](void*) -> void* {
      int32_t* const p = ints(1);
      store(globals().a, 1, rlx());
      globals().pointers[0] = p;
      return nullptr;
    });
    spawn([](void*) -> void* {
      load(globals().a, rlx());
      write(*static_cast<int32_t*>(globals().pointers[0]), 1, 5);
      return nullptr;
    });
    return 0;
  });
  w.run_all();
  EXPECT_EQ(w.error().kind, ErrorKind::race);
  EXPECT_NE(w.error().message.find("allocates"), std::string::npos) << w.error().message;
}

TEST(Memory, LocalsEnd) {
  expect_memory(error_of([] {
                  auto* const p = static_cast<int32_t*>(__heddle_local_begin(4, 4, 1));
                  write(*p, 1);
                  __heddle_local_end(p, 2);
                  read(*p, 3);
                  return 0;
                }),
                "has gone out of scope (t.c:2)", 3);
  expect_memory(error_of([] {
                  auto* const p = static_cast<int32_t*>(__heddle_local_begin(4, 4, 1));
                  read(*p, 3);
                  return 0;
                }),
                "local at t.c:1", 3);
  World w([] {
    auto* const p = static_cast<int32_t*>(__heddle_local_begin(4, 4, 1));
    spawn(
        [](void* q) -> void* {
          write(*static_cast<int32_t*>(q), 1, 8);
          return nullptr;
        },
        p);
    load(globals().a);
    __heddle_local_end(p, 9);
    return 0;
  });
  w.step(kMain);
  w.run(T1);
  w.run(kMain);
  expect_memory(w.error(), "goes out of scope while", 9);
}

TEST(Memory, AddressesDependOnTheThreadsOwnHistory) {
  static void* got[2][3];
  World w([] {
    const ThreadFunction f = [](void* p) -> void* {
      auto** const out = static_cast<void**>(p);
      for (int i = 0; i < 3; ++i) {
        out[i] = allocate(40);
        load(globals().a);
      }
      return nullptr;
    };
    spawn(f, got[0]);
    spawn(f, got[1]);
    return 0;
  });
  w.run_all();
  void* before[2][3];
  std::memcpy(before, got, sizeof got);
  w.restart();
  w.run_round_robin();
  EXPECT_EQ(std::memcmp(before, got, sizeof got), 0);
  EXPECT_NE(got[0][0], got[1][0]);
}

TEST(Memory, ContentsAreTheSameInEveryExecution) {
  static uint64_t seen;
  World w([] {
    auto* const p = static_cast<uint64_t*>(allocate(64));
    seen = p[5];  // behind the checker's back
    p[5] = 99;
    return 0;
  });
  for (int i = 0; i < 3; ++i) {
    w.restart();
    w.run_all();
    EXPECT_EQ(seen, 0u);
  }
}

TEST(Memory, Realloc) {
  static auto* const realloc = library<void*(void*, std::size_t)>("realloc");
  EXPECT_TRUE(fine([] {
    auto* p = static_cast<int32_t*>(realloc(nullptr, 8));
    write(p[0], 1);
    write(p[1], 2);
    p = static_cast<int32_t*>(realloc(p, 16));
    write(p[3], 4);
    EXPECT_EQ(read(p[0]), 1);
    EXPECT_EQ(read(p[1]), 2);
    p = static_cast<int32_t*>(realloc(p, 4));
    EXPECT_EQ(read(p[0]), 1);
    return 0;
  }));
  expect_memory(error_of([] {
                  auto* const p = static_cast<int32_t*>(realloc(nullptr, 8));
                  write(p[0], 1);
                  realloc(p, 16);
                  read(p[0], 5);
                  return 0;
                }),
                "is freed", 5);
}

TEST(Memory, AlignmentAndFailure) {
  EXPECT_TRUE(fine([] {
    auto* const aligned = library<void*(std::size_t, std::size_t)>("aligned_alloc");
    EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned(256, 256)) % 256, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned(4096, 10)) % 4096, 0u);
    EXPECT_EQ(aligned(3, 8), nullptr);
    EXPECT_EQ(allocate(SIZE_MAX), nullptr);
    EXPECT_EQ((library<void*(std::size_t, std::size_t)>("calloc")(SIZE_MAX, 16)), nullptr);
    EXPECT_EQ((library<int(void**, std::size_t, std::size_t)>("posix_memalign")(&globals().pointers[1], 64, 8)), 0);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(globals().pointers[1]) % 64, 0u);
    return 0;
  }));
}

TEST(Memory, HugeBlocks) {
  World w([] {
    auto* const p = static_cast<char*>(allocate(100 << 20));
    for (int i = 0; i < 4; ++i) __heddle_plain_store8(p + (i << 24), 1, 0);
    spawn([](void*) -> void* { return nullptr; });
    release(p);
    __heddle_plain_load8(p + (3 << 24), 7);
    return 0;
  });
  for (int i = 0; i < 3; ++i) {
    w.restart();
    w.run_all();
    expect_memory(w.error(), "is freed", 7);
  }
}

TEST(Memory, MoreThanAnArena) {
  World w([] {
    for (int i = 0; i < 20; ++i) allocate(100 << 20);
    return 0;
  });
  EXPECT_THROW(w.run_all(), UserError);
}

TEST(Memory, WildAddresses) {
  expect_memory(error_of([] {
                  read(*reinterpret_cast<int32_t*>(0x10), 5);
                  return 0;
                }),
                "null pointer", 5);
  expect_memory(error_of([] {
                  write(*reinterpret_cast<int32_t*>(0x123456789000), 1, 5);
                  return 0;
                }),
                "invalid address 0x123456789000", 5);
  expect_memory(error_of([] {
                  read(*reinterpret_cast<int32_t*>(region::kBase + (512 << 20)), 5);
                  return 0;
                }),
                "invalid address", 5);
  EXPECT_TRUE(fine([] { return static_cast<int>(__heddle_plain_load1("\0native", 0)); }));
}

TEST(Memory, Descriptions) {
  static Address block;
  static Address local;
  World w([] {
    __heddle_at(3);
    block = reinterpret_cast<Address>(allocate(16));
    local = reinterpret_cast<Address>(__heddle_local_begin(8, 8, 4));
    return 0;
  });
  w.run_all();
  const auto at = [](auto& x) { return reinterpret_cast<Address>(&x); };
  EXPECT_EQ(w.machine.describe(at(globals().a)), "a");
  EXPECT_EQ(w.machine.describe(at(globals().nodes[2].next)), "nodes[2].next");
  EXPECT_EQ(w.machine.describe(at(globals().nodes[2].next) + 1), "nodes[2].next + 1");
  EXPECT_EQ(w.machine.describe(at(globals().bytes[7])), "bytes + 7");
  EXPECT_EQ(w.machine.describe(block), "malloc#1 (t.c:3)");
  EXPECT_EQ(w.machine.describe(block + 8), "malloc#1 (t.c:3) + 8");
  EXPECT_EQ(w.machine.describe(local), "local at t.c:4");
}

}  // namespace
}  // namespace heddle::test
