// The parts of stdlib.h and math.h that call back or write to the program's memory.
#include <cmath>
#include <cstdlib>

#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

// The comparison is the program's and checks its own accesses; the moves count as a write of the whole array.
void qsort_(void* start, std::size_t count, std::size_t size, int (*compare)(const void*, const void*)) {
  const std::size_t bytes = count * size;
  if (bytes == 0) return;
  plain_copy(address(start), address(start), bytes);
  std::qsort(start, count, size, compare);
}

// Numbers in text. The text is read by the library; the end pointer is the program's memory.
template <typename T, T (*function)(const char*, char**, int)>
T parse(const char* text, char** end, int radix) {
  char* stop = nullptr;
  abi::__heddle_plain_load1(text, static_cast<uint32_t>(rt.site));
  const T value = function(text, &stop, radix);
  if (end != nullptr) plain_put(end, stop);
  return value;
}
template <typename T, T (*function)(const char*, char**)>
T parse_float(const char* text, char** end) {
  char* stop = nullptr;
  abi::__heddle_plain_load1(text, static_cast<uint32_t>(rt.site));
  const T value = function(text, &stop);
  if (end != nullptr) plain_put(end, stop);
  return value;
}

template <typename T>
T frexp_(T x, int* exponent) {
  int e = 0;
  const T fraction = std::frexp(x, &e);
  plain_put(exponent, e);
  return fraction;
}
template <typename T>
T modf_(T x, T* whole) {
  T w = 0;
  const T fraction = std::modf(x, &w);
  plain_put(whole, w);
  return fraction;
}

}  // namespace

std::span<const Row> stdlib_functions() {
  static const Row table[] = {
      row("qsort", qsort_),
      row("frexp", frexp_<double>),
      row("frexpf", frexp_<float>),
      row("modf", modf_<double>),
      row("modff", modf_<float>),
      row("strtol", parse<long, std::strtol>),
      row("__isoc23_strtol", parse<long, std::strtol>),
      row("strtoul", parse<unsigned long, std::strtoul>),
      row("strtoll", parse<long long, std::strtoll>),
      row("strtoull", parse<unsigned long long, std::strtoull>),
      row("strtod", parse_float<double, std::strtod>),
      row("strtof", parse_float<float, std::strtof>),
      row("strtold", parse_float<long double, std::strtold>),
  };
  return table;
}

}  // namespace heddle::library
