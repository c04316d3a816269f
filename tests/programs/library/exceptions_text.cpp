// The exceptions of the standard library, their texts, and std::exception_ptr.
// $ heddle check exceptions_text.cpp => verified, 1 executions
// $ heddle check exceptions_text.cpp -- -DUNCAUGHT => error exception, "uncaught exception of type std::invalid_argument: stoi"
// $ heddle check exceptions_text.cpp -- -DFREED => error memory here
#include <any>
#include <cassert>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

template <typename E, typename F>
std::string text_of(F f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  return "none";
}

int main() {
  const std::vector<int> v{1, 2};
  assert(text_of<std::out_of_range>([&] { (void)v.at(2); }) ==
         "vector::_M_range_check: __n (which is 2) >= this->size() (which is 2)");
  assert(text_of<std::logic_error>([&] { (void)std::string("ab").substr(3); }) ==
         "basic_string::substr: __pos (which is 3) > this->size() (which is 2)");
  assert(text_of<std::length_error>([&] { std::vector<int>(SIZE_MAX / 2); }) ==
         "cannot create std::vector larger than max_size()");
  assert(text_of<std::bad_function_call>([] { std::function<void()>()(); }) == "bad_function_call");
  assert(text_of<std::bad_weak_ptr>([] { std::shared_ptr<int>(std::weak_ptr<int>()); }) == "bad_weak_ptr");
  assert(text_of<std::bad_optional_access>([] { (void)std::optional<int>().value(); }) == "bad optional access");
  assert(text_of<std::bad_any_cast>([] { (void)std::any_cast<int>(std::any(1.5)); }) == "bad any_cast");
  assert(text_of<std::bad_variant_access>([] { (void)std::get<int>(std::variant<char, int>('a')); }) ==
         "std::get: wrong index for variant");
  assert(text_of<std::invalid_argument>([] { (void)std::stoi("x"); }) == "stoi");
  assert(text_of<std::out_of_range>([] { (void)std::stoi("99999999999"); }) == "stoi");
  assert(text_of<std::system_error>([] { throw std::system_error(std::make_error_code(std::errc::invalid_argument), "here"); }) ==
         "here: Invalid argument");
  assert(std::stoi("12") == 12 && std::stod("1.5") == 1.5 && std::to_string(-3) == "-3" && std::to_string(0.5) == "0.500000");

  // Copies have the text of their own.
  std::runtime_error a("one");
  std::runtime_error b(a);
  std::runtime_error c("three");
  c = a;
  a = std::runtime_error("two");
  assert(std::strcmp(b.what(), "one") == 0 && std::strcmp(c.what(), "one") == 0 && std::strcmp(a.what(), "two") == 0);

  std::exception_ptr kept;
  try {
    throw std::domain_error("kept");
  } catch (...) {
    kept = std::current_exception();
  }
  assert(kept && text_of<std::domain_error>([&] { std::rethrow_exception(kept); }) == "kept");
  assert(text_of<std::logic_error>([] { std::rethrow_exception(std::make_exception_ptr(std::logic_error("made"))); }) ==
         "made");
  kept = nullptr;
  assert(!std::current_exception());
  try {
    try {
      throw 1;
    } catch (int) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::exception& e) {
    int inner = 0;
    try {
      std::rethrow_if_nested(e);
    } catch (int i) {
      inner = i;
    }
    assert(inner == 1);
  }
#ifdef UNCAUGHT
  (void)std::stoi("none");
#endif
#ifdef FREED
  auto* const gone = new std::runtime_error("gone");
  const char* const text = gone->what();
  delete gone;
  return text[0] == 'x';  // here
#endif
  return 0;
}
