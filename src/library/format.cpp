#include "library/format.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "library/checked.hpp"
#include "library/state.hpp"

namespace heddle::library {
namespace {

enum class Kind : uint8_t { none, integer, long_integer, real, long_real, pointer };

// A value that printf was given.
struct Argument {
  Kind kind = Kind::none;
  int i = 0;
  intmax_t l = 0;
  double d = 0;
  long double ld = 0;
  void* p = nullptr;
};

constexpr int kNone = -1;

// One conversion: %[flags][width][.precision][length]letter. Widths and precisions may be arguments.
struct Conversion {
  std::size_t start = 0, end = 0;  // in the format
  char flags[8] = {};
  int width = kNone, precision = kNone;
  int width_argument = kNone, precision_argument = kNone;  // positions among the arguments
  int argument = kNone;
  char length[3] = {};
  char letter = 0;

  bool is(const char* l) const { return std::strcmp(length, l) == 0; }
  bool is_wide() const { return is("l") || letter == 'S' || letter == 'C'; }
};

class Format {
 public:
  // Returns whether the format is one.
  bool parse(const char* text) {
    conversions_.clear();
    arguments_.clear();
    out_.clear();
    next_ = 0;
    valid_ = true;
    copy_string(text, kNoLimit, text_);
    for (std::size_t at = 0; text_[at] != '\0';) {
      if (text_[at] == '%') {
        at = parse_conversion(at);
      } else {
        ++at;
      }
    }
    return valid_;
  }

  std::optional<std::string_view> expand(va_list& list) {
    for (Argument& a : arguments_) fetch(a, list);
    std::size_t at = 0;
    for (const Conversion& c : conversions_) {
      HEDDLE_ASSERT(at <= c.start && c.start < c.end && c.end < text_.size());
      append(&text_[at], c.start - at);
      if (!convert(c)) return {};
      at = c.end;
    }
    append(&text_[at], text_.size() - 1 - at);
    if (out_.size() > INT_MAX) return {};
    return std::string_view(out_.data(), out_.size());
  }

 private:
  std::size_t number(std::size_t at, int& value) const {
    value = 0;
    while (text_[at] >= '0' && text_[at] <= '9') value = std::min(value, INT_MAX / 10 - 10) * 10 + (text_[at++] - '0');
    return at;
  }
  // The n of "n$", which numbers an argument from 1.
  bool position(std::size_t& at, int& which) const {
    int n = 0;
    const std::size_t after = number(at, n);
    if (n == 0 || text_[after] != '$') return false;
    which = n - 1;
    at = after + 1;
    return true;
  }
  int next_argument(Kind kind, int which) {
    if (which == kNone) which = next_++;
    if (static_cast<std::size_t>(which) >= arguments_.size()) arguments_.resize(static_cast<std::size_t>(which) + 1);
    arguments_[static_cast<std::size_t>(which)].kind = kind;
    return which;
  }
  // A width or a precision.
  std::size_t measure(std::size_t at, int& value, int& argument) {
    if (text_[at] != '*') return number(at, value);
    int which = kNone;
    position(++at, which);
    argument = next_argument(Kind::integer, which);
    return at;
  }

  std::size_t parse_conversion(std::size_t at) {
    Conversion c;
    c.start = at++;
    int which = kNone;
    position(at, which);
    while (text_[at] != '\0' && std::strchr("-+ #0'I", text_[at]) != nullptr) {
      const std::size_t n = std::strlen(c.flags);
      if (std::strchr(c.flags, text_[at]) == nullptr && n + 1 < sizeof c.flags) c.flags[n] = text_[at];
      ++at;
    }
    if (text_[at] == '*' || (text_[at] >= '1' && text_[at] <= '9')) at = measure(at, c.width, c.width_argument);
    if (text_[at] == '.') at = measure(at + 1, c.precision, c.precision_argument);
    for (int i = 0; i < 2 && text_[at] != '\0' && std::strchr("hlqjztLZ", text_[at]) != nullptr; ++i)
      c.length[i] = text_[at++];
    c.letter = text_[at];
    if (c.letter == '\0') {
      valid_ = false;
      return at;
    }
    c.end = at + 1;
    c.argument = argument_of(c, which);
    conversions_.push_back(c);
    return c.end;
  }

  int argument_of(const Conversion& c, int which) {
    const bool wide =
        c.is("l") || c.is("ll") || c.is("q") || c.is("j") || c.is("z") || c.is("Z") || c.is("t") || c.is("L");
    switch (c.letter) {
      case '%':
      case 'm': return kNone;
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X': return next_argument(wide ? Kind::long_integer : Kind::integer, which);
      case 'c':
      case 'C': return next_argument(Kind::integer, which);
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': return next_argument(c.is("L") ? Kind::long_real : Kind::real, which);
      case 's':
      case 'S':
      case 'p':
      case 'n': return next_argument(Kind::pointer, which);
      default: valid_ = false; return kNone;
    }
  }

  static void fetch(Argument& a, va_list& list) {
    switch (a.kind) {
      case Kind::none:  // a number that no conversion names; it has the size of a register
      case Kind::integer: a.i = va_arg(list, int); break;
      case Kind::long_integer: a.l = va_arg(list, intmax_t); break;
      case Kind::real: a.d = va_arg(list, double); break;
      case Kind::long_real: a.ld = va_arg(list, long double); break;
      case Kind::pointer: a.p = va_arg(list, void*); break;
    }
  }

  void append(const char* from, std::size_t n) { out_.insert(out_.end(), from, from + n); }

  const Argument& argument(int which) const {
    HEDDLE_ASSERT(which >= 0 && static_cast<std::size_t>(which) < arguments_.size());
    return arguments_[static_cast<std::size_t>(which)];
  }

  bool convert(Conversion c) {
    if (c.letter == '%') {
      append("%", 1);
      return true;
    }
    if (c.width_argument != kNone) {
      c.width = argument(c.width_argument).i;
      if (c.width < 0) {
        std::strcat(c.flags,
                    std::strchr(c.flags, '-') == nullptr && std::strlen(c.flags) + 1 < sizeof c.flags ? "-" : "");
        c.width = c.width == INT_MIN ? INT_MAX : -c.width;
      }
    }
    if (c.precision_argument != kNone) c.precision = std::max(argument(c.precision_argument).i, kNone);
    if (c.letter == 'm') return print(c, "s", static_cast<const char*>(std::strerror(error_number())));
    const Argument& a = argument(c.argument);
    switch (c.letter) {
      case 'n': return count(c, a.p), true;
      case 's':
      case 'S': return c.is_wide() ? wide_string(c, a.p) : string(c, a.p);
      case 'p': return print(c, "p", a.p);
      case 'c':
      case 'C': return c.is_wide() ? print(c, "lc", static_cast<wint_t>(a.i)) : print(c, "c", a.i);
      default: break;
    }
    char letters[4] = {};
    std::strcpy(letters, a.kind == Kind::long_integer ? "j"
                         : a.kind == Kind::long_real  ? "L"
                         : a.kind == Kind::real       ? ""
                                                      : c.length);
    letters[std::strlen(letters)] = c.letter;
    switch (a.kind) {
      case Kind::long_integer: return print(c, letters, a.l);
      case Kind::long_real: return print(c, letters, a.ld);
      case Kind::real: return print(c, letters, a.d);
      default: return print(c, letters, a.i);
    }
  }

  template <typename T>
  bool print(const Conversion& c, const char* letters, T value) {
    char one[32];
    std::snprintf(one, sizeof one, "%%%s%s%s%s", c.flags, c.width == kNone ? "" : "*", c.precision == kNone ? "" : ".*",
                  letters);
    const auto go = [&](char* to, std::size_t size) {
      if (c.width != kNone && c.precision != kNone) return std::snprintf(to, size, one, c.width, c.precision, value);
      if (c.width != kNone) return std::snprintf(to, size, one, c.width, value);
      if (c.precision != kNone) return std::snprintf(to, size, one, c.precision, value);
      return std::snprintf(to, size, one, value);
    };
    char small[128];
    const int n = go(small, sizeof small);
    if (n < 0) return false;
    const auto length = static_cast<std::size_t>(n);
    if (length < sizeof small) {
      append(small, length);
    } else {
      HostVector<char> large(length + 1);
      go(large.data(), large.size());
      append(large.data(), length);
    }
    return true;
  }

  // A precision is the number of bytes that may be read.
  bool string(const Conversion& c, const void* p) {
    if (p == nullptr) return print(c, "s", static_cast<const char*>(nullptr));
    const std::size_t limit = c.precision == kNone ? kNoLimit : static_cast<std::size_t>(c.precision);
    return print(c, "s", copy_string(static_cast<const char*>(p), limit));
  }
  bool wide_string(const Conversion& c, const void* p) {
    if (p == nullptr) return print(c, "ls", static_cast<const wchar_t*>(nullptr));
    const std::size_t limit = c.precision == kNone ? kNoLimit : static_cast<std::size_t>(c.precision);
    return print(c, "ls", copy_wide_string(static_cast<const wchar_t*>(p), limit));
  }

  void count(const Conversion& c, void* p) {
    const std::size_t n = out_.size();
    if (c.is("hh")) return plain_put(static_cast<signed char*>(p), static_cast<signed char>(n));
    if (c.is("h")) return plain_put(static_cast<short*>(p), static_cast<short>(n));
    if (c.is("")) return plain_put(static_cast<int*>(p), static_cast<int>(n));
    plain_put(static_cast<int64_t*>(p), static_cast<int64_t>(n));
  }

  HostVector<char> text_;
  HostVector<Conversion> conversions_;
  HostVector<Argument> arguments_;
  HostVector<char> out_;
  int next_ = 0;
  bool valid_ = true;
};

PerThread<Format> formats;

}  // namespace

Arguments::Arguments(const void* of_program) { plain_read(address(of_program), &list, sizeof list); }

std::optional<std::string_view> format(const char* text, va_list arguments) {
  HEDDLE_ASSERT(rt.current->pinned != 0);  // a Format is half filled while the text is read
  Format& f = formats[rt.current->id];
  if (!f.parse(text)) return {};
  va_list list;
  va_copy(list, arguments);
  const auto result = f.expand(list);
  va_end(list);
  return result;
}

}  // namespace heddle::library
