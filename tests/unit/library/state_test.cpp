// The flags of the library table say what they should.
#include "library/state.hpp"

#include "library/table.hpp"
#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

TEST(LibraryTable, Flags) {
  using namespace heddle::library;
  EXPECT_EQ(flags("pthread_self"), kTellsThreadsApart | kNoSideEffects);
  EXPECT_EQ(flags("rand"), kTellsThreadsApart);
  EXPECT_EQ(flags("malloc"), kTellsChanges);
  EXPECT_EQ(flags("heddle_hp_protect"), kNeedsHazardPointers);
  EXPECT_EQ(flags("sinf"), kNative | kNoSideEffects);
  EXPECT_EQ(flags("atoi"), 0u);
  EXPECT_EQ(flags("_ZSt4cout"), kNative | kStandardStreams);
  EXPECT_EQ(flags("_ZNSt6localeC1Ev"), 0u);
  EXPECT_EQ(flags("_ZTIi"), kNative);
  EXPECT_EQ(flags("_ZTI4Base"), 0u);
  EXPECT_EQ(flags("fork"), 0u);
  EXPECT_TRUE(resolve("random").uses.tells_threads_apart);
  EXPECT_FALSE(resolve("free").uses.tells_threads_apart);
}

}  // namespace
}  // namespace heddle::test
