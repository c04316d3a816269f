#include "script/script_c.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "script/script_text.hpp"

namespace heddle {
namespace {

std::string line(const ScriptSource& source, unsigned number) {
  std::size_t start = 0;
  while (--number > 0) start = source.text.find('\n', start) + 1;
  return source.text.substr(start, source.text.find('\n', start) - start);
}

std::string statement(const char* script, std::size_t pc = 0) {
  const ScriptSource source = render_c(parse_script(script));
  return line(source, source.lines[1][pc]);
}

TEST(ScriptC, OneLinePerInstruction) {
  EXPECT_EQ(statement("x = r1+2 rel"), "  atomic_store_explicit(&x, r1 + 2u, memory_order_release);");
  EXPECT_EQ(statement("r0 = x sc"), "  r0 = atomic_load_explicit(&x, memory_order_seq_cst);");
  EXPECT_EQ(statement("r0 = x na"), "  r0 = *(uint64_t *)&x;");
  EXPECT_EQ(statement("r0 = or x 4 acq_rel"), "  r0 = atomic_fetch_or_explicit(&x, 4u, memory_order_acq_rel);");
  EXPECT_EQ(statement("r0 = cas x 1 r0 acq rlx"),
            "  { uint64_t old = 1u; atomic_compare_exchange_strong_explicit(&x, &old, r0, memory_order_acquire, "
            "memory_order_relaxed); r0 = old; }");
  EXPECT_EQ(statement("r0 = set sub r1+2 r3"), "  r0 = (uint64_t)((uint64_t)(r1 + 2u) - (uint64_t)(r3));");
  EXPECT_EQ(statement("r0 = set lt r1 3"), "  r0 = (uint64_t)((int64_t)(uint64_t)(r1) < (int64_t)(uint64_t)(3u));");
  EXPECT_EQ(statement("r0 = set shr r1 3"), "  r0 = (uint64_t)((int64_t)(uint64_t)(r1) >> ((uint64_t)(3u) & 63));");
  EXPECT_EQ(statement("r0 = cas x r2 1 acq rlx"),
            "  { uint64_t old = r2; atomic_compare_exchange_strong_explicit(&x, &old, 1u, memory_order_acquire, "
            "memory_order_relaxed); r0 = old; }");
  EXPECT_EQ(statement("fence acq"), "  atomic_thread_fence(memory_order_acquire);");
  EXPECT_EQ(statement("lock m"), "  pthread_mutex_lock(&m);");
  EXPECT_EQ(statement("r2 = trylock m"), "  r2 = pthread_mutex_trylock(&m) != 0;");
  EXPECT_EQ(statement("assume r0 != 3"), "  heddle_assume(r0 != 3u);");
  EXPECT_EQ(statement("r0 = x acq until == 1"),
            "  r0 = atomic_load_explicit(&x, memory_order_acquire); heddle_assume(r0 == 1u);");
  EXPECT_EQ(
      statement("r0 = cas x r0 1 acq rlx assuming"),
      "  { const uint64_t wanted = r0; { uint64_t old = r0; atomic_compare_exchange_strong_explicit(&x, &old, 1u, "
      "memory_order_acquire, memory_order_relaxed); r0 = old; } heddle_assume(r0 == wanted); }");
}

TEST(ScriptC, BranchesAreGotos) {
  const char* script = "r0 = x rlx; if r0 == 1 skip 1; x = 2 rlx; assert r0 == 0";
  EXPECT_EQ(statement(script, 1), "  if (r0 == 1u) goto l3;");
  const ScriptSource source = render_c(parse_script(script));
  EXPECT_EQ(line(source, source.lines[1][3] - 1), " l3:;");
}

TEST(ScriptC, TwinsRunOneFunction) {
  const Script script = parse_script("|| x = 1 rlx || x = 1 rlx || x = 2 rlx");
  const auto second = [&](RenderTwins twins) {
    const ScriptSource source = render_c(script, twins);
    EXPECT_EQ(source.text.find("thread2(void *") == std::string::npos, twins != RenderTwins::hidden);
    return line(source, source.lines[0][1]);
  };
  EXPECT_EQ(second(RenderTwins::hidden), "  pthread_create(&t2, 0, thread2, 0);");
  EXPECT_EQ(second(RenderTwins::same_function), "  pthread_create(&t2, 0, thread1, 0);");
  EXPECT_EQ(second(RenderTwins::declared), "  t2 = heddle_spawn_symmetric(thread1, 0, t1);");
}

TEST(ScriptC, AWholeProgram) {
  EXPECT_EQ(render_c(parse_script("{x=1} x = 2 rlx")).text,
            "#include <pthread.h>\n"
            "#include <stdatomic.h>\n"
            "#include <stdint.h>\n"
            "#include <heddle.h>\n"
            "\n"
            "_Atomic uint64_t x = 1u;\n"
            "\n"
            "static void *thread1(void *unused) {\n"
            "  (void)unused;\n"
            "  atomic_store_explicit(&x, 2u, memory_order_relaxed);\n"
            "  return 0;\n"
            "}\n"
            "\n"
            "int main(void) {\n"
            "  pthread_t t1;\n"
            "  pthread_create(&t1, 0, thread1, 0);\n"
            "  pthread_join(t1, 0);\n"
            "  return 0;\n"
            "}\n");
}

TEST(ScriptC, RefusesWhatCHasNot) { EXPECT_THROW(render_c(parse_script("r0 = nand x 1 rlx")), UserError); }

}  // namespace
}  // namespace heddle
