// $ heddle test sections.cpp => error assertion, as marked, 14 tests
// $ heddle test --filter *good* --model sc sections.cpp => verified, 6 tests
// $ heddle test --filter hidden sections.cpp => error assertion, "FAIL()", 1 tests
// Sections, assertions and messages of Catch2.
#define CATCH_CONFIG_MAIN
#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int one() { return 1; }

static std::vector<std::string> visited;

TEST_CASE("good: sections", "[sections]") {
  visited.push_back("start");
  SECTION("a") {
    visited.push_back("a");
    SECTION("b") { visited.push_back("b"); }
    SECTION("c", "with a description") { visited.push_back("c"); }
  }
  SECTION("d") {
    visited.push_back("d");
    const std::vector<std::string> all = {"start", "a", "b", "start", "a", "c", "start", "d"};
    CHECK(visited == all);
  }
}
TEST_CASE("good: comparisons") {
  REQUIRE(one() == 1);
  CHECK(one() + 1 <= 2);
  CHECK_FALSE(one() > 1);
  REQUIRE_FALSE(!one());
  REQUIRE(std::string("a") != "b");
  REQUIRE((one() == 1 && one() < 2));
  REQUIRE(0.1 + 0.2 == Approx(0.3));
  REQUIRE_THROWS(std::string().at(1));
  REQUIRE_THROWS_AS(throw std::runtime_error("x"), std::runtime_error);
  REQUIRE_THROWS_WITH(throw std::runtime_error("x"), "x");
  REQUIRE_NOTHROW(one());
  STATIC_REQUIRE(sizeof(int) == 4);
  SUCCEED("fine");
}
struct Counter {
  Counter() : start(1) {}
  int start;
  std::atomic<int> counter{0};
  void increment() { counter.store(counter.load() + 1); }
};
TEST_CASE_METHOD(Counter, "good: fixture") {
  SECTION("one") { start++; }
  SECTION("two") { start++; }
  REQUIRE(start == 2);
  REQUIRE(counter == 0);
}
SCENARIO("good: threads", "[threads]") {
  GIVEN("a counter") {
    std::atomic<int> n{0};
    WHEN("two threads add to it") {
      std::thread one([&] { n++; });
      std::thread two([&] { n++; });
      one.join();
      two.join();
      THEN("nothing is lost") { REQUIRE(n == 2); }
    }
    WHEN("nobody does") {
      THEN("it is nought") { REQUIRE(n == 0); }
    }
  }
}
TEST_CASE("good: skipped") { SKIP("not " << "today"); }

#define TELL(a, b) \
  INFO(a);         \
  CAPTURE(b)
TEST_CASE("good: two notes on one line") {
  TELL("one", one());
  REQUIRE(one() == 1);
}

TEST_CASE("bad: equal") {
  INFO("of " << "two");
  REQUIRE(one() == 2);  // fails: REQUIRE(one() == 2): 1 == 2 is false; of two
}
TEST_CASE("bad: false") { CHECK(one() > 1); }     // fails: CHECK(one() > 1): 1 > 1 is false
TEST_CASE("bad: true") { REQUIRE_FALSE(one()); }  // fails: REQUIRE_FALSE(one()): it is true
TEST_CASE("bad: captured") {
  const int n = 2;
  CAPTURE(n, one());
  REQUIRE(n == one());  // fails: 2 == 1 is false; n, one() := 2, 1
}
TEST_CASE("bad: section") {
  SECTION("one") {
    SECTION("other") {}
    SECTION("two") { FAIL("here"); }  // fails: FAIL(); here; in the section two; in the section one
  }
}
TEST_CASE("bad: exception") { REQUIRE_THROWS_AS(one(), std::runtime_error); }  // fails: it threw nothing
TEST_CASE("bad: text") {
  CHECK_THROWS_WITH(throw std::runtime_error("x"), "y");  // fails: the exception says "x", not "y"
}
TEST_CASE_METHOD(Counter, "bad: race") {
  std::thread one([this] { increment(); });
  increment();
  one.join();
  REQUIRE(counter == 2);  // fails: REQUIRE(counter == 2): 1 == 2 is false
}
TEST_CASE("hidden", "[.][slow]") { FAIL(); }
