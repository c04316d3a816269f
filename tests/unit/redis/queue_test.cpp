// The queue in memory and the one in Redis are the same machine: each test runs on both.
#include "redis/queue.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "core/error.hpp"
#include "explore/share/memory_queue.hpp"

namespace heddle {
namespace {

using redis::RedisQueue;

// A server on a free port of this machine, for all tests.
class Server {
 public:
  static Server& get() {
    static Server server;
    return server;
  }
  bool is_there() const { return pid_ > 0; }
  std::string url(const std::string& name) const { return "redis://127.0.0.1:" + std::to_string(port_) + "/" + name; }

 private:
  Server() {
    if (std::system("command -v redis-server > /dev/null") != 0) return;
    port_ = free_port();
    folder_ = (std::filesystem::temp_directory_path() / ("heddle-redis-" + std::to_string(getpid()))).string();
    std::filesystem::create_directory(folder_);
    pid_ = fork();
    if (pid_ == 0) {
      const int null = open("/dev/null", O_WRONLY);
      dup2(null, 1);
      execlp("redis-server", "redis-server", "--port", std::to_string(port_).c_str(), "--bind", "127.0.0.1", "--dir",
             folder_.c_str(), "--save", "", static_cast<char*>(nullptr));
      _exit(1);
    }
    for (int i = 0; i < 500; ++i) {
      try {
        const redis::Connection connection(redis::parse_url(url("x")));
        return;
      } catch (const UserError&) {
        usleep(20'000);
      }
    }
    ADD_FAILURE() << "redis-server does not start";
  }
  ~Server() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }

  static int free_port() {
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(s, reinterpret_cast<sockaddr*>(&address), size);
    getsockname(s, reinterpret_cast<sockaddr*>(&address), &size);
    close(s);
    return ntohs(address.sin_port);
  }

  int port_ = 0;
  pid_t pid_ = -1;
  std::string folder_;
};

// Without one a test is skipped, but not in CI.
bool has_server() {
  if (Server::get().is_there()) return true;
  const char* const ci = std::getenv("CI");
  EXPECT_FALSE(ci != nullptr && std::string(ci) == "true") << "redis-server is not installed";
  return false;
}

enum class Where : uint8_t { memory, redis };

class QueueTest : public testing::TestWithParam<Where> {
 protected:
  void SetUp() override {
    if (GetParam() == Where::memory) {
      queue_ = std::make_unique<MemoryQueue>();
      return;
    }
    if (!has_server()) GTEST_SKIP() << "redis-server is not installed";
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    auto queue = std::make_unique<RedisQueue>(
        Server::get().url(std::to_string(getpid()) + "." + name.substr(0, name.find('/'))));
    ASSERT_FALSE(queue->open({"identity", "words", "bitcode"}, 30));
    queue_ = std::move(queue);
  }

  void begin() {
    queue_->begin({.number = 0, .before = "b", .settings = "s0", .bundle = "root", .part = {.executions = 5}});
  }
  // A report of one execution.
  static Report report(const Work& work, uint64_t number, const std::string& rest) {
    Report r;
    r.token = work.token;
    r.number = number;
    r.version = work.version;
    r.part.executions = 1;
    r.rest = rest;
    return r;
  }
  uint64_t executions() { return queue_->look(0).part.executions; }
  Look::Phase phase() { return queue_->look(0).phase; }

  std::unique_ptr<OwnQueue> queue_;
};

TEST_P(QueueTest, IsDoneWhenNothingIsLeft) {
  EXPECT_FALSE(queue_->claim());
  begin();
  const std::optional<Work> work = queue_->claim();
  ASSERT_TRUE(work);
  EXPECT_EQ(work->bundle, "root");
  EXPECT_EQ(work->settings, "s0");
  EXPECT_FALSE(queue_->claim());
  EXPECT_TRUE(queue_->report(report(*work, 1, "rest")));
  EXPECT_EQ(phase(), Look::Phase::working);
  EXPECT_TRUE(queue_->report(report(*work, 2, "")));
  EXPECT_EQ(phase(), Look::Phase::done);
  EXPECT_EQ(executions(), 7u);
  EXPECT_FALSE(queue_->claim());
}

TEST_P(QueueTest, WhatIsGivenAwayIsForOthers) {
  begin();
  const Work first = queue_->claim().value();
  EXPECT_EQ(queue_->look(3).hungry, 3u);
  Report r = report(first, 1, "mine");
  r.given = {"a", "b"};
  EXPECT_TRUE(queue_->report(r));
  EXPECT_EQ(queue_->look(3).hungry, 1u);
  EXPECT_EQ(queue_->look(3).queued, 2u);
  const Work second = queue_->claim().value();
  const Work third = queue_->claim().value();
  EXPECT_EQ(second.bundle, "a");
  EXPECT_EQ(third.bundle, "b");
  EXPECT_FALSE(queue_->claim());
  for (const Work* w : {&first, &second, &third}) {
    EXPECT_EQ(phase(), Look::Phase::working);
    EXPECT_TRUE(queue_->report(report(*w, 2, "")));
  }
  EXPECT_EQ(phase(), Look::Phase::done);
  EXPECT_EQ(executions(), 9u);
}

TEST_P(QueueTest, AWrongTokenHasNoEffect) {
  begin();
  const Work work = queue_->claim().value();
  Report r = report(work, 1, "");
  r.token += "x";
  EXPECT_FALSE(queue_->report(r));
  queue_->give_back(r.token);
  queue_->tell_trouble(r.token, "none");
  EXPECT_EQ(phase(), Look::Phase::working);
  EXPECT_EQ(executions(), 5u);
  EXPECT_FALSE(queue_->claim());
}

TEST_P(QueueTest, AReportThatComesTwiceIsHeardOnce) {
  begin();
  const Work work = queue_->claim().value();
  Report r = report(work, 1, "rest");
  r.given = {"a"};
  EXPECT_TRUE(queue_->report(r));
  EXPECT_TRUE(queue_->report(r));
  EXPECT_EQ(executions(), 6u);
  EXPECT_EQ(queue_->look(0).queued, 1u);
}

TEST_P(QueueTest, WhoeverIsGoneLosesWhatWasNotReported) {
  begin();
  const Work first = queue_->claim().value();
  EXPECT_TRUE(queue_->report(report(first, 1, "rest")));
  queue_->give_back(first.token);
  EXPECT_FALSE(queue_->report(report(first, 2, "")));
  const Work again = queue_->claim().value();
  EXPECT_EQ(again.bundle, "rest");
  EXPECT_NE(again.token, first.token);
  EXPECT_TRUE(queue_->report(report(again, 1, "")));
  EXPECT_EQ(phase(), Look::Phase::done);
  EXPECT_EQ(executions(), 7u);
  EXPECT_EQ(queue_->look(0).losses, 1u);
}

TEST_P(QueueTest, WhatIsLostAgainAndAgainIsTrouble) {
  begin();
  for (uint64_t i = 0; i < kMostLosses; ++i) {
    const std::optional<Work> work = queue_->claim();
    ASSERT_TRUE(work) << i;
    queue_->give_back(work->token);
  }
  EXPECT_EQ(phase(), Look::Phase::trouble);
  EXPECT_FALSE(queue_->claim());
  EXPECT_EQ(queue_->trouble().bundle, "root");
}

TEST_P(QueueTest, WhoeverHasLearntSomethingIsHeardIfNobodyElseHas) {
  begin();
  const Work first = queue_->claim().value();
  Report r = report(first, 1, "mine");
  r.given = {"a", "b"};
  EXPECT_TRUE(queue_->report(r));
  const Work second = queue_->claim().value();
  const Work third = queue_->claim().value();

  Report learnt = report(second, 1, "");
  learnt.learnt = "s1";
  EXPECT_TRUE(queue_->report(learnt));
  EXPECT_EQ(queue_->settings(), "s1");
  // What was learnt at the same time is learnt again, with what is known now.
  Report late = report(third, 1, "");
  late.learnt = "s2";
  EXPECT_FALSE(queue_->report(late));
  EXPECT_EQ(executions(), 7u);
  const Work again = queue_->claim().value();
  EXPECT_EQ(again.bundle, "b");
  EXPECT_EQ(again.settings, "s1");
  EXPECT_EQ(again.version, 1u);
  // Nothing learnt, nothing missed.
  EXPECT_TRUE(queue_->report(report(first, 2, "")));
  EXPECT_TRUE(queue_->report(report(again, 1, "")));
  EXPECT_EQ(phase(), Look::Phase::done);
  EXPECT_EQ(executions(), 9u);
}

TEST_P(QueueTest, TroubleEndsTheWorkOfAll) {
  begin();
  const Work first = queue_->claim().value();
  Report r = report(first, 1, "mine");
  r.given = {"a"};
  EXPECT_TRUE(queue_->report(r));
  const Work second = queue_->claim().value();
  queue_->tell_trouble(first.token, "an error");
  queue_->tell_trouble(second.token, "another one");
  EXPECT_EQ(phase(), Look::Phase::trouble);
  EXPECT_FALSE(queue_->report(report(second, 1, "")));
  const Trouble trouble = queue_->trouble();
  EXPECT_EQ(trouble.bundle, "mine");
  EXPECT_EQ(trouble.settings, "s0");
  EXPECT_EQ(trouble.message, "an error");
}

TEST_P(QueueTest, MarksAreKeptOnce) {
  begin();
  const Work work = queue_->claim().value();
  Report r = report(work, 1, "rest");
  r.part.marks = {"m", std::string("n\0\xff", 3)};
  r.part.unusual = "first";
  EXPECT_TRUE(queue_->report(r));
  r.number = 2;
  r.part.unusual = "second";
  EXPECT_TRUE(queue_->report(r));
  Part part = queue_->look(0).part;
  std::ranges::sort(part.marks);
  EXPECT_EQ(part.marks, (std::vector<std::string>{"m", std::string("n\0\xff", 3)}));
  EXPECT_EQ(part.unusual, "first");
}

TEST_P(QueueTest, ANewExplorationForgetsTheOneBefore) {
  begin();
  const Work old = queue_->claim().value();
  queue_->begin({.number = 1, .before = "c", .settings = "t0", .bundle = "other", .part = {}});
  EXPECT_FALSE(queue_->report(report(old, 1, "")));
  EXPECT_EQ(queue_->claim().value().bundle, "other");
  EXPECT_EQ(executions(), 0u);
}

TEST_P(QueueTest, GoesOnAfterAPause) {
  begin();
  const Work work = queue_->claim().value();
  EXPECT_TRUE(queue_->report(report(work, 1, "rest")));
  queue_->pause();
  EXPECT_FALSE(queue_->claim());
  EXPECT_FALSE(queue_->report(report(work, 2, "")));
  EXPECT_FALSE(queue_->has_begun(0, "other"));
  EXPECT_FALSE(queue_->has_begun(1, "b"));
  EXPECT_TRUE(queue_->has_begun(0, "b"));
  EXPECT_EQ(executions(), 6u);
  EXPECT_EQ(phase(), Look::Phase::working);
}

TEST_P(QueueTest, RemembersWhatIsOver) {
  EXPECT_FALSE(queue_->remembered(3, "b"));
  queue_->remember(3, "b", "what");
  EXPECT_EQ(queue_->remembered(3, "b"), "what");
  EXPECT_FALSE(queue_->remembered(3, "c"));
}

INSTANTIATE_TEST_SUITE_P(Each, QueueTest, testing::Values(Where::memory, Where::redis),
                         [](const auto& where) { return where.param == Where::memory ? "memory" : "redis"; });

TEST(MemoryQueue, IsTheSameAfterItWasSaved) {
  MemoryQueue queue;
  queue.begin({.number = 2, .before = "b", .settings = "s", .bundle = "root", .part = {.executions = 5}});
  queue.remember(1, "a", "what");
  const Work work = queue.claim().value();
  Report r;
  r.token = work.token;
  r.number = 1;
  r.part.executions = 4;
  r.rest = "rest";
  r.given = {"other"};
  ASSERT_TRUE(queue.report(r));

  MemoryQueue loaded;
  loaded.load(queue.bytes());
  EXPECT_EQ(loaded.remembered(1, "a"), "what");
  ASSERT_TRUE(loaded.has_begun(2, "b"));
  EXPECT_EQ(loaded.look(0).part.executions, 9u);
  EXPECT_EQ(loaded.claim().value().bundle, "rest");
  EXPECT_EQ(loaded.claim().value().bundle, "other");
  EXPECT_FALSE(loaded.claim());
  EXPECT_THROW(loaded.load(queue.bytes() + "x"), std::runtime_error);
}

TEST(RedisQueue, ALeaseEndsByItself) {
  if (!has_server()) GTEST_SKIP() << "redis-server is not installed";
  const std::string url = Server::get().url("lease" + std::to_string(getpid()));
  RedisQueue queue(url);
  ASSERT_FALSE(queue.open({"identity", "words", "bitcode"}, 0.05));
  queue.begin({.number = 0, .before = "b", .settings = "s0", .bundle = "root", .part = {}});
  const Work work = queue.claim().value();
  usleep(100'000);
  RedisQueue other(url);
  const std::optional<Work> again = other.claim();
  ASSERT_TRUE(again);
  Report late;
  late.token = work.token;
  late.number = 1;
  late.part.executions = 1;
  EXPECT_FALSE(queue.report(late));
  EXPECT_EQ(queue.look(0).part.executions, 0u);
}

TEST(RedisQueue, BelongsToOneCheck) {
  if (!has_server()) GTEST_SKIP() << "redis-server is not installed";
  const std::string url = Server::get().url("owner" + std::to_string(getpid()));
  EXPECT_THROW(RedisQueue(url).charter(), UserError);
  {
    RedisQueue first(url);
    ASSERT_FALSE(first.open({"identity", "words", "bitcode"}, 30));
    EXPECT_EQ(RedisQueue(url).charter().bitcode, "bitcode");
    EXPECT_THROW(RedisQueue(url).open({"identity", "words", "bitcode"}, 30), UserError);
    first.begin({.number = 0, .before = "b", .settings = "s0", .bundle = "root", .part = {.executions = 5}});
    first.pause();
  }
  RedisQueue second(url);
  EXPECT_EQ(second.open({"another", "words", "bitcode"}, 30), "identity");
  ASSERT_FALSE(second.open({"identity", "words", "bitcode"}, 30));
  EXPECT_TRUE(second.has_begun(0, "b"));
  EXPECT_EQ(second.look(0).part.executions, 5u);
  second.finish();
  EXPECT_TRUE(RedisQueue(url).progress().over);
  EXPECT_THROW(RedisQueue(url).charter(), UserError);
  EXPECT_FALSE(RedisQueue(url).open({"another", "words", "bitcode"}, 30));
}

}  // namespace
}  // namespace heddle
