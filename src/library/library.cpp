#include "library/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "library/table.hpp"
#include "native/host.hpp"

namespace heddle::library {
namespace {

using Table = std::unordered_map<std::string, Row>;

const Table& table() {
  static const auto* const all = [] {
    auto* const t = new Table;
    for (const auto& rows : {thread_functions(), attribute_functions(), mutex_functions(), memory_functions(),
                             string_functions(), stdio_functions(), stdlib_functions(), clock_functions(),
                             random_functions(), system_functions(), verifier_functions(), hazard_functions(),
                             helping_functions(), exception_functions(), native_functions(), math_functions()})
      for (const Row& r : rows) t->emplace(r.name, r);
    for (const Row& r : math_functions())
      for (const char suffix : {'f', 'l'}) t->emplace(std::string(r.name) + suffix, r);
    return t;
  }();
  return *all;
}

// Typeinfo of built-in types: _ZTIi, _ZTIPKc, …
bool is_builtin_type(std::string_view name) { return name.starts_with("_ZTI") && name.size() <= 8; }

unsigned cxx_flags(std::string_view name) {
  if (is_forbidden_cxx(name)) return 0;
  if (is_builtin_type(name)) return kNative;
  const auto rows = cxx_functions();
  const auto it = std::ranges::find_if(rows, [&](const Prefix& p) { return name.starts_with(p.start); });
  return it == rows.end() ? 0 : it->flags;
}

Image::Uses uses(unsigned flags) {
  return {.tells_threads_apart = (flags & kTellsThreadsApart) != 0,
          .hazard_pointers = (flags & kNeedsHazardPointers) != 0,
          .unseen_writes = (flags & kUnseenWrites) != 0,
          .standard_streams = (flags & kStandardStreams) != 0};
}

}  // namespace

unsigned flags(std::string_view name) {
  HostScope scope;
  const auto it = table().find(std::string(name));
  return it != table().end() ? it->second.flags : cxx_flags(name);
}

Symbol resolve(std::string_view symbol) {
  HostScope scope;
  // Variables of the C library. The second one tells libstdc++ whether it may do without atomics: always the same
  // answer.
  static int handle = 0;
  static char single_threaded = 0;
  if (symbol == "__dso_handle") return {&handle, {}, {}};
  if (symbol == "__libc_single_threaded") return {&single_threaded, {}, {}};
  const std::string name(symbol);
  const auto it = table().find(name);
  if (it != table().end() && it->second.address != nullptr) return {it->second.address, uses(it->second.flags), {}};
  const unsigned found = it != table().end() ? it->second.flags : cxx_flags(symbol);
  void* const p = (found & kNative) != 0 ? dlsym(RTLD_DEFAULT, name.c_str()) : nullptr;
  return p == nullptr ? Symbol{nullptr, {}, why_unsupported(name)} : Symbol{p, uses(found), {}};
}

}  // namespace heddle::library
