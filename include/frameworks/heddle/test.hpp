// What heddle's own gtest.h and catch.hpp share: the tests of a program, how a value is printed, what a failure says.
// `heddle test` runs the program once to hear the names of its tests, and then each test on its own, in every way that
// the memory model allows. The first assertion that fails ends the execution: there is no telling what comes after it.
#ifndef HEDDLE_TEST_HPP
#define HEDDLE_TEST_HPP
#pragma GCC system_header

#ifndef __HEDDLE__
#error "this header is for `heddle test`: let a compiler find the one of the test framework"
#endif

#include <atomic>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

extern "C" {
long heddle_test_chosen(void);  // the number of the test to run; -1: tell the names of all
void heddle_test_found(const char* name, const char* file, int line, int hidden);
[[noreturn]] void heddle_test_fail(const char* message);
void heddle_test_skip(const char* why);
}

namespace heddle_test {

// ---- The tests of the program

// Goes through all tests in order.
class Visit {
 public:
  explicit Visit(long chosen) : chosen_(chosen) {}
  bool listing() const { return chosen_ < 0; }
  void found(const std::string& name, const char* file, int line, bool hidden = false) const {
    heddle_test_found(name.c_str(), file, line, hidden ? 1 : 0);
  }
  // Whether the next test is the one to run.
  bool takes_next() { return next_++ == chosen_; }

 private:
  long chosen_;
  long next_ = 0;
};

// One test or several. Each is a global object.
struct Source {
  Source() {
    *last() = this;
    last() = &next;
  }
  virtual void visit(Visit& visit) = 0;

  Source* next = nullptr;

  static Source*& first() {
    static Source* source = nullptr;
    return source;
  }
  static Source**& last() {
    static Source** end = &first();
    return end;
  }

 protected:
  ~Source() = default;
};

inline void run_all() {
  Visit visit(heddle_test_chosen());
  for (Source* source = Source::first(); source != nullptr; source = source->next) source->visit(visit);
}

// Whether this execution has skipped its test.
inline bool& skipped() {
  static bool is = false;
  return is;
}

// ---- Values in text

template <int N>
struct Rank : Rank<N - 1> {};
template <>
struct Rank<0> {};

template <class T>
void print(std::ostream& out, const T& value);

inline void print_quoted(std::ostream& out, const char* text) {
  if (text == nullptr) {
    out << "null";
  } else {
    out << '"' << text << '"';
  }
}
template <class T>
auto print_as(std::ostream& out, const T& value, Rank<5>) ->
    typename std::enable_if<std::is_convertible<const T&, const char*>::value>::type {
  print_quoted(out, value);
}
template <class T>
auto print_as(std::ostream& out, const T& value, Rank<5>) ->
    typename std::enable_if<std::is_same<T, std::string>::value>::type {
  out << '"' << value << '"';
}
template <class T>
auto print_as(std::ostream& out, const T& value, Rank<5>) ->
    typename std::enable_if<std::is_same<T, bool>::value>::type {
  out << (value ? "true" : "false");
}
template <class T>
auto print_as(std::ostream& out, const T& value, Rank<5>) ->
    typename std::enable_if<std::is_same<T, char>::value || std::is_same<T, signed char>::value ||
                            std::is_same<T, unsigned char>::value>::type {
  if (value >= ' ' && value < 127) {
    out << '\'' << static_cast<char>(value) << '\'';
  } else {
    out << static_cast<int>(value);
  }
}
template <class T>
auto print_as(std::ostream& out, const T&, Rank<6>) ->
    typename std::enable_if<std::is_same<T, std::nullptr_t>::value>::type {
  out << "nullptr";
}
// GoogleTest's way to print a type.
template <class T>
auto print_as(std::ostream& out, const T& value, Rank<4>) -> decltype(PrintTo(value, &out), void()) {
  PrintTo(value, &out);
}
template <class T>
auto print_as(std::ostream& out, const T& value, Rank<3>) -> decltype(void(out << value)) {
  out << value;
}
template <class T>
auto print_as(std::ostream& out, const T& value, Rank<2>) -> decltype(void(value.begin() != value.end())) {
  const char* before = "{";
  for (const auto& element : value) {
    out << before;
    print(out, element);
    before = ", ";
  }
  out << (*before == '{' ? "{}" : "}");
}
template <class T>
auto print_as(std::ostream& out, const T& value, Rank<2>) -> decltype(void(value.first), void(value.second)) {
  out << '(';
  print(out, value.first);
  out << ", ";
  print(out, value.second);
  out << ')';
}
template <class T>
auto print_as(std::ostream& out, const T& value, Rank<1>) -> typename std::enable_if<std::is_enum<T>::value>::type {
  out << +static_cast<typename std::underlying_type<T>::type>(value);
}
template <class T>
void print_as(std::ostream& out, const T&, Rank<0>) {
  out << "a value of " << sizeof(T) << " bytes";
}
template <class T>
void print(std::ostream& out, const T& value) {
  print_as(out, value, Rank<6>());
}

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  print(out, value);
  return out.str();
}

// An atomic is read once: what is compared is what is printed.
template <class T>
const T& held(const T& value) {
  return value;
}
template <class T>
T held(const std::atomic<T>& value) {
  return value.load();
}

// ---- Failures

// What is said with a failure of this thread that happens while the object lives.
class Note {
 public:
  explicit Note(std::string text) : text_(std::move(text)), outer_(innermost()) { innermost() = this; }
  ~Note() { innermost() = outer_; }
  Note(const Note&) = delete;
  Note& operator=(const Note&) = delete;

  static std::string all() {
    std::string text;
    for (const Note* note = innermost(); note != nullptr; note = note->outer_) text += "; " + note->text_;
    return text;
  }

 private:
  static Note*& innermost() {
    static thread_local Note* note = nullptr;
    return note;
  }

  std::string text_;
  Note* outer_;
};

// Text that is put together with <<.
class Message {
 public:
  Message() = default;
  Message(const Message& other) { out_ << other.str(); }
  explicit Message(const char* text) { out_ << text; }
  Message& operator=(const Message&) = delete;

  template <class T>
  Message& operator<<(const T& value) {
    put(value);
    return *this;
  }
  Message& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    out_ << manipulator;
    return *this;
  }
  std::string str() const { return out_.str(); }
  std::string GetString() const { return out_.str(); }

 private:
  void put(bool value) { out_ << (value ? "true" : "false"); }
  template <class T>
  void put(T* value) {
    if (value == nullptr) {
      out_ << "(null)";
    } else {
      out_ << value;
    }
  }
  template <class T>
  typename std::enable_if<!std::is_same<T, bool>::value>::type put(const T& value) {
    out_ << value;
  }

  std::ostringstream out_;
};
inline std::ostream& operator<<(std::ostream& out, const Message& message) { return out << message.str(); }

// Of an assertion: true, or what is wrong. The execution ends with it, so the text need not be freed.
class Outcome {
 public:
  Outcome() = default;
  explicit Outcome(const std::string& wrong) : wrong_(new std::string(wrong)) {}
  explicit operator bool() const { return wrong_ == nullptr; }
  const std::string& wrong() const { return *wrong_; }

 private:
  const std::string* wrong_ = nullptr;
};

inline std::string call(const char* macro, const char* arguments) { return std::string(macro) + "(" + arguments + ")"; }
inline std::string call(const char* macro, const char* first, const char* second) {
  return std::string(macro) + "(" + first + ", " + second + ")";
}

// A failure; it is told in the user's line. What is assigned is told with it.
class Failure {
 public:
  explicit Failure(const Outcome& outcome) : text_(outcome.wrong()) {}
  explicit Failure(const char* text) : text_(text) {}
  [[noreturn]] __attribute__((always_inline)) void operator=(const Message& message) const {
    heddle_test_fail(whole(message));
  }
  [[noreturn]] __attribute__((always_inline)) void tell() const { heddle_test_fail(whole(Message())); }

 private:
  const char* whole(const Message& message) const {
    const std::string said = message.str();
    return (new std::string(text_ + (said.empty() ? "" : "; " + said) + Note::all()))->c_str();
  }

  std::string text_;
};
struct Nothing {
  void operator=(const Message&) const {}
};

inline void skip(const Message& why) {
  skipped() = true;
  heddle_test_skip(why.str().c_str());
}

template <class A, class B>
Outcome differs(const char* macro, const char* a, const char* b, const A& x, const char* relation, const B& y) {
  return Outcome(call(macro, a, b) + ": " + printed(x) + " " + relation + " " + printed(y));
}

// What the exception that is being handled has to say.
inline std::string current_exception_text() {
  try {
    throw;
  } catch (const std::exception& e) {
    return std::string("an exception: ") + e.what();
  } catch (...) {
    return "an exception";
  }
}

}  // namespace heddle_test

extern "C" __attribute__((used)) inline int heddle_test_main(void) {
  heddle_test::run_all();
  return 0;
}

// An assertion in one statement, to which a message may be streamed. Within the switch an `if` before it and an `else`
// after it have nothing to do with this one.
#define HEDDLE_TEST_ASSERT(...)                                             \
  switch (0)                                                                \
  case 0:                                                                   \
  default:                                                                  \
    if (const ::heddle_test::Outcome heddle_test_outcome = (__VA_ARGS__)) { \
    } else                                                                  \
      ::heddle_test::Failure{heddle_test_outcome} = ::heddle_test::Message()

#define HEDDLE_TEST_THROWS(macro, statement, type, ...)                                                        \
  [&]() -> ::heddle_test::Outcome {                                                                            \
    try {                                                                                                      \
      statement;                                                                                               \
    } catch (type const&) {                                                                                    \
      return ::heddle_test::Outcome();                                                                         \
    } catch (...) {                                                                                            \
      return ::heddle_test::Outcome(::heddle_test::call(macro, __VA_ARGS__) + ": it threw another exception"); \
    }                                                                                                          \
    return ::heddle_test::Outcome(::heddle_test::call(macro, __VA_ARGS__) + ": it threw nothing");             \
  }()
#define HEDDLE_TEST_THROWS_ANY(macro, statement)                                                  \
  [&]() -> ::heddle_test::Outcome {                                                               \
    try {                                                                                         \
      statement;                                                                                  \
    } catch (...) {                                                                               \
      return ::heddle_test::Outcome();                                                            \
    }                                                                                             \
    return ::heddle_test::Outcome(::heddle_test::call(macro, #statement) + ": it threw nothing"); \
  }()
#define HEDDLE_TEST_THROWS_NOTHING(macro, statement)                                         \
  [&]() -> ::heddle_test::Outcome {                                                          \
    try {                                                                                    \
      statement;                                                                             \
    } catch (...) {                                                                          \
      return ::heddle_test::Outcome(::heddle_test::call(macro, #statement) + ": it threw " + \
                                    ::heddle_test::current_exception_text());                \
    }                                                                                        \
    return ::heddle_test::Outcome();                                                         \
  }()

#define HEDDLE_TEST_JOIN(a, b) HEDDLE_TEST_JOIN_(a, b)
#define HEDDLE_TEST_JOIN_(a, b) a##b

#endif
