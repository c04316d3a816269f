#include "report/columns.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace heddle {
namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);) widest = std::max(widest, shown_width(line));
  return widest;
}

TEST(Columns, LongCellsWrapUnderTheirText) {
  Style style;
  style.width = 60;
  const std::string text = lay_out(
      {"main", "T1 f"},
      {{0, "  1  read(acq) a_rather_long_name = 12345 <- T1 line 99"}, {1, "  2  write(rel) a_rather_long_name = 1"}},
      style);
  EXPECT_EQ(text,
            "  main                          T1 f\n"
            "    1  read(acq)\n"
            "       a_rather_long_name =\n"
            "       12345 <- T1 line 99\n"
            "                                  2  write(rel)\n"
            "                                     a_rather_long_name = 1\n");
}

TEST(Columns, FitTheWidthForUpToFourThreads) {
  Style style;
  style.width = 110;
  std::vector<Row> rows;
  for (std::size_t c = 0; c < 4; ++c)
    rows.push_back({c, " 12  cas(acq_rel) queue.head: 0 -> &node + 8 (malloc, q.c:1) <- T1 line 20"});
  const std::string text = lay_out({"main", "T1 push", "T2 pop", "T3 pop"}, rows, style);
  EXPECT_LE(widest_line(text), 110u);
  EXPECT_NE(text.find("main"), std::string::npos);
}

TEST(Columns, ManyThreadsBecomeAList) {
  Style style;
  style.width = 100;
  std::vector<std::string> headers;
  std::vector<Row> rows;
  for (std::size_t c = 0; c < 10; ++c) {
    headers.push_back("T" + std::to_string(c) + " worker");
    rows.push_back({c, " 12  add(rlx) counter: 0 -> 1 <- initial"});
  }
  rows.push_back({.left_out = 1});
  const std::string text = lay_out(headers, rows, style);
  EXPECT_NE(text.find("  T9 worker   12  add(rlx) counter: 0 -> 1 <- initial\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  ... 1 step left out ...\n"), std::string::npos) << text;
  EXPECT_LE(widest_line(text), 100u);
}

TEST(Columns, AWordWiderThanItsColumnIsCutNotLost) {
  Style style;
  style.width = 40;
  const std::string word(90, 'x');
  const std::string text = lay_out({"main"}, {{0, "  1  " + word}}, style);
  EXPECT_EQ(std::count(text.begin(), text.end(), 'x'), 90);
  EXPECT_LE(widest_line(text), 40u);
}

TEST(Columns, RowsThatComeAgainStandThereOnce) {
  const Row read{0, "  1  read x"}, failed{0, "  2  cas fails"}, other{1, "  3  write x"};
  const std::vector<Row> rows = {other, read, failed, read, failed, read, failed, other, other, read};
  const std::vector<Row> shorter = without_repetitions(rows);
  ASSERT_EQ(shorter.size(), 6u);  // two equal rows are not worth a third
  EXPECT_EQ(shorter[2].times, 3u);
  EXPECT_EQ(shorter[2].again, 1u);
  const Style style;
  const std::string text = lay_out({"T1", "T2"}, shorter, style);
  EXPECT_NE(text.find("  ... these 2 lines 3 times in a row ...\n"), std::string::npos) << text;
}

TEST(Columns, ArrowsCountAsOneCharacter) { EXPECT_EQ(shown_width("a ← b → c"), 9u); }

TEST(Columns, LongHeadersAreCut) {
  Style style;
  style.width = 60;
  const std::string name = "T1 " + std::string(80, 'f');
  const std::string text = lay_out({"main", name, name}, {{0, "  1  x"}, {1, "  2  y"}, {2, "  3  z"}}, style);
  EXPECT_LE(widest_line(text), 60u);
  EXPECT_NE(text.find("f~"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle
