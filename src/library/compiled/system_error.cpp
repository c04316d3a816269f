// Error codes and the exceptions that carry them.
#include <cstring>
#include <ios>
#include <string>
#include <system_error>

namespace std {
inline namespace _V2 {

error_category::~error_category() = default;

__cow_string error_category::_M_message(int value) const {
  const string text = message(value);
  return {text.c_str(), text.length()};
}

error_condition error_category::default_error_condition(int value) const noexcept { return {value, *this}; }

bool error_category::equivalent(int value, const error_condition& condition) const noexcept {
  return default_error_condition(value) == condition;
}

bool error_category::equivalent(const error_code& code, int value) const noexcept {
  return *this == code.category() && code.value() == value;
}

namespace {

struct Generic final : error_category {
  const char* name() const noexcept override { return "generic"; }
  string message(int value) const override { return strerror(value); }
};

// The codes of the system are those of errno.h.
struct System final : error_category {
  const char* name() const noexcept override { return "system"; }
  string message(int value) const override { return strerror(value); }
  error_condition default_error_condition(int value) const noexcept override { return {value, generic_category()}; }
};

struct Streams final : error_category {
  const char* name() const noexcept override { return "iostream"; }
  string message(int value) const override {
    return value == static_cast<int>(io_errc::stream) ? "iostream error" : "Unknown error";
  }
};

}  // namespace
}  // namespace _V2
}  // namespace std

// One object each, whatever part of this file is linked.
[[clang::no_destroy]] constinit const std::Generic heddle_generic_category;
[[clang::no_destroy]] constinit const std::System heddle_system_category;
[[clang::no_destroy]] constinit const std::Streams heddle_iostream_category;

namespace std {
inline namespace _V2 {

const error_category& generic_category() noexcept { return heddle_generic_category; }
const error_category& system_category() noexcept { return heddle_system_category; }

}  // namespace _V2

const error_category& iostream_category() noexcept { return heddle_iostream_category; }

error_condition error_code::default_error_condition() const noexcept {
  return category().default_error_condition(value());
}

system_error::~system_error() noexcept = default;

ios_base::failure::failure(const string& text) : system_error(io_errc::stream, text) {}
ios_base::failure::failure(const string& text, const error_code& code) : system_error(code, text) {}
ios_base::failure::failure(const char* text, const error_code& code) : system_error(code, text) {}
ios_base::failure::~failure() throw() = default;
const char* ios_base::failure::what() const throw() { return runtime_error::what(); }

void __throw_system_error(int code) { throw system_error(error_code(code, generic_category())); }
void __throw_ios_failure(const char* text) { throw ios_base::failure(text); }
void __throw_ios_failure(const char* text, int code) {
  throw ios_base::failure(text, code != 0 ? error_code(code, system_category()) : io_errc::stream);
}

}  // namespace std
