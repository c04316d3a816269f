// Restart and replay: nothing of an execution is left over, and nothing grows.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

auto* const release = library<void(void*)>("free");
auto* const lock = library<int(void*)>("pthread_mutex_lock");
auto* const unlock = library<int(void*)>("pthread_mutex_unlock");
auto* const print = library<int(const char*, ...)>("printf");

void* work(void* argument) {
  const auto n = static_cast<int>(reinterpret_cast<intptr_t>(argument));
  auto* const p = static_cast<int32_t*>(allocate(64));
  write(p[n], n);
  add(globals().a, n);
  lock(&globals().mutexes[0]);
  write(globals().b, read(globals().b) + p[n]);
  unlock(&globals().mutexes[0]);
  print("%d\n", n);
  release(p);
  return p;
}

int program() {
  write(globals().c, read(globals().c) + 1);  // finds 0 in every execution
  EXPECT_EQ(read(globals().c), 1);
  unsigned long t[3];
  for (intptr_t i = 1; i <= 3; ++i) t[i - 1] = spawn(work, reinterpret_cast<void*>(i));
  for (const auto handle : t) join(handle);
  EXPECT_EQ(read(globals().b), 6);
  return 0;
}

bool same(const Action& x, const Action& y) {
  return x.kind == y.kind && x.addr == y.addr && x.mode == y.mode && x.operand == y.operand && x.child == y.child &&
         x.length == y.length && x.site == y.site;
}

TEST(Restart, EverythingIsPutBack) {
  World w(program);
  w.run_round_robin();
  ASSERT_FALSE(w.failed()) << w.error().message;
  const auto first = w.events;
  const std::string output = w.machine.output();
  for (int i = 0; i < 5; ++i) {
    w.restart();
    EXPECT_EQ(w.machine.threads().size(), 1u);
    EXPECT_EQ(w.machine.output(), "");
    w.run_round_robin();
    ASSERT_FALSE(w.failed()) << w.error().message;
    ASSERT_EQ(w.events.size(), first.size());
    for (std::size_t k = 0; k < first.size(); ++k) EXPECT_TRUE(same(w.events[k].action, first[k].action)) << k;
    EXPECT_EQ(w.machine.output(), output);
  }
}

TEST(Restart, ReplayDoesWhatPerformDid) {
  World w(program);
  w.run_round_robin();
  const std::string output = w.machine.output();
  w.replay();
  EXPECT_EQ(w.machine.output(), output);
  for (const ThreadId t : w.machine.threads()) EXPECT_EQ(w.pending(t).kind, ActionKind::done);
}

TEST(Restart, ReplayOfAPrefixStandsBeforeTheSameAction) {
  World w(program);
  w.run_all();
  const auto all = w.events;
  for (std::size_t n = 1; n < all.size(); ++n) {
    w.events.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    w.replay();
    EXPECT_TRUE(same(w.pending(all[n].thread), all[n].action)) << n;
  }
}

// Two threads of which one does something else when `mood` says so.
enum class Mood { as_before, fails, strays, ends };
Mood mood;

void* moody(void* last) {
  add(globals().a, 1);
  const Mood now = last == nullptr ? Mood::as_before : mood;
  if (now == Mood::ends) return nullptr;
  if (now == Mood::fails) __heddle_trap(0);
  add(now == Mood::strays ? globals().b : globals().a, 1);
  return nullptr;
}

int moody_program() {
  const auto first = spawn(moody, nullptr);
  const auto second = spawn(moody, &mood);
  join(first);
  join(second);
  return 0;
}

TEST(Restart, AReplayToAnErrorEndsAtTheThreadThatFails) {
  for (const bool in_turn : {false, true}) {
    mood = Mood::as_before;
    World w(moody_program);
    in_turn ? w.run_round_robin() : w.run_all();
    EXPECT_EQ(w.replay(true), kNoThread);
    mood = Mood::fails;
    const ThreadId failed = w.replay(true);
    ASSERT_NE(failed, kNoThread);
    EXPECT_EQ(w.pending(failed).kind, ActionKind::error);
    EXPECT_NE(w.pending(kMain).kind, ActionKind::done);
    w.replay(false);
    EXPECT_EQ(w.pending(failed).kind, ActionKind::error);
    EXPECT_EQ(w.pending(kMain).kind, ActionKind::done);
    mood = Mood::as_before;
    EXPECT_EQ(w.replay(true), kNoThread);
  }
}

TEST(Restart, AReplayOfAnotherProgramIsRefused) {
  for (const Mood other : {Mood::strays, Mood::ends}) {
    mood = Mood::as_before;
    World w(moody_program);
    w.run_round_robin();
    mood = other;
    EXPECT_THROW(w.replay(), UserError);
    mood = Mood::as_before;
    EXPECT_EQ(w.replay(), kNoThread);
  }
}

TEST(Restart, InTheMiddleOfAnything) {
  World w(program);
  w.run_all();
  const std::size_t length = w.events.size();
  for (std::size_t n = 0; n < length; ++n) {
    w.restart();
    for (std::size_t i = 0; i < n; ++i) {
      for (const ThreadId t : std::vector<ThreadId>(w.machine.threads().begin(), w.machine.threads().end())) {
        if (!w.enabled(t)) continue;
        w.step(t);
        break;
      }
    }
  }
  w.restart();
  w.run_all();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(w.events.size(), length);
}

TEST(Restart, LargeGlobals) {
  constexpr std::size_t kSize = 1 << 20;
  static auto* const large = static_cast<char*>(region::map_image(kSize));
  std::memset(large, 7, kSize);
  Image i = image([] {
    for (const std::size_t at : {std::size_t{0}, std::size_t{5000}, kSize - 8}) {
      EXPECT_EQ(__heddle_plain_load8(large + at, 0), 0x0707070707070707u);
      __heddle_plain_store8(large + at, 1, 0);
    }
    __heddle_store(large + 512, 4, 5, sc(), 0);
    __heddle_memset(large + 10000, 3, 3000, 0);
    return 0;
  });
  i.writable.push_back({reinterpret_cast<std::byte*>(large), kSize});
  World w(std::move(i), {});
  for (int k = 0; k < 3; ++k) {
    w.run_all();
    EXPECT_FALSE(w.failed());
    w.restart();
    EXPECT_TRUE(std::all_of(large, large + kSize, [](char c) { return c == 7; }));
  }
}

std::size_t resident_kib() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
  return 0;
}

// AddressSanitizer keeps what is freed, and has a shadow of its own.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kMemoryTells = false;
#else
constexpr bool kMemoryTells = true;
#endif

TEST(Restart, MemoryStaysFlat) {
  if (!kMemoryTells) GTEST_SKIP();
  World w(program);
  w.run_round_robin();
  std::vector<Step> steps[4];
  const auto events = w.events;
  const auto run = [&](int n) {
    for (int i = 0; i < n; ++i) {
      w.machine.restart();
      for (std::size_t k = 0; k < events.size();) {
        const ThreadId t = events[k].thread;
        auto& s = steps[index(t)];
        s.clear();
        for (; k < events.size() && events[k].thread == t; ++k)
          s.push_back({events[k].result, events[k].clock, events[k].action.kind, events[k].action.addr});
        w.machine.replay(t, s);
      }
    }
  };
  run(1000);
  const std::size_t before = resident_kib();
  run(1'000'000);
  EXPECT_LE(resident_kib(), before + 256);
  EXPECT_LT(before, 150u * 1024);
}

// A single execution that touches much memory does not leave it behind.
TEST(Restart, MuchMemoryIsGivenBack) {
  if (!kMemoryTells) GTEST_SKIP();
  static std::size_t size;
  size = 16 << 20;
  World w([] {
    void* const p = allocate(size);
    __heddle_memset(p, 1, size, 0);
    return 0;
  });
  const std::size_t before = resident_kib();
  for (int i = 0; i < 3; ++i) {
    w.restart();
    w.run_all();
    EXPECT_FALSE(w.failed());
  }
  size = 16;
  w.restart();
  w.run_all();
  EXPECT_LE(resident_kib(), before + 20 * 1024);
}

}  // namespace
}  // namespace heddle::test
