// Whatever a file holds, the answer is a test or a message: no crash, no hang.
#include <gtest/gtest.h>

#include <random>

#include "unit/litmus/support.hpp"

namespace heddle::litmus {
namespace {

const std::string kSeed =
    "C SB+x\n\"text\" (* a comment *)\nCom=Fr\n{ x=0; int y = 1; 1:r9=7; }\n"
    "P0 (atomic_int* x, volatile int* y) {\n"
    "  atomic_store_explicit(x, 1 + 2 * 3, memory_order_relaxed);\n"
    "  int r0 = atomic_load_explicit(y, memory_order_acquire), r1;\n"
    "  if (r0 == 1 && (*x) != 0x10 || !r0) { r1 = r0 ? -1 : ~r0 << 2; } else *y = r0 / 3; // end\n"
    "}\n"
    "P1 (atomic_int* x) { int e = 0; /* c */ r9 = atomic_compare_exchange_strong(x, &e, r9 - 1);\n"
    "  atomic_thread_fence(memory_order_seq_cst); int r2 = atomic_fetch_add(x, 1); }\n"
    "locations [x; 1:r2;]\n"
    "exists (0:r0=0 /\\ not (1:e=-1 \\/ [x]=2) => true)\n";

// True for a good test, false for one with a message that has a place.
bool answers(const std::string& text) {
  try {
    parse(text, "t.litmus");
    return true;
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()).rfind("t.litmus:", 0), 0u) << e.what();
    EXPECT_NE(std::string(e.what()).find("; "), std::string::npos) << e.what();
    return false;
  }
}

TEST(LitmusGarbage, TheSeedIsGood) { EXPECT_TRUE(answers(kSeed)); }

TEST(LitmusGarbage, EveryBeginning) {
  // Up to the quantifier nothing is complete.
  const std::size_t condition = kSeed.find("=> true");
  for (std::size_t n = 0; n < condition; ++n) EXPECT_FALSE(answers(kSeed.substr(0, n))) << n;
}

TEST(LitmusGarbage, EveryEnd) {
  for (std::size_t n = 1; n < kSeed.size(); ++n) EXPECT_FALSE(answers(kSeed.substr(n))) << n;
}

TEST(LitmusGarbage, EveryByteMissingOrWrong) {
  for (std::size_t n = 0; n < kSeed.size(); ++n) {
    std::string text = kSeed;
    text.erase(n, 1);
    answers(text);
    for (const char c : {'\0', '\xff', '(', '}', '"', '9', '\n'}) {
      text = kSeed;
      text[n] = c;
      answers(text);
    }
  }
}

TEST(LitmusGarbage, RandomPieces) {
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int i = 0; i < 8'000; ++i) {
    std::string text = kSeed;
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      const std::size_t from = below(text.size());
      const std::string piece = text.substr(from, below(20));
      if (below(2) == 0) text.erase(from, piece.size());
      text.insert(below(text.size()), piece);
    }
    answers(text);
  }
}

TEST(LitmusGarbage, RandomBytes) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2'000; ++i) {
    std::string text = i % 2 == 0 ? "C t {} P0 () {" : "";
    for (std::size_t n = random() % 200; n > 0; --n) text += static_cast<char>(random());
    EXPECT_FALSE(answers(text));
  }
}

std::string times(const std::string& text, int n) {
  std::string out;
  for (; n > 0; --n) out += text;
  return out;
}

TEST(LitmusGarbage, DeepNesting) {
  constexpr int kMany = 40'000;
  for (const char* open : {"(", "!", "-", "~ ", "1 ? ", "1 ? 1 : ", "1 + (", "1 && ", "1 + ", "1 - ",
                           "atomic_fetch_add(y, ", "!(1 |", "1 || (2 && "}) {
    EXPECT_FALSE(answers(one_thread("int r0 = " + times(open, kMany)))) << open;
    EXPECT_FALSE(answers(one_thread("int r0 = " + times(open, kMany) + "1;"))) << open;
  }
  for (const char* open : {"{", "if (1) ", "if (1) {} else ", "if (1) {", "if (("}) {
    EXPECT_FALSE(answers(one_thread(times(open, kMany)))) << open;
    EXPECT_FALSE(answers(one_thread(times(open, kMany) + ";"))) << open;
  }
  for (const char* open : {"(", "not ", "~", "x=1 => ", "not ("}) {
    EXPECT_FALSE(answers(one_thread("", "exists " + times(open, kMany)))) << open;
    EXPECT_FALSE(answers(one_thread("", "exists " + times(open, kMany) + "true"))) << open;
  }
  EXPECT_FALSE(answers(times("(*", kMany)));
  EXPECT_TRUE(answers(times("(*", kMany) + times("*)", kMany) + kSeed));
}

TEST(LitmusGarbage, LongButFlat) {
  constexpr int kMany = 20'000;
  EXPECT_TRUE(answers(one_thread("", "exists (" + times("x=1 /\\ ", kMany) + "y=2)")));
  EXPECT_TRUE(answers(one_thread("", "exists (" + times("x=1 \\/ ", kMany) + "y=2)")));
  EXPECT_TRUE(answers(one_thread(times(";", kMany) + times("{ }", kMany))));
  EXPECT_TRUE(answers(one_thread("int r0; " + times("r0 = r0 + 1; ", 5'000))));
  EXPECT_TRUE(answers(one_thread("int r0 = 1" + times(" + 1", 300) + ";")));
}

TEST(LitmusGarbage, ModestNestingIsFine) {
  EXPECT_EQ(result("int r0 = " + times("(", 50) + "7" + times(")", 50) + ";", "0:r0"), "0:r0=7;");
  EXPECT_EQ(result("int r0 = 1; " + times("if (r0) { ", 50) + "r0 = 2;" + times("}", 50), "0:r0"), "0:r0=2;");
  EXPECT_TRUE(answers(one_thread("", "exists " + times("not (", 50) + "x=1" + times(")", 50))));
}

}  // namespace
}  // namespace heddle::litmus
