// What becomes an event and what does not, seen by the runtime.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

std::size_t occurrences(const std::string& text, const std::string& pattern) {
  const std::regex r(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), r), std::sregex_iterator()));
}

std::vector<int> modes_of(std::string_view name) {
  std::vector<int> modes;
  for (const Call& c : calls()) {
    if (c.name == name) modes.push_back(c.mode);
  }
  return modes;
}

std::vector<int> ints(std::initializer_list<Mode> modes) {
  std::vector<int> result;
  for (Mode m : modes) result.push_back(static_cast<int>(m));
  return result;
}

TEST(Instrument, RepeatedAccessesAreNotMerged) {
  run_text(R"(
    int y;
    int main(void) { y = 1; y = 1; y = 2; int a = y + y; if (a) y = 3; if (a) y = 4; return 0; })");
  EXPECT_EQ(count("plain_store"), 5u);
  EXPECT_EQ(count("plain_load"), 2u);
}

TEST(Instrument, ConditionalAccessesAreNotSpeculated) {
  run_text(R"(
    int y, c;
    int main(int argc) { int r = c ? y : 0; if (c) y = 1; return r; })");
  EXPECT_EQ(count("plain_load"), 2u);  // c twice, y never
  EXPECT_EQ(count("plain_store"), 0u);
}

TEST(Instrument, StructCopyReadsAllOfIt) {
  run_text(R"(
    struct s { int a, b, c, d; } g;
    int main(void) { struct s t = g; return t.a; })");
  ASSERT_EQ(calls().size(), 1u);
  EXPECT_EQ(calls()[0].name, "copy");
  EXPECT_EQ(calls()[0].size, 16u);
}

TEST(Instrument, PrivateLocalsAreNative) {
  run_text(R"(
    #include <stdatomic.h>
    static int sum(const int* a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
    int main(void) {
      int a[8]; for (int i = 0; i < 8; i++) a[i] = i;
      volatile int v = 3;
      atomic_int at = 2; atomic_fetch_add(&at, 5); int e = 7; atomic_compare_exchange_strong(&at, &e, 9);
      struct { int x, y; } p = {1, 2}, q = p;
      return sum(a, 8) + v + at + q.y - 28 - 3 - 9 - 2;
    })");
  EXPECT_TRUE(calls().empty()) << calls()[0].name;
}

TEST(Instrument, ConstantsAreNative) {
  EXPECT_EQ(run_text("static const int t[4] = {5, 6, 7, 8}; int i(void); int k; int main(void) { return t[k & 3]; }"),
            5);
  EXPECT_EQ(calls().size(), 1u);
}

TEST(Instrument, EscapingLocalsLiveInTheArena) {
  run_text(R"(
    int* shared;
    int main(void) {
      for (int i = 0; i < 3; i++) { int x = i; shared = &x; x++; }
      return 0;
    })");
  EXPECT_EQ(count("local_begin"), 3u);
  EXPECT_EQ(count("local_end"), 3u);
  // begin, x = i, shared = &x, x++ (load and store), end
  const std::vector<std::string> expected = {"local_begin", "plain_store", "plain_store",
                                             "plain_load",  "plain_store", "local_end"};
  ASSERT_GE(calls().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(calls()[i].name, expected[i]) << i;
}

TEST(Instrument, LocalsEndOnEveryWayOut) {
  run_text(R"(
    int* shared; int c = 1;
    static int f(int n) { int x = n; shared = &x; if (c) return 1; c = 2; return 2; }
    int g(int n) { int y; for (;;) { int x; shared = &x; if (n--) continue; if (c) break; } shared = &y; return 0; }
    int main(void) { f(1); g(2); return 0; })");
  EXPECT_EQ(count("local_begin"), 1u + 3u + 1u);
  EXPECT_EQ(count("local_end"), count("local_begin"));
}

TEST(Instrument, VariableLengthArrays) {
  EXPECT_EQ(run_text(R"(
    int* shared; int n = 3;
    int main(void) {
      int sum = 0;
      for (int k = 1; k <= n; k++) {
        int a[k]; shared = a;
        for (int i = 0; i < k; i++) a[i] = i;
        { int b[k + 1]; shared = b; b[k] = 1; sum += b[k]; }
        sum += a[k - 1];
      }
      return sum;
    })"),
            6);
  EXPECT_EQ(count("local_begin"), 6u);
  EXPECT_EQ(count("local_end"), 6u);
}

TEST(Instrument, OrdersOfC) {
  run_text(R"(
    #include <stdatomic.h>
    atomic_int x;
    int main(void) {
      atomic_load_explicit(&x, memory_order_relaxed); atomic_load_explicit(&x, memory_order_consume);
      atomic_load_explicit(&x, memory_order_acquire); atomic_load(&x);
      atomic_store_explicit(&x, 1, memory_order_relaxed); atomic_store_explicit(&x, 1, memory_order_release); x = 1;
      atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel); atomic_exchange_explicit(&x, 1, memory_order_acquire); x++;
      atomic_thread_fence(memory_order_acquire); atomic_thread_fence(memory_order_release);
      atomic_thread_fence(memory_order_acq_rel); atomic_thread_fence(memory_order_seq_cst);
      atomic_signal_fence(memory_order_seq_cst); __asm__ volatile("" ::: "memory"); __asm__ volatile("pause");
      return 0;
    })");
  EXPECT_EQ(modes_of("load"), ints({Mode::rlx, Mode::acq, Mode::acq, Mode::sc}));
  EXPECT_EQ(modes_of("store"), ints({Mode::rlx, Mode::rel, Mode::sc}));
  EXPECT_EQ(modes_of("rmw"), ints({Mode::acqrel, Mode::acq, Mode::sc}));
  EXPECT_EQ(modes_of("fence"), ints({Mode::acq, Mode::rel, Mode::acqrel, Mode::sc}));
}

TEST(Instrument, BarriersInAssemblyAreFences) {
  run_text(R"(
    int main(void) {
      __asm__ volatile("mfence" ::: "memory"); __asm__ volatile("dmb ish" ::: "memory");
      __asm__ volatile("dmb ishld" ::: "memory"); __asm__ volatile("dmb ishst" ::: "memory");
      __asm__ volatile("yield"); __asm__ volatile("pause"); __asm__ volatile("nop");
      return 0;
    })");
  EXPECT_EQ(modes_of("fence"), ints({Mode::sc, Mode::sc, Mode::acq, Mode::rel}));
}

TEST(Instrument, IntrinsicsOfTheProcessorAreHintsAndFences) {
  run_text(R"(
    #if defined(__x86_64__)
    #include <immintrin.h>
    int main(void) { _mm_pause(); _mm_mfence(); _mm_lfence(); _mm_sfence(); return 0; }
    #else
    #include <arm_acle.h>
    int main(void) { __yield(); __isb(15); __sev(); __dmb(11); __dmb(9); __dmb(10); return 0; }
    #endif
    )");
  EXPECT_EQ(modes_of("fence"), ints({Mode::sc, Mode::acq, Mode::rel}));
}

TEST(Instrument, StdAtomicIsOneCall) {
  const Program p = compile_text(R"(
    #include <atomic>
    std::atomic<int> x; std::atomic<void*> q; std::atomic_flag f;
    int main() {
      x.store(1); q.load(); f.test_and_set(std::memory_order_acquire); x += 2;
      int e = 3; x.compare_exchange_strong(e, 4, std::memory_order_acq_rel);
      std::atomic_thread_fence(std::memory_order_release);
      return x.load(std::memory_order_relaxed) + x.fetch_sub(5);
    })",
                                 ".cpp");
  const std::string ir = print_ir(p);
  EXPECT_EQ(occurrences(ir, "call i(32|64) @__heddle_load(_narrow)?\\("), 2u);
  EXPECT_EQ(occurrences(ir, "call i64 @__heddle_load\\(ptr [^,]*@q, i32 8, i32 5,"), 1u);
  EXPECT_EQ(occurrences(ir, "call i32 @__heddle_load_narrow\\(ptr [^,]*@x, i32 4, i32 1,"), 1u);
  EXPECT_EQ(occurrences(ir, "call void @__heddle_store\\(ptr [^,]*@x, i32 4, i64 1, i32 5,"), 1u);
  // xchg, add and sub.
  EXPECT_EQ(occurrences(ir, "call i32 @__heddle_rmw_narrow\\(ptr [^,]*@f, i32 1, i32 0, i64 1, i32 2,"), 1u);
  EXPECT_EQ(occurrences(ir, "call i32 @__heddle_rmw_narrow\\(ptr [^,]*@x, i32 4, i32 257, i64 2, i32 5,"), 1u);
  EXPECT_EQ(occurrences(ir, "call i32 @__heddle_rmw_narrow\\(ptr [^,]*@x, i32 4, i32 2, i64 5, i32 5,"), 1u);
  EXPECT_EQ(occurrences(ir, "@__heddle_cas\\(ptr [^,]*@x, i32 4, i64 3, i64 4, i32 4, i32 2, i32 0,"), 1u);
  EXPECT_EQ(occurrences(ir, "call void @__heddle_fence\\(i32 3,"), 1u);
  EXPECT_EQ(occurrences(ir, "__heddle_(plain|local)"), 0u);
}

// What commutes is an addition of which nobody uses the result; an exchange never, and an "or" not in a loop, where it
// may be what a round changes.
TEST(Instrument, UnusedResultsAreMarked) {
  const SourceFile file(R"(
    #include <stdatomic.h>
    atomic_int x, y;
    int main(void) {
      atomic_fetch_add(&x, 2); atomic_exchange(&x, 3); atomic_fetch_or(&x, 4);
      while (atomic_load(&y) != 1) atomic_fetch_or(&x, 8);
      return atomic_fetch_add(&x, 5);
    })");
  const auto marked = [&](bool commute, const std::string& operation_and_operand) {
    const std::string ir = print_ir(compile({.files = {file.path()}, .purity = false, .commute = commute}));
    return occurrences(ir, "@__heddle_rmw_narrow\\(ptr [^,]*@x, i32 4, " + operation_and_operand + ", i32 5,");
  };
  EXPECT_EQ(marked(true, "i32 257, i64 2"), 1u);
  EXPECT_EQ(marked(true, "i32 0, i64 3"), 1u);
  EXPECT_EQ(marked(true, "i32 1, i64 5"), 1u);
  EXPECT_EQ(marked(true, "i32 2[0-9]+, i64 4"), 1u);
  EXPECT_EQ(marked(true, "i32 [0-9], i64 8"), 1u);
  EXPECT_EQ(marked(false, "i32 1, i64 2"), 1u);
}

TEST(Instrument, OrderChosenAtRunTime) {
  run_text(R"(
    #include <stdatomic.h>
    atomic_int x; int order = memory_order_acquire;
    __attribute__((noinline)) int get(memory_order o) { return atomic_load_explicit(&x, o); }
    int main(void) { get(order); get(memory_order_relaxed); return 0; })");
  EXPECT_EQ(modes_of("load"), ints({Mode::acq, Mode::rlx}));
}

TEST(Instrument, CallsTellTheirPlace) {
  const Image image =
      load_text("#include <stdlib.h>\nint main(void) {\n  void* p = malloc(3);\n  free(p);\n  return abs(0);\n}");
  run(image);
  ASSERT_GE(count("at"), 2u);
  EXPECT_EQ(image.sites[SiteId(calls()[0].site)].line, 3u);
  EXPECT_EQ(image.sites[SiteId(calls()[1].site)].line, 4u);
  EXPECT_EQ(image.sites[SiteId(calls()[1].site)].function, "main");
}

TEST(Instrument, InlinedCallersAreKnown) {
  const Image image = load_text(R"(#include <atomic>
    std::atomic<int> x;
    namespace n { struct s { static int get() { return x.load(); } }; }
    int main() { return n::s::get(); })",
                                ".cpp");
  run(image);
  ASSERT_EQ(count("load"), 1u);
  const Site* site = &image.sites[SiteId(calls()[0].site)];
  EXPECT_NE(site->file.find("atomic"), std::string::npos);
  std::vector<std::string> functions;
  while (site->caller != kNoSite) {
    site = &image.sites[site->caller];
    functions.push_back(site->function + ":" + std::to_string(site->line));
  }
  EXPECT_EQ(functions.back(), "main:4");
  EXPECT_NE(std::find(functions.begin(), functions.end(), "n::s::get:3"), functions.end());
}

TEST(Instrument, LargeLocalsLeaveTheStack) {
  EXPECT_EQ(
      run_text("int n = 4; int main(void) { int a[100000]; for (int i = 0; i < n; i++) a[i] = i; return a[n - 1]; }"),
      3);
  EXPECT_EQ(count("local_begin"), 1u);
  EXPECT_EQ(count("local_end"), 1u);
}

TEST(Instrument, NullPathSurvives) {
  // The store to null must reach the runtime instead of licensing the compiler to assume c == 0.
  const std::string ir = print_ir(compile_text(R"(
    int c, x; int main(void) { int* p = c ? 0 : &x; *p = 1; return 0; })"));
  EXPECT_EQ(occurrences(ir, "call void @__heddle_plain_store4\\("), 1u);
  EXPECT_EQ(occurrences(ir, "(select|phi) .*(null|@x).*(null|@x)"), 1u);
}

TEST(Instrument, DeadCodeIsGone) {
  const std::string ir = print_ir(compile_text(R"(
    int never(int x) { return x * x; } static int y = 3; int main(void) { return 0; })"));
  EXPECT_EQ(occurrences(ir, "define "), 1u);
}

}  // namespace
}  // namespace heddle::testing
