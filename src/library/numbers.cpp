// Numbers in text: stdlib.h and wchar.h. The text is read by checked accesses, as far as the number goes, and then
// parsed by the C library from a private copy.
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cwchar>

#include "library/checked.hpp"
#include "library/table.hpp"

namespace heddle::library {
namespace {

unsigned get(const char* p) { return get_byte(p, 0); }
unsigned get(const wchar_t* p) { return static_cast<unsigned>(plain_get(p)); }
HostVector<char>& copy_of(const char*) { return copies[rt.current->id].text; }
HostVector<wchar_t>& copy_of(const wchar_t*) { return copies[rt.current->id].wide; }

// Copies a number character by character. What cannot belong to it is looked at, and ends it: nothing is read beyond.
template <typename C>
class NumberCopy {
 public:
  explicit NumberCopy(const C* text) : text_(text), to_(copy_of(text)) {
    HEDDLE_ASSERT(rt.current->pinned != 0);
    to_.clear();
    look();
    while (c_ == ' ' || (c_ >= '\t' && c_ <= '\r')) take();
    if (c_ == '+' || c_ == '-') take();
  }

  const C* whole(int radix) {
    if (c_ == '0' && (radix == 0 || radix == 16)) {
      take();
      if (lower() == 'x') {
        take();
        radix = 16;
      } else if (radix == 0) {
        radix = 8;
      }
    }
    digits(radix == 0 ? 10 : radix);
    return end();
  }

  const C* real() {
    if (lower() == 'i') return word("infinity"), end();
    if (lower() == 'n') return not_a_number(), end();
    bool hex = false;
    if (c_ == '0') {
      take();
      hex = lower() == 'x';
      if (hex) take();
    }
    digits(hex ? 16 : 10);
    if (c_ == '.') take();
    digits(hex ? 16 : 10);
    if (lower() == (hex ? 'p' : 'e')) {
      take();
      if (c_ == '+' || c_ == '-') take();
      digits(10);
    }
    return end();
  }

 private:
  void look() { c_ = get(text_); }
  void take() {
    to_.push_back(static_cast<C>(c_));
    ++text_;
    look();
  }
  unsigned lower() const { return c_ >= 'A' && c_ <= 'Z' ? c_ - 'A' + 'a' : c_; }
  int digit() const {
    if (c_ >= '0' && c_ <= '9') return static_cast<int>(c_ - '0');
    return lower() >= 'a' && lower() <= 'z' ? static_cast<int>(lower() - 'a') + 10 : 99;
  }
  void digits(int radix) {
    while (digit() < radix) take();
  }
  bool word(const char* letters) {
    while (*letters != '\0' && lower() == static_cast<unsigned char>(*letters)) {
      take();
      ++letters;
    }
    return *letters == '\0';
  }
  void not_a_number() {
    if (!word("nan") || c_ != '(') return;
    take();
    while (digit() < 36 || c_ == '_') take();
    if (c_ == ')') take();
  }
  const C* end() {
    to_.push_back(0);
    return to_.data();
  }

  const C* text_;
  HostVector<C>& to_;
  unsigned c_ = 0;
};

// Where the number ends is the program's to know.
template <typename C>
void tell_end(C** end, const C* text, std::ptrdiff_t length) {
  if (end != nullptr) plain_put(end, const_cast<C*>(text) + length);
}
template <typename T, typename C, T (*function)(const C*, C**, int)>
T whole(const C* text, C** end, int radix) {
  if (radix < 0 || radix == 1 || radix > 36) {  // the real function may leave the end as it is
    errno = EINVAL;
    tell_end(end, text, 0);
    return 0;
  }
  const Pinned pinned;
  const C* const copy = NumberCopy<C>(text).whole(radix);
  C* stop = nullptr;
  const T value = function(copy, &stop, radix);
  HEDDLE_ASSERT(stop >= copy && static_cast<std::size_t>(stop - copy) < copy_of(text).size());
  tell_end(end, text, stop - copy);
  return value;
}
template <typename T, typename C, T (*function)(const C*, C**)>
T real(const C* text, C** end) {
  const Pinned pinned;
  const C* const copy = NumberCopy<C>(text).real();
  C* stop = nullptr;
  const T value = function(copy, &stop);
  HEDDLE_ASSERT(stop >= copy && static_cast<std::size_t>(stop - copy) < copy_of(text).size());
  tell_end(end, text, stop - copy);
  return value;
}

int atoi_(const char* text) { return static_cast<int>(whole<long, char, std::strtol>(text, nullptr, 10)); }
long atol_(const char* text) { return whole<long, char, std::strtol>(text, nullptr, 10); }
double atof_(const char* text) { return real<double, char, std::strtod>(text, nullptr); }

template <typename T, T (*function)(const char*)>
T not_a_number(const char* text) {
  const Pinned pinned;
  return function(copy_string(text));
}

}  // namespace

std::span<const Row> number_functions() {
  constexpr auto kTol = whole<long, char, std::strtol>;
  constexpr auto kToul = whole<unsigned long, char, std::strtoul>;
  constexpr auto kTowl = whole<long, wchar_t, std::wcstol>;
  constexpr auto kTowul = whole<unsigned long, wchar_t, std::wcstoul>;
  static const Row table[] = {
      row("strtol", kTol),
      row("strtoll", kTol),
      row("strtoimax", kTol),
      row("__isoc23_strtol", kTol),
      row("__isoc23_strtoll", kTol),
      row("strtoul", kToul),
      row("strtoull", kToul),
      row("strtoumax", kToul),
      row("__isoc23_strtoul", kToul),
      row("__isoc23_strtoull", kToul),
      row("strtod", real<double, char, std::strtod>),
      row("strtof", real<float, char, std::strtof>),
      row("strtold", real<long double, char, std::strtold>),
      row("atoi", atoi_),
      row("atol", atol_),
      row("atoll", atol_),
      row("atof", atof_),
      row("nan", not_a_number<double, std::nan>),
      row("nanf", not_a_number<float, std::nanf>),
      row("nanl", not_a_number<long double, std::nanl>),
      row("wcstol", kTowl),
      row("wcstoll", kTowl),
      row("wcstoul", kTowul),
      row("wcstoull", kTowul),
      row("wcstod", real<double, wchar_t, std::wcstod>),
      row("wcstof", real<float, wchar_t, std::wcstof>),
      row("wcstold", real<long double, wchar_t, std::wcstold>),
  };
  return table;
}

}  // namespace heddle::library
