// GoogleTest as far as `heddle test` needs it, after its public documentation: each test is a check of its own.
#ifndef HEDDLE_GTEST_H
#define HEDDLE_GTEST_H
#pragma GCC system_header

#include <strings.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "gtest_prod.h"
#include "heddle/test.hpp"

namespace testing {

using ::heddle_test::Message;

template <class T>
std::string PrintToString(const T& value) {
  return ::heddle_test::printed(value);
}

// ---- Tests

class Test {
 public:
  virtual ~Test() = default;
  Test(const Test&) = delete;
  Test& operator=(const Test&) = delete;

  static void SetUpTestSuite() {}
  static void TearDownTestSuite() {}
  static void SetUpTestCase() {}
  static void TearDownTestCase() {}
  // A failure ends the execution: a test that asks has not failed.
  static bool HasFatalFailure() { return false; }
  static bool HasNonfatalFailure() { return false; }
  static bool HasFailure() { return false; }
  static bool IsSkipped() { return ::heddle_test::skipped(); }
  template <class T>
  static void RecordProperty(const std::string&, const T&) {}

  void heddle_run() {
    SetUp();
    if (!IsSkipped()) TestBody();
    TearDown();
  }

 protected:
  Test() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}

 private:
  virtual void TestBody() = 0;
};

template <class T>
class WithParamInterface {
 public:
  using ParamType = T;
  virtual ~WithParamInterface() = default;
  static const T& GetParam() { return *heddle_param(); }
  static const T*& heddle_param() {
    static const T* param = nullptr;
    return param;
  }
};
template <class T>
class TestWithParam : public Test, public WithParamInterface<T> {};

template <class T>
struct TestParamInfo {
  T param;
  std::size_t index;
};
struct PrintToStringParamName {
  template <class T>
  std::string operator()(const TestParamInfo<T>& info) const {
    Message text;
    text << info.param;
    return text.str();
  }
};

class Environment {
 public:
  virtual ~Environment() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}
};

namespace internal {

using ::heddle_test::Outcome;
using ::heddle_test::Visit;

inline std::vector<Environment*>& environments() {
  static std::vector<Environment*> all;
  return all;
}

// One test from its start to its end.
template <class T>
void run() {
  const std::vector<Environment*>& around = environments();
  for (Environment* e : around) e->SetUp();
  T::heddle_suite_begins();
  std::unique_ptr<Test>(new T)->heddle_run();
  T::heddle_suite_ends();
  for (std::size_t i = around.size(); i > 0; --i) around[i - 1]->TearDown();
}

struct Place {
  const char* suite;
  const char* name;
  const char* file;
  int line;

  bool hidden() const { return std::strncmp(suite, "DISABLED_", 9) == 0 || std::strncmp(name, "DISABLED_", 9) == 0; }
};

template <class T>
class Plain final : ::heddle_test::Source {
 public:
  explicit Plain(Place place) : place_(place) {}

 private:
  void visit(Visit& visit) override {
    if (visit.listing()) {
      visit.found(std::string(place_.suite) + "." + place_.name, place_.file, place_.line, place_.hidden());
    } else if (visit.takes_next()) {
      run<T>();
    }
  }

  Place place_;
};

// The TEST_P of a fixture, and whether anything instantiates them.
template <class Suite>
class Pattern final : ::heddle_test::Source {
 public:
  Pattern(Place place, void (*run)()) : place(place), run(run) {
    Pattern** end = &first();
    while (*end != nullptr) end = &(*end)->after;
    *end = this;
  }

  const Place place;
  void (*const run)();
  Pattern* after = nullptr;

  static Pattern*& first() {
    static Pattern* pattern = nullptr;
    return pattern;
  }
  static bool& instantiated() {
    static bool is = false;
    return is;
  }

 private:
  void visit(Visit& visit) override {
    if (instantiated()) return;
    if (visit.listing()) {
      visit.found(std::string(place.suite) + "." + place.name, place.file, place.line, place.hidden());
    } else if (visit.takes_next()) {
      heddle_test_fail("TEST_P without INSTANTIATE_TEST_SUITE_P: there are no parameters to test with");
    }
  }
};

// Not a vector: that of bool has no elements.
template <class T>
using List = std::deque<T>;

// What an INSTANTIATE_TEST_SUITE_P asks for.
template <class Param>
class Instances {
 public:
  template <class Generator>
  void fill(const Generator& generator) {
    values = generator;
    for (std::size_t i = 0; i < values.size(); ++i) names.push_back(std::to_string(i));
  }
  template <class Generator, class Namer>
  void fill(const Generator& generator, const Namer& namer) {
    values = generator;
    for (std::size_t i = 0; i < values.size(); ++i) names.push_back(namer(TestParamInfo<Param>{values[i], i}));
  }

  List<Param> values;
  List<std::string> names;
};

template <class Suite>
class Instantiation final : ::heddle_test::Source {
 public:
  using Param = typename Suite::ParamType;

  Instantiation(const char* prefix, void (*fill)(Instances<Param>&)) : prefix_(prefix), fill_(fill) {
    Pattern<Suite>::instantiated() = true;
  }

 private:
  void visit(Visit& visit) override {
    Instances<Param> instances;
    fill_(instances);
    for (const Pattern<Suite>* p = Pattern<Suite>::first(); p != nullptr; p = p->after) {
      for (std::size_t i = 0; i < instances.values.size(); ++i) {
        if (visit.listing()) {
          const std::string prefix = *prefix_ != 0 ? std::string(prefix_) + "/" : "";
          visit.found(prefix + p->place.suite + "." + p->place.name + "/" + instances.names[i], p->place.file,
                      p->place.line, p->place.hidden() || std::strncmp(prefix_, "DISABLED_", 9) == 0);
        } else if (visit.takes_next()) {
          const Param value = instances.values[i];
          WithParamInterface<Param>::heddle_param() = &value;
          p->run();
        }
      }
    }
  }

  const char* prefix_;
  void (*fill_)(Instances<Param>&);
};

// ---- Generators of parameters: each turns into a vector of the type that is wanted.

template <class... Ts>
class ValueList {
 public:
  explicit ValueList(Ts... values) : values_(values...) {}
  template <class T>
  operator List<T>() const {
    List<T> out;
    put(out, std::index_sequence_for<Ts...>());
    return out;
  }

 private:
  template <class T, std::size_t... I>
  void put(List<T>& out, std::index_sequence<I...>) const {
    const int done[] = {0, (out.push_back(static_cast<T>(std::get<I>(values_))), 0)...};
    (void)done;
  }
  std::tuple<Ts...> values_;
};

template <class U>
class Sequence {
 public:
  explicit Sequence(List<U> values) : values_(std::move(values)) {}
  template <class T>
  operator List<T>() const {
    List<T> out;
    for (const auto& value : values_) out.push_back(static_cast<T>(value));
    return out;
  }

 private:
  List<U> values_;
};

// All combinations; the last one changes first.
template <class... Generators>
class Product {
 public:
  explicit Product(Generators... generators) : generators_(generators...) {}
  template <class... Ts>
  operator List<std::tuple<Ts...>>() const {
    List<std::tuple<Ts...>> out;
    combine(out, std::index_sequence_for<Ts...>());
    return out;
  }

 private:
  template <class... Ts, std::size_t... I>
  void combine(List<std::tuple<Ts...>>& out, std::index_sequence<I...>) const {
    const std::tuple<List<Ts>...> lists(static_cast<List<Ts>>(std::get<I>(generators_))...);
    const std::size_t sizes[] = {std::get<I>(lists).size()...};
    std::size_t all = 1;
    for (const std::size_t size : sizes) all *= size;
    for (std::size_t n = 0; n < all; ++n) {
      std::size_t at[sizeof...(Ts)];
      std::size_t rest = n;
      for (std::size_t i = sizeof...(Ts); i > 0; --i) {
        at[i - 1] = rest % sizes[i - 1];
        rest /= sizes[i - 1];
      }
      out.emplace_back(std::get<I>(lists)[at[I]]...);
    }
  }
  std::tuple<Generators...> generators_;
};

}  // namespace internal

template <class... Ts>
internal::ValueList<Ts...> Values(Ts... values) {
  return internal::ValueList<Ts...>(values...);
}
template <class Iterator>
auto ValuesIn(Iterator begin, Iterator end) -> internal::Sequence<typename std::decay<decltype(*begin)>::type> {
  using T = typename std::decay<decltype(*begin)>::type;
  return internal::Sequence<T>(internal::List<T>(begin, end));
}
template <class Container>
auto ValuesIn(const Container& values) -> decltype(ValuesIn(std::begin(values), std::end(values))) {
  return ValuesIn(std::begin(values), std::end(values));
}
template <class T>
auto ValuesIn(std::initializer_list<T> values) -> internal::Sequence<T> {
  return internal::Sequence<T>(internal::List<T>(values));
}
template <class T, class Step = int>
internal::Sequence<T> Range(T begin, T end, Step step = 1) {
  internal::List<T> values;
  for (T value = begin; value < end; value = static_cast<T>(value + step)) values.push_back(value);
  return internal::Sequence<T>(values);
}
inline internal::Sequence<bool> Bool() { return internal::Sequence<bool>({false, true}); }
template <class... Generators>
internal::Product<Generators...> Combine(const Generators&... generators) {
  return internal::Product<Generators...>(generators...);
}

// ---- Types as parameters

template <class... Ts>
struct Types {};

namespace internal {

template <class T>
struct AsTypes {
  using type = Types<T>;
};
template <class... Ts>
struct AsTypes<Types<Ts...>> {
  using type = Types<Ts...>;
};

template <template <class> class Test, class List>
class Typed;
template <template <class> class Test, class... Ts>
class Typed<Test, Types<Ts...>> final : ::heddle_test::Source {
 public:
  explicit Typed(Place place) : place_(place) {}

 private:
  template <class T>
  void offer(Visit& visit, int i) const {
    if (visit.listing()) {
      visit.found(std::string(place_.suite) + "/" + std::to_string(i) + "." + place_.name, place_.file, place_.line,
                  place_.hidden());
    } else if (visit.takes_next()) {
      run<Test<T>>();
    }
  }
  void visit(Visit& visit) override {
    int i = 0;
    const int done[] = {0, (offer<Ts>(visit, i++), 0)...};
    (void)done;
  }

  Place place_;
};

}  // namespace internal

// ---- Assertions

class AssertionResult {
 public:
  explicit AssertionResult(bool ok) : ok_(ok) {}
  AssertionResult(const AssertionResult&) = default;
  template <class T>
  AssertionResult& operator<<(const T& value) {
    Message text;
    text << value;
    text_ += text.str();
    return *this;
  }
  explicit operator bool() const { return ok_; }
  AssertionResult operator!() const {
    AssertionResult negation(!ok_);
    negation.text_ = text_;
    return negation;
  }
  const char* message() const { return text_.c_str(); }
  const char* failure_message() const { return text_.c_str(); }

 private:
  bool ok_;
  std::string text_;
};
inline AssertionResult AssertionSuccess() { return AssertionResult(true); }
inline AssertionResult AssertionFailure() { return AssertionResult(false); }

class ScopedTrace {
 public:
  template <class T>
  ScopedTrace(const char*, int line, const T& text)
      : note_("trace of line " + std::to_string(line) + ": " + (Message() << text).str()) {}

 private:
  ::heddle_test::Note note_;
};

namespace internal {

template <class T>
Outcome truth(const char* macro, const char* text, bool wanted, const T& value) {
  if (static_cast<bool>(::heddle_test::held(value)) == wanted) return Outcome();
  return Outcome(::heddle_test::call(macro, text) + (wanted ? ": it is false" : ": it is true"));
}
inline Outcome truth(const char* macro, const char* text, bool wanted, const AssertionResult& value) {
  if (static_cast<bool>(value) == wanted) return Outcome();
  const std::string why = *value.message() != 0 ? std::string(", ") + value.message() : "";
  return Outcome(::heddle_test::call(macro, text) + (wanted ? ": it is false" : ": it is true") + why);
}

#define HEDDLE_TEST_COMPARISON(name, op, relation)                                                 \
  template <class A, class B>                                                                      \
  Outcome name(const char* macro, const char* a, const char* b, const A& first, const B& second) { \
    const auto& x = ::heddle_test::held(first);                                                    \
    const auto& y = ::heddle_test::held(second);                                                   \
    if (x op y) return Outcome();                                                                  \
    return ::heddle_test::differs(macro, a, b, x, relation, y);                                    \
  }
HEDDLE_TEST_COMPARISON(eq, ==, "is not")
HEDDLE_TEST_COMPARISON(ne, !=, "is equal to")
HEDDLE_TEST_COMPARISON(lt, <, "is not less than")
HEDDLE_TEST_COMPARISON(le, <=, "is not at most")
HEDDLE_TEST_COMPARISON(gt, >, "is not greater than")
HEDDLE_TEST_COMPARISON(ge, >=, "is not at least")
#undef HEDDLE_TEST_COMPARISON

inline bool same_text(const char* x, const char* y, bool any_case) {
  if (x == nullptr || y == nullptr) return x == y;
  return (any_case ? strcasecmp(x, y) : std::strcmp(x, y)) == 0;
}
inline Outcome texts(const char* macro, const char* a, const char* b, bool equal, bool any_case, const char* x,
                     const char* y) {
  if (same_text(x, y, any_case) == equal) return Outcome();
  return ::heddle_test::differs(macro, a, b, x, equal ? "is not" : "is equal to", y);
}

// At most four other numbers are between them.
template <class T, class Bits>
bool almost_equal(T x, T y) {
  if (std::isnan(x) || std::isnan(y)) return false;
  if (x == y) return true;
  if (std::signbit(x) != std::signbit(y)) {
    // Through zero.
    return almost_equal<T, Bits>(std::fabs(x), T(0)) && almost_equal<T, Bits>(T(0), std::fabs(y));
  }
  Bits p;
  Bits q;
  x = std::fabs(x);
  y = std::fabs(y);
  std::memcpy(&p, &x, sizeof p);
  std::memcpy(&q, &y, sizeof q);
  return (p < q ? q - p : p - q) <= 4;
}
template <class T, class Bits>
Outcome almost(const char* macro, const char* a, const char* b, T x, T y) {
  if (almost_equal<T, Bits>(x, y)) return Outcome();
  return ::heddle_test::differs(macro, a, b, x, "is not", y);
}
inline Outcome near(const char* macro, const char* a, const char* b, double x, double y, double bound) {
  if (x == y || std::fabs(x - y) <= bound) return Outcome();
  return Outcome(::heddle_test::call(macro, a, b) + ": " + ::heddle_test::printed(x) + " and " +
                 ::heddle_test::printed(y) + " differ by " + ::heddle_test::printed(std::fabs(x - y)) + ", more than " +
                 ::heddle_test::printed(bound));
}
template <class F, class... Ts>
Outcome predicate(const char* macro, const char* text, F f, const Ts&... values) {
  if (f(values...)) return Outcome();
  std::string with;
  const std::string shown[] = {::heddle_test::printed(values)...};
  for (const std::string& value : shown) with += (with.empty() ? "" : ", ") + value;
  return Outcome(::heddle_test::call(macro, text) + ": it is false with " + with);
}

struct Skip {
  void operator=(const Message& why) const { ::heddle_test::skip(why); }
};

}  // namespace internal

// ---- The program

inline void InitGoogleTest() {}
template <class Char>
void InitGoogleTest(int*, Char**) {}
inline Environment* AddGlobalTestEnvironment(Environment* environment) {
  internal::environments().push_back(environment);
  return environment;
}

}  // namespace testing

inline int RUN_ALL_TESTS() {
  ::heddle_test::run_all();
  return 0;
}

#define HEDDLE_TEST_PLACE(suite, name) \
  ::testing::internal::Place { #suite, #name, __FILE__, __LINE__ }
#define HEDDLE_TEST_MEMBERS(class_name) \
 public:                                \
  class_name() = default;               \
  static void heddle_suite_begins() {   \
    class_name::SetUpTestCase();        \
    class_name::SetUpTestSuite();       \
  }                                     \
  static void heddle_suite_ends() {     \
    class_name::TearDownTestSuite();    \
    class_name::TearDownTestCase();     \
  }                                     \
                                        \
 private:                               \
  void TestBody() override;

#define HEDDLE_TEST_CASE(suite, name, fixture)                                               \
  static_assert(sizeof(#suite) > 1 && sizeof(#name) > 1, "a test needs a suite and a name"); \
  class suite##_##name##_Test : public fixture {                                             \
    HEDDLE_TEST_MEMBERS(suite##_##name##_Test)                                               \
  };                                                                                         \
  static ::testing::internal::Plain<suite##_##name##_Test> heddle_test_of_##suite##_##name(  \
      HEDDLE_TEST_PLACE(suite, name));                                                       \
  void suite##_##name##_Test::TestBody()

#define GTEST_TEST(suite, name) HEDDLE_TEST_CASE(suite, name, ::testing::Test)
#define TEST(suite, name) GTEST_TEST(suite, name)
#define TEST_F(fixture, name) HEDDLE_TEST_CASE(fixture, name, fixture)

#define TEST_P(suite, name)                                                              \
  class suite##_##name##_Test : public suite {                                           \
    HEDDLE_TEST_MEMBERS(suite##_##name##_Test)                                           \
  };                                                                                     \
  static ::testing::internal::Pattern<suite> heddle_test_of_##suite##_##name(            \
      HEDDLE_TEST_PLACE(suite, name), &::testing::internal::run<suite##_##name##_Test>); \
  void suite##_##name##_Test::TestBody()
#define INSTANTIATE_TEST_SUITE_P(prefix, suite, ...)                                   \
  static ::testing::internal::Instantiation<suite> heddle_tests_of_##prefix##_##suite( \
      #prefix,                                                                         \
      [](::testing::internal::Instances<suite::ParamType>& heddle_instances) { heddle_instances.fill(__VA_ARGS__); })
#define INSTANTIATE_TEST_CASE_P INSTANTIATE_TEST_SUITE_P
#define GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite) \
  static const bool heddle_test_allows_##suite = ::testing::internal::Pattern<suite>::instantiated() = true

#define TYPED_TEST_SUITE(suite, ...) \
  typedef ::testing::internal::AsTypes<__VA_ARGS__>::type heddle_test_types_of_##suite
#define TYPED_TEST_CASE TYPED_TEST_SUITE
#define TYPED_TEST(suite, name)                                                          \
  template <class HeddleT>                                                               \
  class suite##_##name##_Test : public suite<HeddleT> {                                  \
    typedef suite<HeddleT> TestFixture;                                                  \
    typedef HeddleT TypeParam;                                                           \
    HEDDLE_TEST_MEMBERS(suite##_##name##_Test)                                           \
  };                                                                                     \
  static ::testing::internal::Typed<suite##_##name##_Test, heddle_test_types_of_##suite> \
      heddle_test_of_##suite##_##name(HEDDLE_TEST_PLACE(suite, name));                   \
  template <class HeddleT>                                                               \
  void suite##_##name##_Test<HeddleT>::TestBody()

#include "assertions.h"

#endif
