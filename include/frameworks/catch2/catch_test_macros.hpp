// Catch2, versions 2 and 3, as far as `heddle test` needs it, after its public documentation: each test case is a check
// of its own.
//
// Sections. A test case is run again, within the same execution, until each of its innermost sections has been run
// once; each run enters one section of a level at most.
#ifndef HEDDLE_CATCH_TEST_MACROS_HPP
#define HEDDLE_CATCH_TEST_MACROS_HPP
#pragma GCC system_header

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "../heddle/test.hpp"

namespace Catch {
namespace heddle {

using ::heddle_test::Outcome;
using ::heddle_test::Visit;

// ---- Sections

class Section {
 public:
  Section(std::string name, int line, Section* parent) : name_(std::move(name)), line_(line), parent_(parent) {}

  // The section of this name in the current one. Whether this run enters it.
  static bool enter(const std::string& name, int line) {
    Section* const current = now();
    if (current == nullptr) {
      heddle_test_fail("SECTION outside of the thread that runs the test case");
    }
    Section& section = current->child(name, line);
    if (current->entered_ || section.done_) return false;
    current->entered_ = true;
    section.entered_ = false;
    now() = &section;
    return true;
  }
  static void leave() {
    now()->finish();
    now() = now()->parent_;
  }
  void finish() {
    done_ = true;
    for (const auto& section : children_) done_ = done_ && section->done_;
  }

  // Runs a test case until nothing is left of it.
  template <class F>
  static void run_all(F&& run) {
    Section root("", 0, nullptr);
    while (!root.done_ && !::heddle_test::skipped()) {
      root.entered_ = false;
      now() = &root;
      run();
      root.finish();
    }
    now() = nullptr;
  }

 private:
  // Of the thread that runs the test case; null in others.
  static Section*& now() {
    static thread_local Section* section = nullptr;
    return section;
  }
  Section& child(const std::string& name, int line) {
    for (const auto& section : children_) {
      if (section->line_ == line && section->name_ == name) return *section;
    }
    children_.emplace_back(new Section(name, line, this));
    return *children_.back();
  }

  const std::string name_;
  const int line_;
  Section* const parent_;
  std::vector<std::unique_ptr<Section>> children_;
  bool entered_ = false;  // a child, in this run
  bool done_ = false;
};

class InSection {
 public:
  InSection(int line, const std::string& name, const char* = "") : is_(Section::enter(name, line)) {
    if (is_) note_.reset(new ::heddle_test::Note("in the section " + name));
  }
  InSection(int line, const ::heddle_test::Message& name) : InSection(line, name.str()) {}
  ~InSection() {
    if (is_) Section::leave();
  }
  InSection(const InSection&) = delete;
  InSection& operator=(const InSection&) = delete;
  explicit operator bool() const { return is_; }

 private:
  bool is_;
  std::unique_ptr<::heddle_test::Note> note_;
};

// ---- Test cases

struct Skipped {};

struct Name {
  Name(const char* name_ = "", const char* tags_ = "") : name(name_), tags(tags_) {}
  const char* name;
  const char* tags;

  bool hidden() const { return std::strstr(tags, "[.") != nullptr || std::strstr(tags, "[!benchmark]") != nullptr; }
};

class Case final : ::heddle_test::Source {
 public:
  Case(void (*run)(), const char* file, int line, Name name) : run_(run), file_(file), line_(line), name_(name) {}

 private:
  void visit(Visit& visit) override {
    if (visit.listing()) {
      const std::string name = *name_.name != 0 ? name_.name : "anonymous test case of line " + std::to_string(line_);
      visit.found(name, file_, line_, name_.hidden());
    } else if (visit.takes_next()) {
      Section::run_all([this] { run_once(); });
    }
  }
  void run_once() {
    try {
      run_();
    } catch (const Skipped&) {
    }
  }

  void (*run_)();
  const char* file_;
  int line_;
  Name name_;
};

// ---- Assertions

inline Outcome wrong(const char* macro, const char* text, const std::string& why) {
  return Outcome(::heddle_test::call(macro, text) + ": " + why);
}

// How a value is kept until the end of the expression. An atomic is read once: what is compared is what is printed.
template <class T>
struct Held {
  using type = const T&;
};
template <class T>
struct Held<std::atomic<T>> {
  using type = T;
};

// Two values and what is said if they do not compare as they should.
template <class A, class B>
struct Comparison {
  typename Held<A>::type x;
  const char* relation;
  typename Held<B>::type y;
  bool ok;

  explicit operator bool() const { return ok; }
  std::string values() const { return ::heddle_test::printed(x) + " " + relation + " " + ::heddle_test::printed(y); }
};

template <class A>
class Left {
 public:
  explicit Left(const A& x) : x_(::heddle_test::held(x)) {}

#define HEDDLE_TEST_COMPARISON(op)                                   \
  template <class B>                                                 \
  Comparison<A, B> operator op(const B & second) const {             \
    Comparison<A, B> c{x_, #op, ::heddle_test::held(second), false}; \
    c.ok = static_cast<bool>(c.x op c.y);                            \
    return c;                                                        \
  }
  HEDDLE_TEST_COMPARISON(==)
  HEDDLE_TEST_COMPARISON(!=)
  HEDDLE_TEST_COMPARISON(<)
  HEDDLE_TEST_COMPARISON(<=)
  HEDDLE_TEST_COMPARISON(>)
  HEDDLE_TEST_COMPARISON(>=)
  HEDDLE_TEST_COMPARISON(&)
  HEDDLE_TEST_COMPARISON(|)
  HEDDLE_TEST_COMPARISON(^)
#undef HEDDLE_TEST_COMPARISON
  template <class B>
  bool operator&&(const B&) const {
    static_assert(!sizeof(B), "Catch2 takes no && in an assertion: put the expression in parentheses, or write two");
    return false;
  }
  template <class B>
  bool operator||(const B&) const {
    static_assert(!sizeof(B), "Catch2 takes no || in an assertion: put the expression in parentheses");
    return false;
  }

  explicit operator bool() const { return static_cast<bool>(x_); }
  std::string values() const { return "it"; }

 private:
  typename Held<A>::type x_;
};

struct Decompose {
  template <class A>
  Left<A> operator<=(const A& x) const {
    return Left<A>(x);
  }
};

template <class E>
Outcome judge(const char* macro, const char* text, bool wanted, const E& expression) {
  if (static_cast<bool>(expression) == wanted) return Outcome();
  return wrong(macro, text, expression.values() + (wanted ? " is false" : " is true"));
}

inline Outcome throws_with(const char* macro, const char* text, const std::string& said, const std::string& wanted) {
  if (said == wanted) return Outcome();
  return wrong(macro, text, "the exception says \"" + said + "\", not \"" + wanted + "\"");
}

}  // namespace heddle

// A number that compares equal to those near it.
class Approx {
 public:
  template <class T, class = typename std::enable_if<std::is_constructible<double, T>::value>::type>
  explicit Approx(const T& value) : value_(static_cast<double>(value)) {}
  static Approx custom() { return Approx(0); }
  template <class T>
  Approx operator()(const T& value) const {
    Approx other(*this);
    other.value_ = static_cast<double>(value);
    return other;
  }
  Approx operator-() const { return (*this)(-value_); }
  template <class T>
  Approx& epsilon(const T& e) {
    epsilon_ = static_cast<double>(e);
    return *this;
  }
  template <class T>
  Approx& margin(const T& m) {
    margin_ = static_cast<double>(m);
    return *this;
  }
  template <class T>
  Approx& scale(const T& s) {
    scale_ = static_cast<double>(s);
    return *this;
  }

  bool equals(double other) const {
    const double difference = std::fabs(other - value_);
    return difference <= margin_ || difference <= epsilon_ * (scale_ + (std::isinf(value_) ? 0 : std::fabs(value_)));
  }
  friend std::ostream& operator<<(std::ostream& out, const Approx& a) { return out << "Approx(" << a.value_ << ")"; }

#define HEDDLE_TEST_NUMBER(T) class T, class = typename std::enable_if<std::is_constructible<double, T>::value>::type
  template <HEDDLE_TEST_NUMBER(T)>
  friend bool operator==(const T& x, const Approx& a) {
    return a.equals(static_cast<double>(x));
  }
  template <HEDDLE_TEST_NUMBER(T)>
  friend bool operator==(const Approx& a, const T& x) {
    return a.equals(static_cast<double>(x));
  }
  template <HEDDLE_TEST_NUMBER(T)>
  friend bool operator!=(const T& x, const Approx& a) {
    return !a.equals(static_cast<double>(x));
  }
  template <HEDDLE_TEST_NUMBER(T)>
  friend bool operator!=(const Approx& a, const T& x) {
    return !a.equals(static_cast<double>(x));
  }
  template <HEDDLE_TEST_NUMBER(T)>
  friend bool operator<=(const T& x, const Approx& a) {
    return static_cast<double>(x) < a.value_ || a.equals(static_cast<double>(x));
  }
  template <HEDDLE_TEST_NUMBER(T)>
  friend bool operator>=(const T& x, const Approx& a) {
    return static_cast<double>(x) > a.value_ || a.equals(static_cast<double>(x));
  }
#undef HEDDLE_TEST_NUMBER

 private:
  double value_;
  double epsilon_ = static_cast<double>(std::numeric_limits<float>::epsilon()) * 100;
  double margin_ = 0;
  double scale_ = 0;
};
namespace Detail {
using Catch::Approx;
}

class Session {
 public:
  int run() {
    ::heddle_test::run_all();
    return 0;
  }
  int run(int, const char* const*) { return run(); }
  int applyCommandLine(int, const char* const*) { return 0; }
};

}  // namespace Catch

#define HEDDLE_TEST_UNIQUE(name) HEDDLE_TEST_JOIN(name, __LINE__)
#define HEDDLE_TEST_NEW(name) HEDDLE_TEST_JOIN(name, __COUNTER__)  // another one each time

#define TEST_CASE(...)                                                                                               \
  static void HEDDLE_TEST_UNIQUE(heddle_test_case_)();                                                               \
  static ::Catch::heddle::Case HEDDLE_TEST_UNIQUE(heddle_test_of_)(&HEDDLE_TEST_UNIQUE(heddle_test_case_), __FILE__, \
                                                                   __LINE__, ::Catch::heddle::Name(__VA_ARGS__));    \
  static void HEDDLE_TEST_UNIQUE(heddle_test_case_)()
#define TEST_CASE_METHOD(fixture, ...)                                                                               \
  namespace {                                                                                                        \
  struct HEDDLE_TEST_UNIQUE(heddle_test_case_) : fixture {                                                           \
    void heddle_test_body();                                                                                         \
    static void heddle_test_run() { HEDDLE_TEST_UNIQUE(heddle_test_case_)().heddle_test_body(); }                    \
  };                                                                                                                 \
  ::Catch::heddle::Case HEDDLE_TEST_UNIQUE(heddle_test_of_)(&HEDDLE_TEST_UNIQUE(heddle_test_case_)::heddle_test_run, \
                                                            __FILE__, __LINE__, ::Catch::heddle::Name(__VA_ARGS__)); \
  }                                                                                                                  \
  void HEDDLE_TEST_UNIQUE(heddle_test_case_)::heddle_test_body()
#define SECTION(...) if (const ::Catch::heddle::InSection HEDDLE_TEST_NEW(heddle_test_section_){__LINE__, __VA_ARGS__})
#define DYNAMIC_SECTION(name) SECTION(::heddle_test::Message() << name)

#define SCENARIO(...) TEST_CASE("Scenario: " __VA_ARGS__)
#define SCENARIO_METHOD(fixture, ...) TEST_CASE_METHOD(fixture, "Scenario: " __VA_ARGS__)
#define GIVEN(text) DYNAMIC_SECTION("Given: " << text)
#define AND_GIVEN(text) DYNAMIC_SECTION("And given: " << text)
#define WHEN(text) DYNAMIC_SECTION("When: " << text)
#define AND_WHEN(text) DYNAMIC_SECTION("And when: " << text)
#define THEN(text) DYNAMIC_SECTION("Then: " << text)
#define AND_THEN(text) DYNAMIC_SECTION("And: " << text)

// A failed assertion ends the execution, so that CHECK and REQUIRE are the same.
#define HEDDLE_TEST_REQUIRE(...)                                                  \
  do {                                                                            \
    const ::heddle_test::Outcome heddle_test_outcome = (__VA_ARGS__);             \
    if (!heddle_test_outcome) ::heddle_test::Failure(heddle_test_outcome).tell(); \
  } while (false)
#define HEDDLE_TEST_JUDGE(macro, wanted, text, ...) \
  HEDDLE_TEST_REQUIRE(::Catch::heddle::judge(macro, text, wanted, ::Catch::heddle::Decompose() <= __VA_ARGS__))

#define REQUIRE(...) HEDDLE_TEST_JUDGE("REQUIRE", true, #__VA_ARGS__, __VA_ARGS__)
#define CHECK(...) HEDDLE_TEST_JUDGE("CHECK", true, #__VA_ARGS__, __VA_ARGS__)
#define REQUIRE_FALSE(...) HEDDLE_TEST_JUDGE("REQUIRE_FALSE", false, #__VA_ARGS__, __VA_ARGS__)
#define CHECK_FALSE(...) HEDDLE_TEST_JUDGE("CHECK_FALSE", false, #__VA_ARGS__, __VA_ARGS__)
#define CHECK_NOFAIL(...) ((void)(__VA_ARGS__))
#define CHECKED_IF(...) if (__VA_ARGS__)
#define CHECKED_ELSE(...) if (!(__VA_ARGS__))
#define STATIC_REQUIRE(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define STATIC_REQUIRE_FALSE(...) static_assert(!(__VA_ARGS__), "!(" #__VA_ARGS__ ")")
#define STATIC_CHECK(...) STATIC_REQUIRE(__VA_ARGS__)
#define STATIC_CHECK_FALSE(...) STATIC_REQUIRE_FALSE(__VA_ARGS__)

#define REQUIRE_THROWS(...) HEDDLE_TEST_REQUIRE(HEDDLE_TEST_THROWS_ANY("REQUIRE_THROWS", (void)(__VA_ARGS__)))
#define CHECK_THROWS(...) HEDDLE_TEST_REQUIRE(HEDDLE_TEST_THROWS_ANY("CHECK_THROWS", (void)(__VA_ARGS__)))
#define REQUIRE_NOTHROW(...) HEDDLE_TEST_REQUIRE(HEDDLE_TEST_THROWS_NOTHING("REQUIRE_NOTHROW", (void)(__VA_ARGS__)))
#define CHECK_NOTHROW(...) HEDDLE_TEST_REQUIRE(HEDDLE_TEST_THROWS_NOTHING("CHECK_NOTHROW", (void)(__VA_ARGS__)))
#define REQUIRE_THROWS_AS(expression, type) \
  HEDDLE_TEST_REQUIRE(HEDDLE_TEST_THROWS("REQUIRE_THROWS_AS", (void)(expression), type, #expression, #type))
#define CHECK_THROWS_AS(expression, type) \
  HEDDLE_TEST_REQUIRE(HEDDLE_TEST_THROWS("CHECK_THROWS_AS", (void)(expression), type, #expression, #type))
#define HEDDLE_TEST_THROWS_WITH(macro, expression, text)                                  \
  HEDDLE_TEST_REQUIRE([&]() -> ::heddle_test::Outcome {                                   \
    try {                                                                                 \
      (void)(expression);                                                                 \
    } catch (const std::exception& e) {                                                   \
      return ::Catch::heddle::throws_with(macro, #expression ", " #text, e.what(), text); \
    }                                                                                     \
    return ::Catch::heddle::wrong(macro, #expression ", " #text, "it threw nothing");     \
  }())
#define REQUIRE_THROWS_WITH(expression, text) HEDDLE_TEST_THROWS_WITH("REQUIRE_THROWS_WITH", expression, text)
#define CHECK_THROWS_WITH(expression, text) HEDDLE_TEST_THROWS_WITH("CHECK_THROWS_WITH", expression, text)

#define FAIL(...) ::heddle_test::Failure{"FAIL()"} = ::heddle_test::Message() __VA_OPT__(<< __VA_ARGS__)
#define FAIL_CHECK(...) ::heddle_test::Failure{"FAIL_CHECK()"} = ::heddle_test::Message() __VA_OPT__(<< __VA_ARGS__)
#define SUCCEED(...) ((void)0)
#define SKIP(...)                                                             \
  do {                                                                        \
    ::heddle_test::skip(::heddle_test::Message() __VA_OPT__(<< __VA_ARGS__)); \
    throw ::Catch::heddle::Skipped();                                         \
  } while (false)

#define INFO(...) \
  const ::heddle_test::Note HEDDLE_TEST_NEW(heddle_test_note_)((::heddle_test::Message() << __VA_ARGS__).str())
#define UNSCOPED_INFO(...) ((void)0)
#define WARN(...) ((void)0)
#define CAPTURE(...) \
  const ::heddle_test::Note HEDDLE_TEST_NEW(heddle_test_note_)(::Catch::heddle::captured(#__VA_ARGS__, __VA_ARGS__))
namespace Catch {
namespace heddle {
template <class... Ts>
std::string captured(const char* names, const Ts&... values) {
  std::string text = std::string(names) + " := ";
  const char* between = "";
  const std::string shown[] = {::heddle_test::printed(::heddle_test::held(values))...};
  for (const std::string& value : shown) {
    text += between + value;
    between = ", ";
  }
  return text;
}
}  // namespace heddle
}  // namespace Catch

// What heddle does not have is refused where it is used.
#define HEDDLE_TEST_REFUSED(what) static_assert(!sizeof(what), what)
#define REQUIRE_THAT(...) HEDDLE_TEST_REFUSED("heddle test: REQUIRE_THAT is not supported: compare with REQUIRE")
#define CHECK_THAT(...) HEDDLE_TEST_REFUSED("heddle test: CHECK_THAT is not supported: compare with CHECK")
#define REQUIRE_THROWS_MATCHES(...) \
  HEDDLE_TEST_REFUSED("heddle test: REQUIRE_THROWS_MATCHES is not supported: use REQUIRE_THROWS_AS")
#define CHECK_THROWS_MATCHES(...) \
  HEDDLE_TEST_REFUSED("heddle test: CHECK_THROWS_MATCHES is not supported: use CHECK_THROWS_AS")
#define GENERATE(...) (::Catch::heddle::refuse_generate<sizeof(#__VA_ARGS__)>())
namespace Catch {
namespace heddle {
template <unsigned long N>
int refuse_generate() {
  static_assert(N == 0, "heddle test: GENERATE is not supported: use a section for each value, or heddle_choose(n)");
  return 0;
}
}  // namespace heddle
}  // namespace Catch
#define TEMPLATE_TEST_CASE(...)                                                                             \
  HEDDLE_TEST_REFUSED("heddle test: TEMPLATE_TEST_CASE is not supported: write a TEST_CASE for each type"); \
  template <class TestType>                                                                                 \
  static void HEDDLE_TEST_UNIQUE(heddle_test_case_)()
#define METHOD_AS_TEST_CASE(...) \
  HEDDLE_TEST_REFUSED("heddle test: METHOD_AS_TEST_CASE is not supported: use TEST_CASE_METHOD")
#define BENCHMARK(...)                                                                      \
  HEDDLE_TEST_REFUSED("heddle test: BENCHMARK is not supported: nothing is measured here"); \
  if (false)

#endif
