#include "library/tests.hpp"

#include "library/checked.hpp"
#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

// Of this process: nothing that an execution could see changes.
struct TestState {
  long chosen = kNoTest;
  std::vector<TestCase> found;
  bool skipped = false;
  std::string reason;
};
TestState& test_state() {
  static auto* const state = new TestState;
  return *state;
}

// The program may be run more than once while it tells of its tests.
long test_chosen() {
  HostScope scope;
  test_state().found.clear();
  return test_state().chosen;
}

void test_found(const char* name, const char* file, int line, int hidden) {
  const char* const text = copy_string(name);
  HostScope scope;
  test_state().found.push_back({text, file, line, hidden != 0});  // the file is a literal
}

void test_fail(const char* message) {
  const char* const text = copy_string(message);
  HostScope scope;
  fail(ErrorKind::assertion, text);
}

void test_skip(const char* why) {
  const char* const text = copy_string(why);
  HostScope scope;
  test_state().skipped = true;
  test_state().reason = text;
}

}  // namespace

void choose_test(long number) { test_state().chosen = number; }
std::vector<TestCase> found_tests() { return test_state().found; }
bool was_skipped() { return test_state().skipped; }
std::string skip_reason() { return test_state().reason; }

std::span<const Row> test_functions() {
  static const Row table[] = {
      row("heddle_test_chosen", test_chosen, kNoSideEffects),
      row("heddle_test_found", test_found),
      row("heddle_test_fail", test_fail),
      row("heddle_test_skip", test_skip),
  };
  return table;
}

}  // namespace heddle::library
