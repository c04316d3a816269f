// Memory that is freed and used again: late, by its own thread only, and as if it were new.
#include <algorithm>

#include "native/heap.hpp"
#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

constexpr int kMany = 20'000;
static_assert(kMany > 2 * heap::kWaitingBlocks);
Address addresses[kMany];  // what a test program has seen

// The first i such that addresses[i] was there before, or kMany.
int first_again(int from = 0) {
  for (int i = from; i < kMany; ++i) {
    if (std::find(addresses, addresses + i, addresses[i]) != addresses + i) return i;
  }
  return kMany;
}

void run_fine(Main main, NativeOptions options = {}) {
  World w(main, options);
  w.run_all();
  if (w.failed()) ADD_FAILURE() << w.error().message;
}

TEST(Reuse, AfterMuchElseWasFreed) {
  run_fine([] {
    for (Address& a : addresses) {
      void* const p = allocate(48);
      a = address(p);
      release(p);
    }
    return 0;
  });
  const int first = first_again();
  EXPECT_GE(first, static_cast<int>(heap::kWaitingBlocks));
  EXPECT_LE(first, static_cast<int>(heap::kWaitingBlocks) + 2);
  EXPECT_EQ(addresses[first], addresses[0]) << "the oldest first";
}

TEST(Reuse, LocalsToo) {
  run_fine([] {
    for (Address& a : addresses) {
      void* const p = __heddle_local_begin(24, 8, 1);
      a = address(p);
      __heddle_local_end(p, 2);
    }
    return 0;
  });
  EXPECT_LT(first_again(), kMany);
}

TEST(Reuse, SizesAndAlignmentsAreKeptApart) {
  run_fine([] {
    auto* const aligned = library<void*(std::size_t, std::size_t)>("aligned_alloc");
    for (int i = 0; i < kMany; ++i) {
      void* const p = i % 3 == 0 ? aligned(64, 64) : allocate(i % 3 == 1 ? 64 : 5000);
      addresses[i] = address(p);
      __heddle_memset(p, 1, i % 3 == 2 ? 5000 : 64, 1);
      release(p);
    }
    return 0;
  });
  EXPECT_LT(first_again(), kMany);
  for (int i = 0; i < kMany; i += 3) EXPECT_EQ(addresses[i] % 64, 0u);
}

TEST(Reuse, ComesBackInEveryExecution) {
  static Address before[kMany];
  const Main main = [] {
    for (int i = 0; i < kMany; ++i) {
      void* const p = allocate(static_cast<std::size_t>(1 + i % 100));
      addresses[i] = address(p);
      release(p);
    }
    return 0;
  };
  World w(main);
  w.run_all();
  std::ranges::copy(addresses, before);
  w.restart();
  w.run_all();
  EXPECT_TRUE(std::ranges::equal(addresses, before));
}

// What lies in the block that is used again.
void* used_block(std::size_t size, void (*use)(void*)) {
  void* const first = allocate(size);
  use(first);
  release(first);
  for (int i = 0; i < kMany; ++i) {
    void* const p = allocate(size);
    if (p == first) return p;
    release(p);
  }
  return nullptr;
}

TEST(Reuse, LooksLikeNew) {
  static void* block = nullptr;
  World w([] {
    block = used_block(16, [](void* p) { __heddle_plain_store8(p, 7, 1); });
    __heddle_plain_load8(block, 5);
    return 0;
  });
  w.run_all();
  ASSERT_NE(block, nullptr);
  const Error e = w.error();
  EXPECT_EQ(e.kind, ErrorKind::memory);
  EXPECT_NE(e.message.find("uninitialised"), std::string::npos) << e.message;
  EXPECT_EQ(e.site, SiteId(5));
}

TEST(Reuse, NotOfWhatAnActionHasUsed) {
  static void* block = nullptr;
  run_fine(
      [] {
        spawn([](void*) -> void* { return nullptr; });
        block = used_block(16, [](void* p) { __heddle_store(p, 4, 1, rlx(), 1); });
        return 0;
      },
      {.step_limit = 100'000});
  EXPECT_EQ(block, nullptr);
}

TEST(Reuse, NotOfWhatAnotherThreadFrees) {
  static void* block = nullptr;
  static void* again = nullptr;
  run_fine(
      [] {
        block = allocate(16);
        join(spawn([](void*) -> void* {
          release(block);
          return nullptr;
        }));
        for (int i = 0; i < kMany; ++i) {
          void* const p = allocate(16);
          if (p == block) again = p;
          release(p);
        }
        return 0;
      },
      {.step_limit = 100'000});
  EXPECT_EQ(again, nullptr);
}

// Plain accesses are actions then, and a use by another thread that is in no order with the free is only seen because
// the memory stays as it is.
TEST(Reuse, NotIfRacesDoNotMatter) {
  static void* block = nullptr;
  run_fine(
      [] {
        spawn([](void*) -> void* { return nullptr; });
        block = used_block(16, [](void*) {});
        return 0;
      },
      {.races_ignore = true, .step_limit = 100'000});
  EXPECT_EQ(block, nullptr);
}

// The new block is the new owner's: a thread that does not know of it yet races with the allocation.
TEST(Reuse, RacesAreFound) {
  static int32_t* block = nullptr;
  World w(
      [] {
        spawn([](void*) -> void* {
          while (load(globals().a, rlx()) == 0) {
          }
          write(*block, 1, 6);
          return nullptr;
        });
        block = static_cast<int32_t*>(used_block(16, [](void* p) { __heddle_plain_store4(p, 7, 1); }));
        store(globals().a, 1, rlx());
        return 0;
      },
      {.step_limit = 100'000});
  w.run(kMain);
  w.run_all();
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(w.error().kind, ErrorKind::race) << w.error().message;
}

TEST(Reuse, LargeBlocksFitIntoTheArena) {
  static int rounds = 0;
  run_fine([] {
    for (rounds = 0; rounds < 100; ++rounds) {
      void* const p = allocate(200 << 20);
      __heddle_plain_store8(p, 1, 1);
      release(p);
    }
    return 0;
  });
  EXPECT_EQ(rounds, 100);
}

}  // namespace
}  // namespace heddle::test
