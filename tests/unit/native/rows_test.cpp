// Rows of unordered reads: they hold any thread, however late it became known.
#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

constexpr unsigned kMost = 40;

SiteId site_of(unsigned row, unsigned t) { return SiteId(1000 * row + t); }

TEST(Rows, GrowWithTheThreadsThatRead) {
  cell::Rows rows;
  const uint32_t rows_made[] = {rows.add(1), rows.add(2), rows.add(3)};
  for (unsigned t = 0; t < kMost; ++t)
    for (const uint32_t row : rows_made) rows.set(row, epoch::make(ThreadId(t), 100 * row + t + 1), site_of(row, t));
  for (const uint32_t row : rows_made) {
    EXPECT_EQ(rows.references(row), row + 1);
    for (unsigned t = 0; t < kMost; ++t) {
      EXPECT_EQ(rows.clock(row, t), 100 * row + t + 1) << "row " << row << ", thread " << t;
      EXPECT_EQ(rows.site(row, t), site_of(row, t));
    }
  }
}

TEST(Rows, ThreadsBeyondTheWidthHaveNotRead) {
  cell::Rows rows;
  const uint32_t row = rows.add(1);
  rows.set(row, epoch::make(ThreadId(3), 7), SiteId(1));
  EXPECT_EQ(rows.clock(row, 3), 7u);
  EXPECT_EQ(rows.clock(row, 30), 0u);
  EXPECT_EQ(rows.site(row, 30), kNoSite);
}

TEST(Rows, CopiesAreApart) {
  cell::Rows rows;
  const uint32_t row = rows.add(4);
  rows.set(row, epoch::make(ThreadId(9), 7), SiteId(1));
  const uint32_t copy = rows.copy(row, 3);
  rows.set(copy, epoch::make(ThreadId(39), 8), SiteId(2));
  EXPECT_EQ(rows.references(row), 1u);
  EXPECT_EQ(rows.references(copy), 3u);
  EXPECT_EQ(rows.clock(copy, 9), 7u);
  EXPECT_EQ(rows.clock(copy, 39), 8u);
  EXPECT_EQ(rows.clock(row, 9), 7u);
  EXPECT_EQ(rows.clock(row, 39), 0u);
}

unsigned readers = 0;

void* read_first(void*) {
  read(globals().a, 12);
  return nullptr;
}

// Joins all readers but the last.
int write_after_readers() {
  unsigned long handles[kMost];
  for (unsigned i = 0; i < readers; ++i) handles[i] = spawn(read_first);
  for (unsigned i = 0; i + 1 < readers; ++i) join(handles[i]);
  write(globals().a, 1, 11);
  return 0;
}

// Each reader has read before the next one is known.
TEST(Rows, TheLastOfManyReadersRaces) {
  for (readers = 2; readers <= kMost; ++readers) {
    World w(write_after_readers);
    w.restart();
    for (unsigned t = 1; t <= readers; ++t) {
      w.step(kMain);
      w.run(ThreadId(t));
    }
    w.run(kMain);
    ASSERT_TRUE(w.failed()) << readers << " readers";
    EXPECT_EQ(w.error().kind, ErrorKind::race) << w.error().message;
    EXPECT_EQ(w.error().other_thread, ThreadId(readers));
  }
}

}  // namespace
}  // namespace heddle::test
