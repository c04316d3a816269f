// $ heddle test queue.cpp => exit 1, "3 verified, 1 skipped, 2 errors"
// $ heddle test --filter -*Race queue.cpp => error assertion, as marked, 5 tests
// $ heddle test --filter Flag.Race:Queue.* queue.cpp => error race here, 3 tests
// $ heddle test --filter *-*Lost:*Race --algorithm await --model sc queue.cpp => verified, 4 tests
// $ heddle test --filter Flag.DISABLED_Endless --time-limit 0.5 queue.cpp => incomplete, 1 tests
// GoogleTest as people write it: a fixture, messages, a disabled and a skipped test.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>

namespace {

class Queue : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { suites++; }
  void SetUp() override { put(0); }
  void TearDown() override { EXPECT_TRUE(items_.empty()) << items_.size() << " items are left"; }

  void put(int item) {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(item);
  }
  int take() {
    std::lock_guard<std::mutex> lock(mutex_);
    const int item = items_.front();
    items_.pop_front();
    return item;
  }

  static int suites;
  std::mutex mutex_;
  std::deque<int> items_;
};
int Queue::suites = 0;

TEST_F(Queue, TwoProducers) {
  EXPECT_EQ(suites, 1);
  std::thread one([this] { put(1); });
  std::thread two([this] { put(2); });
  one.join();
  two.join();
  EXPECT_EQ(take(), 0);
  const int sum = take() + take();
  ASSERT_EQ(sum, 3) << "sum";
}

TEST_F(Queue, TakeWhilePutting) {
  std::thread producer([this] { put(1); });
  EXPECT_EQ(take(), 0);
  producer.join();
  EXPECT_NE(take(), 0);
}

std::atomic<int> flag;

TEST(Flag, Race) {
  int data = 0;
  std::thread writer([&] {
    data = 1;
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_acquire) == 1) {
    EXPECT_EQ(data, 1);  // here
  }
  writer.join();
}

TEST(Flag, Released) {
  int data = 0;
  std::thread writer([&] {
    data = 1;
    flag.store(1, std::memory_order_release);
  });
  if (flag == 1) EXPECT_EQ(data, 1);
  writer.join();
  ASSERT_EQ(flag, 1);
}

TEST(Flag, Skipped) {
  if (flag == 0) GTEST_SKIP() << "nothing to do";
  FAIL() << "not reached";
}

TEST(Flag, DISABLED_Endless) {
  std::thread other([] { flag = 1; });
  for (int i = 1; flag == 0 || i != 0; ++i) flag = i;
  other.join();
}

TEST(Counter, Lost) {
  std::atomic<int> counter{0};
  const auto increment = [&] { counter.store(counter.load() + 1); };
  std::thread one(increment);
  std::thread two(increment);
  one.join();
  two.join();
  EXPECT_EQ(counter, 2) << "two increments";  // fails: EXPECT_EQ(counter, 2): 1 is not 2; two increments
}

}  // namespace
