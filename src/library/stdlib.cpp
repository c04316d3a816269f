// The parts of stdlib.h and math.h that call back or write to the program's memory.
#include <cmath>
#include <cstdlib>

#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

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
      row("frexp", frexp_<double>),
      row("frexpf", frexp_<float>),
      row("modf", modf_<double>),
      row("modff", modf_<float>),
  };
  return table;
}

}  // namespace heddle::library
