// What the streams of a program (compiled/streams.cpp) take from heddle's process: the "C" locale, which is constant.
#include <cstring>
#include <locale>

#include "library/table.hpp"
#include "native/host.hpp"

namespace heddle::library {
namespace {

const std::ctype<char>* classic_ctype() {
  HostScope scope;
  const auto& kinds = std::use_facet<std::ctype<char>>(std::locale::classic());
  kinds.widen('a');  // fills its table; from now on it is only read
  kinds.narrow('a', ' ');
  return &kinds;
}

const void* classic_locale() {
  HostScope scope;
  const void* impl = nullptr;
  std::memcpy(&impl, static_cast<const void*>(&std::locale::classic()), sizeof impl);
  return impl;
}

const void* classic_numpunct() {
  HostScope scope;
  return std::__use_cache<std::__numpunct_cache<char>>()(std::locale::classic());
}

void* use_locale(void*) { return nullptr; }

}  // namespace

std::span<const Row> stream_functions() {
  static const Row table[] = {
      row("__heddle_classic_ctype", classic_ctype),
      row("__heddle_classic_locale", classic_locale),
      row("__heddle_classic_numpunct", classic_numpunct),
      row("__uselocale", use_locale),
      row("uselocale", use_locale),
  };
  return table;
}

}  // namespace heddle::library
