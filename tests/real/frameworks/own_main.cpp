// $ heddle test own_main.cpp => verified, 2 tests, 2 executions
// $ heddle test --races ignore --model tso own_main.cpp => verified, 2 tests
// $ heddle test --list own_main.cpp => exit 0, "Own.First"
// $ heddle test --filter No.* own_main.cpp => exit 2, "--filter No.*: no test has such a name"
// $ heddle test --junit /no/such/folder/x.xml own_main.cpp => exit 2, "cannot be written"
// A main function that sets things up before the tests.
#include <gtest/gtest.h>

static int ready = 0;

class Ready : public ::testing::Environment {
 public:
  void SetUp() override { ready++; }
  void TearDown() override { EXPECT_EQ(ready, 2); }
};

TEST(Own, First) { EXPECT_EQ(ready, 2); }
TEST(Own, Second) { EXPECT_EQ(ready, 2); }

int main(int argc, char** argv) {
  ready = 1;
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::AddGlobalTestEnvironment(new Ready);
  return RUN_ALL_TESTS();
}
